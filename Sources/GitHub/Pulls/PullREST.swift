import Foundation
import TextFormats

/// Fetches an account's pull requests by REST's search for issues, where GraphQL is not to be had: a request a
/// search and page, conditional, and with less detail.
struct PullREST {
    /// A page as it was last sent, for a conditional request.
    struct CachedPage: Sendable {
        let etag: String?
        let page: PullPage
    }

    /// GitHub takes 30 searches a minute.
    static let searchesAtOnce = 20
    /// A search for each team of a person in hundreds of teams would use up the minute.
    private static let maximumTeams = 5
    /// Pages of an own section: one that finds a thousand would use up the minute for the others.
    private static let maximumOwnPages = 3
    static let waiting =
        "Not searched yet: GitHub takes 30 searches a minute. It follows with the next refresh."

    let client: any GitHubClient
    let priority: GitHubSession.Priority
    let now: Date
    /// By path.
    var cachedPages: [String: CachedPage]
    /// What an earlier round got before it failed: taken as it is, so that this one goes on behind it.
    private let got: Set<String>
    private(set) var used: Set<String> = []

    init(
        client: any GitHubClient, priority: GitHubSession.Priority, now: Date,
        cachedPages: [String: CachedPage],
        got: Set<String> = []
    ) {
        self.client = client
        self.priority = priority
        self.now = now
        self.cachedPages = cachedPages
        self.got = got
    }

    /// What REST is asked: it does not say who is asked for a review, so that is searched for; what was said since is
    /// not to be had. Own sections beyond the minute's searches take turns.
    ///
    /// - Parameter first: the own section to begin with
    static func questions(_ own: [OwnSection], teams: Set<String>?, from first: Int64?) -> [PullSearchQuery] {
        let asked: [PullSearch] =
            [.asked, .askedByName, .yours, .mentions, .assigned]
            + (teams ?? []).sorted().prefix(maximumTeams).map { .team($0) }
        let room = searchesAtOnce - asked.count
        return asked.map { PullSearchQuery($0) } + turned(own, first).prefix(room).map { PullSearchQuery($0) }
    }

    /// The own section that the next round begins with: the first that this one has not searched.
    static func next(_ own: [OwnSection], after questions: [PullSearchQuery], found result: PullFetchResult)
        -> Int64?
    {
        let begun = questions.compactMap { if case .own(let id) = $0.search { id } else { nil } }.first
        return turned(own, begun).first { result.found[.own($0.id)] == nil }?.id
    }

    private static func turned(_ own: [OwnSection], _ first: Int64?) -> [OwnSection] {
        guard let start = own.firstIndex(where: { $0.id == first }) else { return own }
        return Array(own[start...] + own[..<start])
    }

    /// Throws `GitHubFailure`; a search that GitHub cannot make sense of is said and passed over. A limit that comes
    /// when only own sections are left ends the round with what has come; theirs is then not `found`.
    mutating func fetch(_ questions: [PullSearchQuery], into result: inout PullFetchResult) async throws {
        result.hasLessDetail = true
        var isCutShort = false
        for question in questions where !isCutShort {
            do {
                try await fetch(question, into: &result)
            } catch let failure as GitHubFailure where failure.status == 422 {
                result.found[question.search] = .init(problem: Self.words(failure))
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

    /// What GitHub has against a query; "status 422" before it is for the log.
    private static func words(_ failure: GitHubFailure) -> String {
        let prefix = "status \(failure.status): "
        let said =
            failure.detail.hasPrefix(prefix) ? failure.detail.dropFirst(prefix.count) : failure.detail[...]
        return said.allSatisfy(\.isWhitespace) ? "GitHub cannot search for this." : String(said)
    }

    private mutating func fetch(_ question: PullSearchQuery, into result: inout PullFetchResult) async throws
    {
        let words = PercentEncoding.encode(question.words)
        var path = "/search/issues?q=\(words)&sort=updated&order=desc&per_page=100"
        result.found[question.search] = PullFetchResult.Found()
        var isMore = false
        for _ in 0..<(Self.isOwn(question) ? Self.maximumOwnPages : PullFetchResult.maximum / 100) {
            let page = try await page(path, &result)
            let before = result.found[question.search]?.keys.count ?? 0
            result.take(page, of: question.search)
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
        if let old, got.contains(path) {
            used.insert(path)
            return old.page
        }
        let answer = try await client.get(path, etag: old?.etag, priority)
        used.insert(path)
        if answer.status == 304, let old { return old.page }
        result.cost += 1
        guard var page = try? Self.read(answer.body, now: now) else {
            throw GitHubFailure(
                error: .invalidResponse(statusCode: answer.status), status: answer.status,
                detail: "the answer is no search")
        }
        page.next = answer.links["next"]
        cachedPages[path] = CachedPage(etag: answer.etag, page: page)
        return page
    }

    /// Throws for what has no list of items.
    static func read(_ body: Data, now: Date) throws -> PullPage {
        var page = PullPage()
        var hasItems = false
        var reader = JSONReader(body)
        try reader.object { reader, name in
            switch name {
            case "total_count": page.total = try reader.count() ?? 0
            case "incomplete_results": page.isIncomplete = try reader.bool() ?? false
            case "items":
                hasItems = try reader.list { try page.add(&$0) { try RESTPullParser.read(&$0, now: now) } }
            default: break
            }
        }
        try reader.end()
        guard hasItems else { throw ValidationError(field: "items", why: "is missing") }
        return page
    }
}
