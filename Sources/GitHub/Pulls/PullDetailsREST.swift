import Foundation
import TextFormats

/// Fetches a pull request's details by REST if GraphQL isn't available: six conditional requests, with less detail.
struct PullDetailsREST {
    let client: any GitHubClient
    let priority: GitHubSession.Priority
    let key: PullKey
    let now: Date
    /// By path. Unchanged answers cost nothing.
    let cache: PullResponseCache<Data>
    let account: GitHubAccountID

    private static let html = "application/vnd.github.html+json"

    /// Returns nil if there is no such pull request, or the token may not see it. Throws `GitHubFailure`, and
    /// `ValidationError` if a required field is missing.
    func details() async throws -> PullDetails? {
        let root = "/repos/\(key.ownerAndName)"
        guard let body = try await self.body("\(root)/pulls/\(key.number)") else { return nil }
        var draft = PullDetailsDraft()
        try read(body, into: &draft)
        draft.isAuthor = draft.pull.author.login?.isSameLogin(as: client.login) == true
        let comments = draft.pull.commentCount ?? 0
        draft.pull.totalCommentCount = draft.pull.totalCommentCount.map { $0 + comments }
        // Only the newest page: GitHub sends the oldest comments first.
        let page = max(1, (comments + 99) / 100)
        let paths = [
            "\(root)/issues/\(key.number)/comments?per_page=100&page=\(page)",
            "\(root)/pulls/\(key.number)/reviews?per_page=100",
            "\(root)/pulls/\(key.number)/comments?per_page=100&sort=created&direction=desc",
        ]
        try await list(paths[0]) { draft.events += try comment(&$0).map { [.comment($0)] } ?? [] }
        try await list(paths[1]) { try review(&$0, &draft) }
        var threads = RESTThreads()
        try await list(paths[2]) { threads.add(try threadComment(&$0)) }
        draft.threads = threads.threads
        if let head = draft.pull.activity.head { try await addChecks("\(root)/commits/\(head)", &draft) }
        addEnd(to: &draft)
        draft.events.sort { ($0.at ?? .distantPast) < ($1.at ?? .distantPast) }
        draft.entryCount = draft.events.count + (page - 1) * 100
        var details = try draft.details(of: key, now: now)
        details.hasLessDetail = true
        return details
    }

    /// The answer's body, or nil if GitHub has nothing there.
    private func body(_ path: String) async throws -> Data? {
        do {
            let old = cache.entry(path, of: account)
            let answer = try await client.get(path, accept: Self.html, etag: old?.etag, priority)
            if answer.status == 304, let old { return old.value }
            cache.put(answer.body, path, of: account, etag: answer.etag, bytes: answer.body.count)
            return answer.body
        } catch let failure as GitHubFailure where [404, 410].contains(failure.status) {
            return nil
        }
    }

    /// Reads a list, which the token may not be allowed to see.
    private func list(_ path: String, _ item: (inout JSONReader) throws -> Void) async throws {
        let body: Data?
        do { body = try await self.body(path) } catch let failure as GitHubFailure
            where failure.error == .forbidden
        { return }
        guard let body else { return }
        var reader = JSONReader(body)
        var count = 0
        do {
            try reader.list {
                count += 1
                if count <= JSONReader.maximumNodes { try item(&$0) }
            }
            try reader.end()
        } catch is JSONReader.Malformed { throw Self.unreadable(path) }
    }

    static func unreadable(_ path: String) -> GitHubFailure {
        GitHubFailure(
            error: .invalidResponse(statusCode: 200), status: 200, detail: "not the JSON of \(path)")
    }

    // The pull request

    private func read(_ body: Data, into draft: inout PullDetailsDraft) throws {
        var reader = JSONReader(body)
        do {
            try reader.object { reader, name in
                if try !draft.pull.read(name, &reader) { try member(name, &reader, &draft) }
            }
            try reader.end()
        } catch is JSONReader.Malformed { throw Self.unreadable("a pull request") }
    }

