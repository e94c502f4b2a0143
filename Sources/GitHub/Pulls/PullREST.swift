import Foundation
import TextFormats

/// Fetches an account's pull requests by REST's search for issues if GraphQL isn't available: one conditional request
/// per search and page, with less detail.
struct PullREST {
    struct CachedPage: Sendable {
        let etag: String?
        let page: PullPage
    }

    /// GitHub allows 30 searches a minute.
    static let searchesAtOnce = 20
    /// One search for each of hundreds of teams would use up the limit.
    private static let maximumTeams = 5
    /// Limits an own section, so that its pages don't use up the limit.
    private static let maximumOwnPages = 3
    static let waiting =
        "Not searched yet: GitHub allows 30 searches a minute. Roost tries again with the next refresh."

    let client: any GitHubClient
    let priority: GitHubSession.Priority
    let now: Date
    var cachedPages: [String: CachedPage]
    /// Paths that an earlier round fetched before it failed. Their cached pages are used without a request.
    private let fetchedPaths: Set<String>
    private(set) var used: Set<String> = []

    init(
        client: any GitHubClient, priority: GitHubSession.Priority, now: Date,
        cachedPages: [String: CachedPage],
        fetchedPaths: Set<String> = []
    ) {
        self.client = client
        self.priority = priority
        self.now = now
        self.cachedPages = cachedPages
        self.fetchedPaths = fetchedPaths
    }

    /// The searches for REST. REST does not return the reviewers, so they are found by searches; comments aren't
    /// available. Own sections beyond the limit take turns.
    ///
    /// - Parameter first: the own section to start with
    static func questions(_ own: [OwnSection], teams: Set<String>?, from first: Int64?) -> [PullSearchQuery] {
        let standard: [PullSearch] =
            [.reviewRequested, .reviewRequestedByName, .yours, .mentions, .assigned]
            + (teams ?? []).sorted().prefix(maximumTeams).map { .team($0) }
        let room = searchesAtOnce - standard.count
        return standard.map { PullSearchQuery($0) }
            + rotated(own, first).prefix(room).map { PullSearchQuery($0) }
    }

    /// The own section that the next round starts with: the first without a result.
    static func next(_ own: [OwnSection], after questions: [PullSearchQuery], found result: PullFetchResult)
        -> Int64?
    {
        let first = questions.compactMap { if case .own(let id) = $0.search { id } else { nil } }.first
        return rotated(own, first).first { result.found[.own($0.id)] == nil }?.id
    }

    private static func rotated(_ own: [OwnSection], _ first: Int64?) -> [OwnSection] {
        guard let start = own.firstIndex(where: { $0.id == first }) else { return own }
        return Array(own[start...] + own[..<start])
    }

    /// Throws `GitHubFailure`. Records a query that GitHub rejects as a problem and continues. A rate limit among own
    /// sections ends the round; they are then missing in `found`.
    mutating func fetch(_ questions: [PullSearchQuery], into result: inout PullFetchResult) async throws {
        result.hasLessDetail = true
        var isCutShort = false
        for question in questions where !isCutShort {
            do {
                try await fetch(question, into: &result)
            } catch let failure as GitHubFailure where failure.status == 422 {
                result.found[question.search] = .init(problem: Self.message(of: failure))
            } catch let failure as GitHubFailure where Self.isOwn(question) && Self.isLimit(failure) {
                result.found[question.search] = nil
                result.isIncomplete = true
                isCutShort = true
            }
        }
        result.budget = client.budgets["search"]
        if !isCutShort { cachedPages = cachedPages.filter { used.contains($0.key) && $0.value.etag != nil } }
    }

    static func isLimit(_ error: any Error) -> Bool {
        if case .rateLimited = (error as? GitHubFailure)?.error { true } else { false }
    }

    private static func isOwn(_ question: PullSearchQuery) -> Bool {
        if case .own = question.search { true } else { false }
    }

    /// GitHub's message about a query, without the log's "status 422".
    private static func message(of failure: GitHubFailure) -> String {
        let prefix = "status \(failure.status): "
        let text =
            failure.detail.hasPrefix(prefix) ? failure.detail.dropFirst(prefix.count) : failure.detail[...]
        return text.allSatisfy(\.isWhitespace) ? "GitHub cannot search for this." : String(text)
    }

