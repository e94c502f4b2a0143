import Foundation
import RoostSupport
import TextFormats

/// Sends one act to GitHub: by REST where it can do the act, otherwise by GraphQL.
struct PullActSender {
    private static let maximumRuns = 20

    let act: PullAct
    let key: PullKey
    let client: any GitHubActClient
    /// True once GitHub may have carried out a part of the act.
    private(set) var hasBegun = false

    init(_ act: PullAct, on key: PullKey, _ client: any GitHubActClient) {
        self.act = act
        self.key = key
        self.client = client
    }

    /// Throws `GitHubFailure`, and `RoostError.conflict` if the pull request has another head than the user has seen.
    mutating func send() async throws -> PullActResult {
        switch act {
        case .comment(let text):
            return try await rest("POST", issue + "/comments", ["body": text], "Comment added.")
        case .reply(let comment, let text):
            return try await rest(
                "POST", "\(pull)/comments/\(comment)/replies", ["body": text], "Reply added.")
        case .resolve(let thread):
            return try await graphQL(
                PullMutation.resolve, ["thread": .text(thread)], "Conversation resolved.")
        case .unresolve(let thread):
            return try await graphQL(
                PullMutation.unresolve, ["thread": .text(thread)], "Conversation reopened.")
        case .review(let review): return try await send(review)
        case .requestReview(let reviewer):
            let team = reviewer.splitBytes(at: "/", maxSplits: 1).dropFirst().last.map(String.init)
            return try await rest(
                "POST", pull + "/requested_reviewers",
                team.map { ["team_reviewers": [$0]] } ?? ["reviewers": [reviewer]],
                "Review requested from \(reviewer).")
        case .merge(let method, let head):
            return try await rest(
                "PUT", pull + "/merge", ["sha": head, "merge_method": method.rawValue], "Merged.")
        case .autoMerge(let method, let head):
            let id = try await current().nodeId
            return try await graphQL(
                PullMutation.autoMerge,
                ["pull": .text(id), "method": .text(method.rawValue.uppercased()), "head": .text(head)],
                "GitHub merges it as soon as its requirements are met.")
        case .stopAutoMerge:
            let id = try await current().nodeId
            return try await graphQL(PullMutation.stopAutoMerge, ["pull": .text(id)], "Auto-merge is off.")
        case .updateBranch(let head):
            return try await rest(
                "PUT", pull + "/update-branch", ["expected_head_sha": head],
                "GitHub is updating the branch.")
        case .markReady:
            let id = try await current().nodeId
            return try await graphQL(
                PullMutation.markReady, ["pull": .text(id)], "Marked as ready for review.")
        case .close: return try await rest("PATCH", pull, ["state": "closed"], "Closed.")
        case .reopen: return try await rest("PATCH", pull, ["state": "open"], "Reopened.")
        case .rerunChecks(let head): return try await rerunChecks(of: head)
        }
    }

    private var repository: String {
        "/repos/\(PercentEncoding.encode(key.owner))/\(PercentEncoding.encode(key.name))"
    }
    private var pull: String { "\(repository)/pulls/\(key.number)" }
    private var issue: String { "\(repository)/issues/\(key.number)" }

    private mutating func rest(
        _ method: String, _ path: String, _ body: some Encodable, _ message: String
    ) async throws -> PullActResult {
        let json = try JSONEncoder().encode(body)
        hasBegun = true
        let answer = try await client.act(method, path, body: json)
        guard !answer.body.isEmpty else { return PullActResult(message: message, url: nil) }
        let url = try Self.decoded(Created.self, answer).htmlURL
        return PullActResult(message: message, url: url.flatMap(PullText.url))
    }

    private struct Created: Decodable {
        enum CodingKeys: String, CodingKey { case htmlURL = "html_url" }
        let htmlURL: String?

        /// Lists, such as that of the requested reviewers, have no address.
        init(from decoder: any Decoder) throws {
            let values = try? decoder.container(keyedBy: CodingKeys.self)
            htmlURL = try? values?.decodeIfPresent(String.self, forKey: .htmlURL)
        }
    }

    private static func decoded<Value: Decodable>(
        _ type: Value.Type, _ answer: GitHubSession.Response
    ) throws -> Value {
        do { return try UpstreamJSON.decode(type, from: answer.body) } catch {
            throw GitHubFailure(
                error: .invalidResponse(statusCode: answer.status), status: answer.status,
                detail: "an act's answer that isn't understood")
        }
    }