    private func member(_ name: String, _ reader: inout JSONReader, _ draft: inout PullDetailsDraft) throws {
        switch name {
        case "node_id": draft.pull.id = try reader.string()
        case "html_url": draft.pull.url = try reader.string()
        case "body_html": draft.html = try reader.html()
        case "merged": draft.pull.isMerged = try reader.bool() ?? false
        case "mergeable":
            draft.pull.mergeable = try reader.bool().map { $0 ? "MERGEABLE" : "CONFLICTING" } ?? "UNKNOWN"
        case "additions": draft.pull.additions = try reader.count()
        case "deletions": draft.pull.deletions = try reader.count()
        case "changed_files": draft.pull.changedFiles = try reader.count()
        case "comments": draft.pull.commentCount = try reader.count()
        case "review_comments": draft.pull.totalCommentCount = try reader.count()
        case "auto_merge": draft.pull.activity.hasAutoMerge = try reader.object { _, _ in }
        case "labels":
            try reader.list {
                if draft.pull.labels.count < JSONReader.maximumNodes {
                    draft.pull.labels += try GraphQLPullParser.label(&$0)
                }
            }
        case "requested_reviewers":
            try reader.list { draft.requested += PullDetails.Person(try GitHubActor(&$0)).map { [$0] } ?? [] }
        case "requested_teams":
            try reader.list { reader in
                let team = try reader.string(of: "slug").map { "\(key.owner)/\($0)" }
                draft.requested += PullDetails.Person(team).map { [$0] } ?? []
            }
        case "base", "head": try branch(&reader, isBase: name == "base", &draft)
        case "merged_at", "closed_at": if let at = try reader.time() { draft.endedAt = at }
        case "merged_by": draft.mergedBy = PullDetails.Person(try GitHubActor(&reader))
        case "merge_commit_sha": draft.mergeCommit = PullText.sha(try reader.string())
        default: break
        }
    }

    private func branch(_ reader: inout JSONReader, isBase: Bool, _ draft: inout PullDetailsDraft) throws {
        try reader.object { reader, name in
            switch name {
            case "ref":
                let name = PullText.line(try reader.string())
                if isBase { draft.baseBranch = name } else { draft.headBranch = name }
            case "sha":
                let sha = PullText.sha(try reader.string())
                if isBase { draft.baseCommit = sha ?? "" } else { draft.pull.activity.head = sha }
            case "repo":
                let name = try reader.string(of: "full_name").map { PullText.line($0) }
                if isBase { draft.pull.repository = name } else { draft.headRepository = name }
            default: break
            }
        }
        draft.isFromFork = draft.headRepository != draft.pull.repository && draft.headRepository != nil
    }

    private func addEnd(to draft: inout PullDetailsDraft) {
        guard let at = draft.endedAt else { return }
        let event: PullDetails.Event =
            draft.pull.isMerged ? .merged(by: draft.mergedBy, commit: draft.mergeCommit) : .closed(by: nil)
        draft.events.append(.other(PullDetails.Entry(at: at, event: event)))
    }

    // Comments and reviews

    private func read(
        _ name: String, _ reader: inout JSONReader, into comment: inout PullDetailsDraft.Comment
    ) throws {
        switch name {
        case "node_id": comment.id = PullText.line(try reader.string())
        case "user": comment.author = PullDetails.Person(try GitHubActor(&reader))
        case "body_html": comment.html = try reader.html()
        case "created_at", "submitted_at": comment.at = try reader.time()
        case "html_url": comment.url = try reader.string().flatMap(PullText.url)
        default: break
        }
    }

    private func comment(_ reader: inout JSONReader) throws -> PullDetailsDraft.Comment? {
        var comment = PullDetailsDraft.Comment()
        let isObject = try reader.object { try read($1, &$0, into: &comment) }
        return isObject && comment.at != nil ? comment : nil
    }

    /// A review names its threads by its number.
    private func review(_ reader: inout JSONReader, _ draft: inout PullDetailsDraft) throws {
        var review = PullDetailsDraft.Comment()
        var (number, state, commit): (Int?, String?, String?) = (nil, nil, nil)
        try reader.object { reader, name in
            switch name {
            case "id": number = try reader.int()
            case "state": state = try reader.string()
            case "commit_id": commit = PullText.sha(try reader.string())
            default: try read(name, &reader, into: &review)
            }
        }
        guard let verdict = PullDetailsParser.verdict(state?.uppercased()), let at = review.at else { return }
        if let number { review.id = RESTThreads.review(number) }
        draft.events.append(.review(review, verdict))
        guard let author = review.author else { return }
        // The newest first: a later review replaces an earlier one.
        draft.reviews.insert(
            PullDetails.Reviewer(
                name: author.login, avatarURL: author.avatarURL, verdict: verdict, at: at, commit: commit),
            at: 0)
    }

