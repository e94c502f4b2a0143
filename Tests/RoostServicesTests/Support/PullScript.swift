import Foundation
import RoostServices
import Synchronization

/// A GitHub of a test's own, as one account hears it: searches answered from a table.
final class PullScript: GitHubClient {
    typealias GraphQL = @Sendable (_ query: String, _ variables: [String: String]) async throws -> String
    typealias RESTHandler = @Sendable (_ path: String, _ etag: String?) throws -> GitHubSession.Response

    struct Asked: Sendable {
        var graphQL: [(query: String, variables: [String: GraphQLVariable])] = []
        var paths: [String] = []
        var priorities: [GitHubSession.Priority] = []
    }

    private struct State {
        var nodes: [PullSearch: [String]] = [:]
        var own: [String: [String]] = [:]
        var graphQL: GraphQL?
        var rest: RESTHandler?
        var asked = Asked()
        var budgets: [String: RateBudget] = [:]
        var blocked: [String: Date] = [:]
        var teams: Set<String>? = ["roost/core"]
    }

    let login = "ada"
    private let state = Mutex(State())

    var teams: Set<String>? { state.withLock { $0.teams } }
    var budgets: [String: RateBudget] { state.withLock { $0.budgets } }
    var asked: Asked { state.withLock { $0.asked } }
    var requests: Int { asked.graphQL.count + asked.paths.count }

    func blockedUntil(_ resource: String) -> Date? { state.withLock { $0.blocked[resource] } }

    /// What a search finds, as nodes.
    func set(_ search: PullSearch, _ nodes: String...) { set(search, nodes) }
    func set(_ search: PullSearch, _ nodes: [String]) { state.withLock { $0.nodes[search] = nodes } }
    /// What an own query finds.
    func set(query: String, _ nodes: String...) { state.withLock { $0.own[query] = nodes } }
    func set(teams: Set<String>?) { state.withLock { $0.teams = teams } }
    func set(budget: RateBudget) { state.withLock { $0.budgets[budget.resource] = budget } }
    func block(_ resource: String, until: Date?) { state.withLock { $0.blocked[resource] = until } }
    /// Answers otherwise from now on; nil: from the table again.
    func turn(graphQL: GraphQL?) { state.withLock { $0.graphQL = graphQL } }
    func turn(rest: RESTHandler?) { state.withLock { $0.rest = rest } }

    func fail(_ error: APIError, status: Int = 0, retryAfter: Double? = nil) {
        let failure = GitHubFailure(error: error, retryAfter: retryAfter, status: status, detail: "scripted")
        turn(graphQL: { _, _ in throw failure })
        turn(rest: { _, _ in throw failure })
    }

    func recover() {
        turn(graphQL: nil)
        turn(rest: nil)
    }

    func get(_ path: String, accept: String, etag: String?, _ priority: GitHubSession.Priority) async throws
        -> GitHubSession.Response
    {
        try await get(path, etag: etag, priority)
    }

    func graphQL(
        query: String, variables: [String: GraphQLVariable], _ priority: GitHubSession.Priority
    ) async throws -> Data {
        let script = state.withLock { state in
            state.asked.graphQL.append((query, variables))
            state.asked.priorities.append(priority)
            return state.graphQL
        }
        let texts = variables.compactMapValues { if case .text(let text) = $0 { text } else { nil } }
        return Data(try await (script ?? table)(query, texts).utf8)
    }

