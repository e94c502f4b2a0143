import Foundation

/// Fetches an account's pull requests by REST's search for issues, where GraphQL is not to be had: a request a
/// search and page, conditional, and with less detail.
struct PullREST {
    /// A page as it was last sent, for a conditional request.
    struct Kept: Sendable {
        let etag: String
        let page: PullPage
    }

    /// GitHub takes 30 searches a minute.
    static let searchesAtOnce = 20
    /// A search for each team of a person in hundreds of teams would use up the minute.
    private static let mostTeams = 5

    let talk: any GitHubTalk
    let priority: GitHubSession.Priority
    let now: Date
    /// By path.
    var kept: [String: Kept]
    private(set) var used: Set<String> = []

    init(talk: any GitHubTalk, priority: GitHubSession.Priority, now: Date, kept: [String: Kept]) {
        self.talk = talk
        self.priority = priority
        self.now = now
        self.kept = kept
    }

    /// What REST is asked: it does not say who is asked for a review, so that is searched for; what was said since is
    /// not to be had. Own sections beyond the minute's searches take turns.
    ///
    /// - Parameter turn: counts the refreshes
    static func questions(_ own: [OwnSection], teams: Set<String>?, turn: Int) -> [PullQuestion] {
        let asked: [PullSearch] =
            [.asked, .askedByName, .yours, .mentions]
            + (teams ?? []).sorted().prefix(mostTeams).map { .team($0) }
        let room = searchesAtOnce - asked.count
        let start = own.count > room ? turn * room % own.count : 0
        let turned = own.isEmpty ? [] : Array(own[start...] + own[..<start])
        return asked.map { PullQuestion($0) } + turned.prefix(room).map { PullQuestion($0) }
    }

    /// Throws `GitHubFailure`; a search that GitHub cannot make sense of is said and passed over.
    mutating func fetch(_ questions: [PullQuestion], into haul: inout PullHaul) async throws {
        haul.hasLessDetail = true
        for question in questions {
            do {
                try await fetch(question, into: &haul)
            } catch let failure as GitHubFailure where failure.status == 422 {
                var found = PullHaul.Found()
                found.problem = Self.words(failure)
                haul.found[question.search] = found
            }
        }
        haul.budget = talk.budgets["search"]
        kept = kept.filter { used.contains($0.key) }
    }

    /// What GitHub has against a query; "status 422" before it is for the log.
    private static func words(_ failure: GitHubFailure) -> String {
        let prefix = "status \(failure.status): "
        let said =
            failure.detail.hasPrefix(prefix) ? failure.detail.dropFirst(prefix.count) : failure.detail[...]
        return said.allSatisfy(\.isWhitespace) ? "GitHub cannot search for this." : String(said)
    }

    private mutating func fetch(_ question: PullQuestion, into haul: inout PullHaul) async throws {
        let words = PercentEncoding.encode(question.words)
        var path = "/search/issues?q=\(words)&sort=updated&order=desc&per_page=100"
        haul.found[question.search] = PullHaul.Found()
        for _ in 0..<(PullHaul.most / 100) {
            let page = try await page(path, &haul)
            let before = haul.found[question.search]?.keys.count ?? 0
            haul.take(page, of: question.search)
            let count = haul.found[question.search]?.keys.count ?? 0
            guard let next = page.next, next.hasPrefix("/search/issues?"), next != path, count > before else {
                break
            }
            path = next
        }
        let found = haul.found[question.search]
        haul.found[question.search]?.isCut = (found?.total ?? 0) > PullHaul.most
    }

    private mutating func page(_ path: String, _ haul: inout PullHaul) async throws -> PullPage {
        used.insert(path)
        let old = kept[path]
        let answer = try await talk.get(path, etag: old?.etag, priority)
        if answer.status == 304, let old { return old.page }
        haul.cost += 1
        guard var page = try? Self.read(answer.body, now: now) else {
            throw GitHubFailure(
                error: .invalidResponse(statusCode: answer.status), status: answer.status,
                detail: "the answer is no search")
        }
        page.next = answer.links["next"]
        kept[path] = answer.etag.map { Kept(etag: $0, page: page) }
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
                hasItems = try reader.list { try page.add(&$0) { try PullItem.read(&$0, now: now) } }
            default: break
            }
        }
        try reader.end()
        guard hasItems else { throw Refusal(field: "items", why: "is missing") }
        return page
    }
}