    private mutating func fetch(_ question: PullSearchQuery, into result: inout PullFetchResult) async throws
    {
        let query = PercentEncoding.encode(question.query)
        var path = "/search/issues?q=\(query)&sort=updated&order=desc&per_page=100"
        result.found[question.search] = PullFetchResult.Found()
        var isMore = false
        for _ in 0..<(Self.isOwn(question) ? Self.maximumOwnPages : PullFetchResult.maximum / 100) {
            let page = try await page(path, &result)
            let before = result.found[question.search]?.keys.count ?? 0
            result.add(page, of: question.search)
            let count = result.found[question.search]?.keys.count ?? 0
            let next = page.next.flatMap { $0.hasPrefix("/search/issues?") && $0 != path ? $0 : nil }
            isMore = next != nil && count > before
            guard isMore, let next else { break }
            path = next
        }
        let found = result.found[question.search]
        result.found[question.search]?.isCut = isMore || (found?.total ?? 0) > PullFetchResult.maximum
    }

    private mutating func page(_ path: String, _ result: inout PullFetchResult) async throws -> PullPage {
        let old = cachedPages[path]
        if let old, fetchedPaths.contains(path) {
            used.insert(path)
            return old.page
        }
        let answer = try await client.get(path, etag: old?.etag, priority)
        used.insert(path)
        if answer.status == 304, let old { return old.page }
        result.cost += 1
        guard var page = try? PullPage(rest: answer.body, now: now) else {
            throw GitHubFailure(
                error: .invalidResponse(statusCode: answer.status), status: answer.status,
                detail: "not a search result")
        }
        page.next = answer.links["next"]
        cachedPages[path] = CachedPage(etag: answer.etag, page: page)
        return page
    }
}

extension PullPage {
    /// Parses a REST search for issues. Throws if there is no list of items.
    init(rest body: Data, now: Date) throws {
        var hasItems = false
        var reader = JSONReader(body)
        try reader.object { reader, name in
            switch name {
            case "total_count": total = try reader.count() ?? 0
            case "incomplete_results": isIncomplete = try reader.bool() ?? false
            case "items":
                hasItems = try reader.list { try add(&$0) { try RESTPullParser.read(&$0, now: now) } }
            default: break
            }
        }
        try reader.end()
        guard hasItems else { throw ValidationError(field: "items", why: "is missing") }
    }
}

/// Parses a pull request from REST's search for issues, which has no checks, reviews or size.
private enum RESTPullParser {
    /// Returns nil for an issue. Throws `ValidationError` and `JSONReader.Malformed`.
    static func read(_ reader: inout JSONReader, now: Date) throws -> FetchedPull? {
        var draft = PullBuilder()
        draft.isPull = false
        let isObject = try reader.object { reader, name in
            if try !draft.read(name, &reader) { try member(name, &reader, &draft) }
        }
        guard isObject else { throw ValidationError(field: "item", why: "is not an object") }
        guard draft.isPull || draft.url?.containsBytes("/pull/") == true else {
            if draft.url?.containsBytes("/issues/") == true { return nil }
            throw ValidationError(field: "htmlURL", why: "is missing or not a URL")
        }
        return try draft.facts(hasDetail: false, now: now)
    }

    private static func member(
        _ name: String, _ reader: inout JSONReader, _ draft: inout PullBuilder
    ) throws {
        switch name {
        case "node_id": draft.id = try reader.string()
        case "html_url": draft.url = try reader.string()
        case "repository_url": draft.repository = try reader.string().flatMap(repository)
        case "comments": draft.commentCount = try reader.count()
        case "labels":
            try reader.list {
                if draft.labels.count < JSONReader.maximumNodes {
                    draft.labels += try GraphQLPullParser.label(&$0)
                }
            }
        case "pull_request":
            draft.isPull = try reader.object { if $1 == "merged_at" { draft.isMerged = try !$0.isNull() } }
        default: break
        }
    }

    private static func repository(_ url: String) -> String? {
        let parts = url.splitBytes(at: "/")
        guard parts.count >= 3, parts[parts.count - 3] == "repos" else { return nil }
        return parts.suffix(2).joined(separator: "/")
    }
}