    private func threadComment(_ reader: inout JSONReader) throws -> RESTThreads.Item {
        var item = RESTThreads.Item()
        try reader.object { reader, name in
            switch name {
            case "id": item.number = try reader.int()
            case "in_reply_to_id": item.parent = try reader.int()
            case "pull_request_review_id": item.comment.review = try reader.int().map(RESTThreads.review)
            case "path": item.path = try reader.string() ?? ""
            case "line": item.line = try reader.lineNumber()
            case "start_line": item.startLine = try reader.lineNumber()
            case "side": item.isOnOldFile = try reader.string() == "LEFT"
            case "diff_hunk":
                item.comment.diffHunk = try reader.string(atMost: PullFileParser.maximumPatchBytes)
            default: try read(name, &reader, into: &item.comment)
            }
        }
        return item
    }

    // Checks

    private func addChecks(_ commit: String, _ draft: inout PullDetailsDraft) async throws {
        for (path, member) in [
            ("\(commit)/check-runs?per_page=100", "check_runs"),
            ("\(commit)/status?per_page=100", "statuses"),
        ] {
            let body: Data?
            do { body = try await self.body(path) } catch let failure as GitHubFailure
                where failure.error == .forbidden
            { continue }
            guard let body else { continue }
            var reader = JSONReader(body)
            do {
                try reader.object { reader, name in
                    guard name == member else { return }
                    try reader.list { item in
                        guard draft.checks.count < PullDetailsDraft.maximumChecks else { return }
                        draft.checks += try check(&item)
                    }
                }
                try reader.end()
            } catch is JSONReader.Malformed { throw Self.unreadable(path) }
        }
        guard !draft.checks.isEmpty else { return }
        let states = Set(draft.checks.map(\.state))
        draft.pull.checksState =
            states.contains(.failed) ? "FAILURE" : states.contains(.running) ? "PENDING" : "SUCCESS"
    }

    private func check(_ reader: inout JSONReader) throws -> [PullDetails.Check] {
        var check = PullCheckDraft()
        try reader.object { reader, name in
            switch name {
            case "name", "context": check.name = try reader.string()
            case "status": check.status = try reader.string()
            case "conclusion", "state": check.result = try reader.string()
            case "started_at": check.startedAt = try reader.time()
            case "completed_at", "updated_at": check.endedAt = try reader.time()
            case "details_url", "target_url": check.url = try reader.string()
            default: break
            }
        }
        return check.check
    }
}

extension PullDetailsDraft.Event {
    fileprivate var at: Date? {
        switch self {
        case .comment(let comment), .review(let comment, _): comment.at
        case .commit(_, let at): at
        case .other(let entry): entry.at
        }
    }
}

/// Groups REST's comments on code into threads. An answer names the comment that its thread began with.
private struct RESTThreads {
    struct Item {
        var comment = PullDetailsDraft.Comment()
        var number: Int?
        var parent: Int?
        var path = ""
        var line: Int?
        var startLine: Int?
        var isOnOldFile = false
    }

    /// Newest first, as requested.
    private var items: [Item] = []

    static func review(_ number: Int) -> String { "review-\(number)" }

    mutating func add(_ item: Item) { items.append(item) }

    /// In the order of their first comments. A thread without its beginning starts with its oldest known comment.
    var threads: [PullDetailsDraft.Thread] {
        var threads: [PullDetailsDraft.Thread] = []
        var indices: [Int: Int] = [:]
        for item in items.reversed() where item.number != nil {
            let root = item.parent ?? item.number ?? 0
            if let index = indices[root] {
                threads[index].comments.append(item.comment)
            } else if threads.count < PullDetailsDraft.maximumThreads {
                indices[root] = threads.count
                threads.append(
                    PullDetailsDraft.Thread(
                        id: item.comment.id, path: item.path, line: item.line, startLine: item.startLine,
                        isOnOldFile: item.isOnOldFile, isOutdated: item.line == nil, comments: [item.comment])
                )
            }
        }
        return threads
    }
}
