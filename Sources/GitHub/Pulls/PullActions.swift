import Foundation
package import RoostSupport
import Synchronization
import TextFormats

/// Carries out users' acts on pull requests, each with the user's own account that sees the pull request.
///
/// Each act has an id, which is stored before the act is sent, and its result afterwards, for a day. So a double click, a
/// form that is sent again and a repeated request get the first result. After a crash or a lost answer no one knows
/// the result: the user has to look at GitHub.
package final class PullActions: Service {
    private let pulls: PullService
    private let running = Mutex<[String: Task<PullActResult, any Error>]>([:])

    package init(pulls: PullService) {
        self.pulls = pulls
    }

    /// Continues when the caller is cancelled.
    ///
    /// Throws `RoostError.notFound` if none of the user's accounts sees the pull request, `.invalid` with the field,
    /// `.conflict`, `.notAllowed` and `.tooMany` for what GitHub refuses, with its words, and `.unavailable` if GitHub
    /// did not answer.
    ///
    /// - Parameter id: the same for repetitions of the same act
    package func perform(
        _ act: PullAct, id: String, on key: PullKey, for user: UserID
    ) async throws -> PullActResult {
        let account = try account(for: key, of: user)
        let act = try act.checked()
        guard let client = pulls.accounts.actClient(of: account.id) else {
            throw RoostError.notAllowed(
                "Your GitHub account is not connected. Connect it again in the settings.")
        }
        let request = try Self.request(act, id: id, on: key, for: user)
        let task = running.withLock { running in
            if let task = running[request.key] { return task }
            let task = Task { [self] in
                defer { self.running.withLock { $0[request.key] = nil } }
                // Its own rows say whether the act was sent, so a request's key must not join them.
                return try await FirstWrite.$current.withValue(nil) {
                    try await perform(act, request, on: key, account, client)
                }
            }
            running[request.key] = task
            return task
        }
        return try await task.value
    }

    /// Throws `RoostError.notFound`.
    package func account(for key: PullKey, of user: UserID) throws -> GitHubAccount {
        guard let account = pulls.account(for: key, of: user), account.userId == user else {
            throw RoostError.notFound("None of your GitHub accounts sees this pull request.")
        }
        return account
    }

    /// Another text with the same id is another act: a page from the browser's history has the same id.
    private static func request(
        _ act: PullAct, id: String, on key: PullKey, for user: UserID
    ) throws -> KeyedRequest {
        guard (1...255).contains(id.utf8.count) else {
            throw RoostError.invalid(field: "id", why: "Must have 1 to 255 characters.")
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let digest = Secret.hash(
            "\(user)\n\(id)\n\(key.description.lowercased())\n\(String(decoding: try encoder.encode(act), as: UTF8.self))"
        )
        return KeyedRequest(
            key: "pull act " + Base64URL.encode(Data(digest)), user: user, parts: [digest])
    }

    private func perform(
        _ act: PullAct, _ request: KeyedRequest, on key: PullKey, _ account: GitHubAccount,
        _ client: any GitHubActClient
    ) async throws -> PullActResult {
        let (database, user, now) = (pulls.database, request.user, pulls.clock.now())
        if let known = try await database.read({ try $0.keyedAnswer(to: request, at: now) }) {
            guard let known,
                let result = try? JSONDecoder().decode(PullActResult.self, from: Data(known.body))
            else { throw PullActError.unknown }
            return result
        }
        try await database.write { try $0.begin(request, at: now) }
        var sender = PullActSender(act, on: key, client)
        let result: PullActResult
        do {
            result = try await sender.send()
        } catch {
            let hasBegun = sender.hasBegun
            let failure = error as? GitHubFailure
            let isUnknown = hasBegun && (failure.map(PullActError.isUnknown) ?? !(error is RoostError))
            if !isUnknown { try? await database.write { try $0.forget(request) } }
            // A push, or a result that is unknown: the page shows how it is now.
            if hasBegun || error is RoostError { refresh(key, account, for: user) }
            throw isUnknown
                ? PullActError.unknown : failure.map { PullActError.refused($0, act, by: account) } ?? error
        }
        await store(result, of: act, request, on: key)
        refresh(key, account, for: user)
        return result
    }

    /// The act has happened, even if this fails.
    private func store(_ result: PullActResult, of act: PullAct, _ request: KeyedRequest, on key: PullKey)
        async
    {
        let (user, now) = (request.user, pulls.clock.now())
        do {
            let body = Array(try JSONEncoder().encode(result))
            try await pulls.database.write { writes in
                try writes.end(request, with: KeyedAnswer(status: 200, headers: [], body: body), at: now)
                // A draft that was changed in the meantime stays.
                if case .review(let sent) = act, try writes.pullReviewDraft(of: key, by: user) == sent {
                    try writes.removePullReviewDraft(of: key, by: user)
                }
            }
        } catch {
            pulls.log.databaseFailure("The result of an act on a pull request could not be saved", error)
        }
    }

    private func refresh(_ key: PullKey, _ account: GitHubAccount, for user: UserID) {
        pulls.refreshDetails(of: key, for: user)
        pulls.refreshSoon(account.id)
    }

    package var userData: [UserData] {
        [.deleted("Drafts of reviews of pull requests", from: ["pull_review_drafts"])]
    }
}

// MARK: Drafts of reviews

extension PullActions {
    package func draft(_ reads: Reads, of key: PullKey, by user: UserID) throws -> PullReview? {
        try reads.pullReviewDraft(of: key, by: user)
    }

    /// Keeps the verdict and the text of a review that is not sent yet, next to its comments on lines. Returns the
    /// draft. Throws `RoostError.invalid` and `.notFound`.
    @discardableResult
    package func saveDraft(
        _ verdict: PullReview.Verdict, body: String, head: String, of key: PullKey, by user: UserID
    ) async throws -> PullReview {
        try await change(key, by: user) { draft in
            draft.verdict = verdict
            draft.body = body
            // Comments on lines belong to the commit whose lines they are.
            if draft.comments.isEmpty || draft.head.isEmpty { draft.head = head }
        }
    }

    /// Throws `RoostError.invalid` and `.notFound`, and `.conflict` if the draft's other comments are on another commit.
    @discardableResult
    package func addComment(
        _ comment: PullReview.LineComment, head: String, to key: PullKey, by user: UserID
    ) async throws -> PullReview {
        try await change(key, by: user) { draft in
            guard draft.comments.isEmpty || draft.head == head else {
                throw RoostError.conflict(
                    field: "head",
                    why: "Your draft has comments on lines of an older commit. Send or discard it first.")
            }
            draft.head = try PullAct.commit(head)
            draft.comments.append(comment)
        }
    }

    /// Throws `RoostError.notFound`.
    @discardableResult
    package func removeComment(at index: Int, from key: PullKey, by user: UserID) async throws -> PullReview {
        try await change(key, by: user) { draft in
            guard draft.comments.indices.contains(index) else {
                throw RoostError.notFound("There is no such comment in your draft.")
            }
            draft.comments.remove(at: index)
        }
    }

    /// Throws `RoostError.notFound` if none of the user's accounts sees the pull request.
    package func discardDraft(of key: PullKey, by user: UserID) async throws {
        _ = try account(for: key, of: user)
        try await pulls.database.write { [topic = pulls.topic(of: key, for: user)] writes in
            try writes.removePullReviewDraft(of: key, by: user)
            writes.publish(topic)
        }
    }

    private func change(
        _ key: PullKey, by user: UserID, _ change: @escaping @Sendable (inout PullReview) throws -> Void
    ) async throws -> PullReview {
        _ = try account(for: key, of: user)
        return try await pulls.database.write {
            [now = pulls.clock.now(), topic = pulls.topic(of: key, for: user)] writes in
            var draft = try writes.pullReviewDraft(of: key, by: user) ?? PullReview()
            try change(&draft)
            draft = try draft.checked(isSent: false)
            if draft.isEmpty, draft.verdict == .comment {
                try writes.removePullReviewDraft(of: key, by: user)
            } else {
                try writes.putPullReviewDraft(draft, of: key, by: user, at: now)
            }
            writes.publish(topic)
            return draft
        }
    }
}