    func get(_ path: String, etag: String?, _ priority: GitHubSession.Priority) async throws
        -> GitHubSession.Response
    {
        let script = state.withLock { state in
            state.asked.paths.append(path)
            state.asked.priorities.append(priority)
            return state.rest
        }
        if let script { return try script(path, etag) }
        return .init(
            status: 200, body: Data(#"{"total_count":0,"incomplete_results":false,"items":[]}"#.utf8))
    }

    /// Every search of the query that is in the table, with the cost and budget of a quiet hour.
    func table(_ query: String, _ variables: [String: String]) -> String {
        let (nodes, own) = state.withLock { ($0.nodes, $0.own) }
        let words = Dictionary(nodes.map { ($0.key.words, $0.value) }) { first, _ in first }
        let fields = Self.aliases(query).map { alias, variable in
            let asked = variables[variable] ?? ""
            return #""\#(alias)":\#(Self.page(words[asked] ?? own[asked] ?? []))"#
        }
        return Self.answer(fields)
    }

    /// Alias and variable of each search in a query.
    static func aliases(_ query: String) -> [(alias: String, variable: String)] {
        query.matches(of: #/(\w+): search\(query: \$(\w+)/#).map { (String($0.1), String($0.2)) }
    }

    static func page(_ nodes: [String], total: Int? = nil, next: String? = nil) -> String {
        let cursor = next.map { #""\#($0)""# } ?? "null"
        return """
            {"issueCount":\(total ?? nodes.count),"pageInfo":{"hasNextPage":\(next != nil),"endCursor":\(cursor)},
            "nodes":[\(nodes.joined(separator: ","))]}
            """
    }

    static func answer(_ fields: [String], errors: String? = nil) -> String {
        let all =
            [
                #""viewer":{"login":"ada"}"#,
                #""rateLimit":{"cost":24,"limit":5000,"remaining":4812,"resetAt":"2026-11-10T12:30:00Z"}"#,
            ] + fields
        return #"{"data":{\#(all.joined(separator: ","))}\#(errors.map { #","errors":\#($0)"# } ?? "")}"#
    }
}

/// Pull requests as GraphQL writes them.
enum PullFixture {
    /// - Parameter more: further members, each `"name":value`
    static func node(
        _ number: Int, title: String = "Tidy the perch", author: String = "grace",
        repository: String = "roost/nest", updatedAt: String = "2026-11-10T11:00:00Z", _ more: String...
    ) -> String {
        """
        {\((["\"__typename\":\"PullRequest\"", "\"id\":\"PR_\(number)\"", "\"number\":\(number)",
            "\"title\":\"\(title)\"", "\"url\":\"https://github.com/\(repository)/pull/\(number)\"",
            "\"isDraft\":false", "\"createdAt\":\"2026-11-01T09:00:00Z\"", "\"updatedAt\":\"\(updatedAt)\"",
            "\"author\":{\"__typename\":\"User\",\"login\":\"\(author)\"}",
            "\"repository\":{\"nameWithOwner\":\"\(repository)\"}"] + more).joined(separator: ","))}
        """
    }

    /// `"reviewRequests":...` that names a person.
    static func asks(_ login: String) -> String {
        #""reviewRequests":{"nodes":[{"requestedReviewer":{"__typename":"User","login":"\#(login)"}}]}"#
    }

    static func asks(team: String) -> String {
        #""reviewRequests":{"nodes":[{"requestedReviewer":{"__typename":"Team","combinedSlug":"\#(team)"}}]}"#
    }

    static func comment(_ login: String, _ at: String) -> String {
        #"{"createdAt":"\#(at)","author":{"__typename":"User","login":"\#(login)"}}"#
    }

    /// An item of REST's search.
    static func item(
        _ number: Int, title: String = "Tidy the perch", author: String = "grace",
        updatedAt: String = "2026-11-10T11:00:00Z"
    ) -> String {
        """
        {"number":\(number),"title":"\(title)","html_url":"https://github.com/roost/nest/pull/\(number)",
        "repository_url":"https://api.github.com/repos/roost/nest","user":{"login":"\(author)","type":"User"},
        "created_at":"2026-11-01T09:00:00Z","updated_at":"\(updatedAt)","draft":false,"comments":2,
        "labels":[],"pull_request":{}}
        """
    }

    static func search(_ items: [String], total: Int? = nil) -> Data {
        Data(
            """
            {"total_count":\(total ?? items.count),"incomplete_results":false,
            "items":[\(items.joined(separator: ","))]}
            """.utf8)
    }

    static func key(_ number: Int, _ repository: String = "roost/nest", host: String = "github.com")
        -> PullKey
    {
        let parts = repository.split(separator: "/").map(String.init)
        return PullKey(host: host, owner: parts[0], name: parts[1], number: number)
    }

    static func date(_ text: String) throws -> Date {
        guard let date = ISO8601.parse(text) else { throw NeverCame(what: text) }
        return date
    }
}
