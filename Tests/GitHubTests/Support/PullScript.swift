import Foundation
import Synchronization
import TestSupport

@testable import GitHub
@testable import RoostSimulator
@testable import RoostSupport
@testable import TextFormats

/// A scripted GitHub as one account sees it: searches are answered from a table.
final class PullScript: GitHubActClient {
    typealias GraphQL = @Sendable (_ query: String, _ variables: [String: String]) async throws -> String
    /// Answers a query for nodes by their ids; nil answers with what the searches found.
    typealias NodeHandler =
        @Sendable (_ query: String, _ variables: [String: GraphQLVariable]) async throws -> String?
    typealias RESTHandler = @Sendable (_ path: String, _ etag: String?) throws -> GitHubSession.Response

    typealias ActHandler =
        @Sendable (_ method: String, _ path: String, _ body: String) async throws -> GitHubSession.Response

    struct Asked: Sendable {
        /// Searches, and queries for mergeability.
        var graphQL: [(query: String, variables: [String: GraphQLVariable])] = []
        /// Queries for details, checks and threads, by ids.
        var nodes: [(query: String, variables: [String: GraphQLVariable])] = []
        /// Queries for a pull request's page.
        var pages: [(query: String, variables: [String: GraphQLVariable])] = []
        var paths: [String] = []
        var etags: [String?] = []
        var priorities: [GitHubSession.Priority] = []
        var acts: [(method: String, path: String, body: String)] = []
    }

    private struct State {
        var nodes: [PullSearch: [String]] = [:]
        var own: [String: [String]] = [:]
        var graphQL: GraphQL?
        var nodeHandler: NodeHandler?
        var world = FoundNodes()
        var rest: RESTHandler?
        var act: ActHandler?
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

    /// Sets the nodes that a search finds.
    func set(_ search: PullSearch, _ nodes: String...) { set(search, nodes) }
    func set(_ search: PullSearch, _ nodes: [String]) { state.withLock { $0.nodes[search] = nodes } }
    /// Sets the nodes that an own query finds.
    func set(query: String, _ nodes: String...) { state.withLock { $0.own[query] = nodes } }
    func set(teams: Set<String>?) { state.withLock { $0.teams = teams } }
    func set(budget: RateBudget) { state.withLock { $0.budgets[budget.resource] = budget } }
    func block(_ resource: String, until: Date?) { state.withLock { $0.blocked[resource] = until } }
    /// Replaces the answers; nil restores the table.
    func turn(graphQL: GraphQL?) { state.withLock { $0.graphQL = graphQL } }
    func turn(nodes: NodeHandler?) { state.withLock { $0.nodeHandler = nodes } }
    func turn(rest: RESTHandler?) { state.withLock { $0.rest = rest } }
    func turn(act: ActHandler?) { state.withLock { $0.act = act } }