    private mutating func graphQL(
        _ query: String, _ variables: [String: GraphQLVariable], _ message: String
    ) async throws -> PullActResult {
        hasBegun = true
        let body = try await client.graphQL(query: query, variables: variables, .click)
        guard let answer = try? GraphQLEnvelope(body, now: .distantPast), answer.isGraphQL else {
            throw GitHubFailure(error: .invalidResponse(statusCode: 200), status: 200, detail: "not GraphQL")
        }
        if let problem = answer.problems.first { throw GitHubFailure(problem) }
        return PullActResult(message: message, url: nil)
    }

    // MARK: Reviews

    private struct ReviewBody: Encodable {
        struct Comment: Encodable {
            let path: String
            let line: Int
            let side: String
            let start_line: Int?
            let start_side: String?
            let body: String

            init(_ comment: PullReview.LineComment) {
                path = comment.path
                line = comment.line
                side = comment.isOnOldFile ? "LEFT" : "RIGHT"
                start_line = comment.startLine
                start_side = comment.startLine == nil ? nil : side
                body = comment.body
            }
        }

        let commit_id: String
        let event: String
        let body: String?
        let comments: [Comment]
    }

    private mutating func send(_ review: PullReview) async throws -> PullActResult {
        // GitHub accepts a review of an older commit. An approval counts for the whole pull request.
        if review.verdict == .approve, try await current().head.sha != review.head { throw Self.otherHead }
        let (event, message) =
            switch review.verdict {
            case .comment: ("COMMENT", "Review sent.")
            case .approve: ("APPROVE", "Approved.")
            case .requestChanges: ("REQUEST_CHANGES", "Changes requested.")
            }
        let body = ReviewBody(
            commit_id: review.head, event: event, body: review.body.isBlank ? nil : review.body,
            comments: review.comments.map(ReviewBody.Comment.init))
        return try await rest("POST", pull + "/reviews", body, message)
    }

    static let otherHead = RoostError.conflict(
        field: "head",
        why:
            "Someone pushed to this pull request since you opened it. Look at the new commits, then try again."
    )

    private struct Current: Decodable {
        struct Head: Decodable { let sha: String }
        enum CodingKeys: String, CodingKey {
            case head
            case nodeId = "node_id"
        }
        let head: Head
        let nodeId: String
    }

    private func current() async throws -> Current {
        try Self.decoded(Current.self, try await client.get(pull, etag: nil, .click))
    }

    // MARK: Checks

    private struct Runs: Decodable {
        struct Run: Decodable {
            let id: Int
            let conclusion: String?
        }
        enum CodingKeys: String, CodingKey { case runs = "workflow_runs" }
        let runs: [Run]
    }

    private mutating func rerunChecks(of head: String) async throws -> PullActResult {
        let list = try await client.get(
            "\(repository)/actions/runs?head_sha=\(head)&per_page=100", etag: nil, .click)
        let failed = try Self.decoded(Runs.self, list).runs.filter {
            ["failure", "timed_out"].contains($0.conclusion)
        }.prefix(Self.maximumRuns)
        guard !failed.isEmpty else {
            throw RoostError.conflict(
                field: "act",
                why: "GitHub Actions has no failed run for this commit. Other checks can only be run again "
                    + "on their own pages.")
        }
        for (count, run) in failed.enumerated() {
            let path = "\(repository)/actions/runs/\(run.id)/rerun-failed-jobs"
            do {
                _ = try await rest("POST", path, [String: String](), "")
            } catch let failure as GitHubFailure where count > 0 {
                return Self.partial(count, of: failed.count, failure)
            }
        }
        return PullActResult(
            message: failed.count == 1
                ? "GitHub runs the failed jobs again."
                : "GitHub runs the failed jobs of \(failed.count) runs again.",
            url: nil)
    }

    /// What has begun cannot be taken back, so a later failure is no failure of the act.
    private static func partial(_ count: Int, of total: Int, _ failure: GitHubFailure) -> PullActResult {
        let words = failure.refusal?.message ?? ""
        let reason =
            words.isBlank ? failure.error.message(source: "GitHub") : "GitHub refused this: “\(words)”"
        return PullActResult(
            message: "GitHub runs the failed jobs of \(count) of \(total) runs again, then Roost stopped. "
                + reason,
            url: nil)
    }
}

extension GitHubFailure {
    /// A refusal in the body of a GraphQL answer, which has status 200.
    fileprivate init(_ problem: GraphQLEnvelope.Problem) {
        let status =
            switch problem.type {
            case "FORBIDDEN", "INSUFFICIENT_SCOPES": 403
            case "NOT_FOUND": 404
            default: problem.isOutage ? 502 : 422
            }
        self.init(
            error: status == 403
                ? .forbidden
                : status == 502 ? .serverError(statusCode: 502) : .invalidResponse(statusCode: status),
            status: status, detail: problem.message)
        var refusal = GitHubRefusal()
        refusal.message = GitHubRefusal.line(problem.message)
        self.refusal = refusal
    }
}