    /// Makes a simulated GitHub answer for ada.
    func ask(_ simulation: GitHubSimulation) {
        let answer: @Sendable (String, [String: GraphQLVariable]) throws -> String = { query, variables in
            struct Body: Encodable {
                let operationName: String
                let query: String
                let variables: [String: GraphQLVariable]
            }
            let name = query.prefixMatch(of: #/query (\w+)/#).map { String($0.1) } ?? ""
            let body = Body(operationName: name, query: query, variables: variables)
            let answer = simulation.answer(
                GitHubRequest(
                    method: "POST", target: "/graphql", token: GitHubTokens.classic(of: "ada"),
                    contentType: "application/json", body: Array(try JSONEncoder().encode(body))))
            return String(decoding: answer.body, as: UTF8.self)
        }
        turn(graphQL: { try answer($0, $1.mapValues { .text($0) }) })
        turn(nodes: { try answer($0, $1) })
        turn(rest: { try Self.rest($0, $1, simulation) })
    }

    private static func rest(
        _ path: String, _ etag: String?, _ simulation: GitHubSimulation
    ) throws -> GitHubSession.Response {
        let answer = simulation.answer(
            GitHubRequest(
                target: path, token: GitHubTokens.classic(of: "ada"), ifNoneMatch: etag,
                accept: "application/vnd.github.\(path.contains("/contents/") ? "raw" : "html+json")"))
        guard answer.status == 200 || answer.status == 304 else {
            throw GitHubFailure(
                error: .invalidResponse(statusCode: answer.status), status: answer.status, detail: "simulated"
            )
        }
        let next = answer.header("Link")?.contains("rel=\"next\"") == true ? ["next": "/next"] : [:]
        return .init(
            status: answer.status, body: Data(answer.body), links: next, etag: answer.header("ETag"))
    }

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

    /// Accepts every act, unless `turn(act:)` has set an answer.
    func act(_ method: String, _ path: String, body: Data) async throws -> GitHubSession.Response {
        let text = String(decoding: body, as: UTF8.self)
        let handler = state.withLock { state in
            state.asked.acts.append((method, path, text))
            return state.act
        }
        if let handler { return try await handler(method, path, text) }
        return .init(
            status: 201, body: Data(#"{"html_url":"https://github.com/roost/nest/pull/7#new"}"#.utf8))
    }

    func graphQL(
        query: String, variables: [String: GraphQLVariable], _ priority: GitHubSession.Priority
    ) async throws -> Data {
        if query.hasPrefix("query Details(") || query.hasPrefix("query Checks(") {
            let handler = state.withLock { state in
                state.asked.nodes.append((query, variables))
                return state.nodeHandler
            }
            if let text = try await handler?(query, variables) { return Data(text.utf8) }
            return state.withLock { $0.world.answer(variables) }
        }
        if query.hasPrefix("query PullDetails(") {
            let handler = state.withLock { state in
                state.asked.pages.append((query, variables))
                state.asked.priorities.append(priority)
                return state.nodeHandler
            }
            return Data((try await handler?(query, variables) ?? Self.noRepository).utf8)
        }
        let (script, handler) = state.withLock { state in
            state.asked.graphQL.append((query, variables))
            state.asked.priorities.append(priority)
            return (state.graphQL, state.nodeHandler)
        }
        if query.hasPrefix("query Mergeable("), let text = try await handler?(query, variables) {
            return Data(text.utf8)
        }
        let texts = variables.compactMapValues { if case .text(let text) = $0 { text } else { nil } }
        let text = try await (script ?? table)(query, texts)
        return state.withLock { $0.world.take(text) }
    }

    func get(_ path: String, etag: String?, _ priority: GitHubSession.Priority) async throws
        -> GitHubSession.Response
    {
        let script = state.withLock { state in
            state.asked.paths.append(path)
            state.asked.etags.append(etag)
            state.asked.priorities.append(priority)
            return state.rest
        }
        if let script { return try script(path, etag) }
        return .init(
            status: 200, body: Data(#"{"total_count":0,"incomplete_results":false,"items":[]}"#.utf8))
    }

    static let noRepository =
        #"{"data":{"repository":null},"errors":[{"type":"NOT_FOUND","message":"Could not resolve"}]}"#

    /// Every search of the query that is in the table, with the cost and budget of a quiet hour.
    func table(_ query: String, _ variables: [String: String]) -> String {
        let (nodes, own) = state.withLock { ($0.nodes, $0.own) }
        let words = Dictionary(nodes.map { ($0.key.query, $0.value) }) { first, _ in first }
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

/// The nodes that a script's searches have found, for queries by their ids.
///
/// Scripts write each node completely. As on GitHub, `updatedAt` changes with comments and requests, but not with
/// checks or mergeability.
private struct FoundNodes {
    private static let words = [
        "comments", "reviews", "latestOpinionatedReviews", "viewerLatestReview", "reviewRequests",
        "timelineItems", "threads", "labels",
    ]

    private var nodes: [String: RawJSON] = [:]
    /// By id: how often its content has changed; each change adds a second.
    private var changes: [String: Int] = [:]
    private var last: (text: String, answer: String)?

    /// Remembers a search's nodes. Returns the answer with their update times.
    mutating func take(_ text: String) -> Data {
        if last?.text != text { last = (text, taken(text)) }
        return Data((last?.answer ?? text).utf8)
    }

    private mutating func taken(_ text: String) -> String {
        var answer = text
        for (_, search) in RawJSON(Array(text.utf8)[...])?["data"]?.members ?? [] {
            for node in search["nodes"]?.elements ?? [] {
                guard let id = Self.member("id", of: node)?.string else { continue }
                if let known = nodes[id], !Self.isSame(known, node) { changes[id, default: 0] += 1 }
                nodes[id] = node
                guard let seconds = changes[id], let at = Self.member("updatedAt", of: node)?.string,
                    let time = ISO8601.parse(at),
                    let moved = RawJSON(
                        Array(
                            node.text.replacing(
                                "\"updatedAt\":\"\(at)\"",
                                with: "\"updatedAt\":\"\(ISO8601.seconds(time + Double(seconds)))\""
                            ).utf8)[...])
                else { continue }
                answer = answer.replacing(node.text, with: moved.text)
                nodes[id] = moved
            }
        }
        return answer
    }

    /// Fixtures override a member by a later one of the same name.
    private static func member(_ name: String, of node: RawJSON) -> RawJSON? {
        node.members?.last { $0.key == name }?.value
    }

    private static func isSame(_ one: RawJSON, _ other: RawJSON) -> Bool {
        words.allSatisfy { member($0, of: one)?.text == member($0, of: other)?.text }
    }

    /// Each list of ids under its own name; unknown ids are null.
    func answer(_ variables: [String: GraphQLVariable]) -> Data {
        let lists = variables.compactMap { name, value -> String? in
            guard case .list(let ids) = value else { return nil }
            return "\"\(name)\":[\(ids.map { nodes[$0]?.text ?? "null" }.joined(separator: ","))]"
        }
        let limit =
            #""rateLimit":{"cost":1,"limit":5000,"remaining":4812,"resetAt":"2026-11-10T12:30:00Z"}"#
        return Data("{\"data\":{\(([limit] + lists).joined(separator: ","))}}".utf8)
    }
}

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
