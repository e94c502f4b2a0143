import Foundation
import Synchronization
import TestSupport

@testable import GitHub
@testable import RoostSupport

/// A scripted GitHub: requests are answered from a table and counted against a budget.
final class RepositoryScript: GitHubClient {
    typealias RESTHandler = @Sendable (_ path: String, _ etag: String?) throws -> GitHubSession.Response
    typealias GraphQL = @Sendable (_ query: String, _ ids: [String]) throws -> String

    struct Asked: Sendable {
        let path: String
        let accept: String?
        let etag: String?
        let priority: GitHubSession.Priority
    }

    private struct State {
        var answers: [String: RESTHandler] = [:]
        var rest: RESTHandler?
        var graphQL: GraphQL?
        var asked: [Asked] = []
        var queries: [[String]] = []
        var budgets: [String: RateBudget] = [:]
        var blocked: [String: Date] = [:]
        var hold: (@Sendable (String) async -> Void)?
    }

    let login: String
    let teams: Set<String>? = nil
    private let state = Mutex(State())

    init(_ login: String = "") {
        self.login = login
    }

    var budgets: [String: RateBudget] { state.withLock { $0.budgets } }
    var asked: [Asked] { state.withLock { $0.asked } }
    var paths: [String] { asked.map(\.path) }
    /// The node ids of each GraphQL request.
    var queries: [[String]] { state.withLock { $0.queries } }
    func blockedUntil(_ resource: String) -> Date? { state.withLock { $0.blocked[resource] } }

    /// Each request that is not refused uses one of the budget.
    func set(budget remaining: Int, of limit: Int, _ resource: String = "core", until reset: Date) {
        let budget = RateBudget(resource: resource, limit: limit, remaining: remaining, resetAt: reset)
        state.withLock { $0.budgets[resource] = budget }
    }

    func set(_ path: String, _ answer: @escaping RESTHandler) { state.withLock { $0.answers[path] = answer } }
    func set(_ path: String, _ body: String, etag: String? = nil, next: String? = nil) {
        set(path) { _, known in
            if let etag, known == etag { return .init(status: 304, body: Data(), etag: etag) }
            return .init(
                status: 200, body: Data(body.utf8), links: next.map { ["next": $0] } ?? [:], etag: etag)
        }
    }
    func fail(_ path: String, _ error: APIError, status: Int = 0, retryAfter: Double? = nil) {
        let failure = GitHubFailure(error: error, retryAfter: retryAfter, status: status, detail: "scripted")
        set(path) { _, _ in throw failure }
    }
    /// Sets the answer for every path without one of its own.
    func turn(rest: RESTHandler?) { state.withLock { $0.rest = rest } }
    func turn(graphQL: GraphQL?) { state.withLock { $0.graphQL = graphQL } }
    func hold(_ hold: (@Sendable (String) async -> Void)?) { state.withLock { $0.hold = hold } }

    func get(_ path: String, etag: String?, _ priority: GitHubSession.Priority) async throws
        -> GitHubSession.Response
    {
        try await answer(Asked(path: path, accept: nil, etag: etag, priority: priority))
    }

    func get(_ path: String, accept: String, etag: String?, _ priority: GitHubSession.Priority) async throws
        -> GitHubSession.Response
    {
        try await answer(Asked(path: path, accept: accept, etag: etag, priority: priority))
    }

    private func answer(_ asked: Asked) async throws -> GitHubSession.Response {
        let (answer, hold) = state.withLock { state in
            state.asked.append(asked)
            Self.spend(asked.path.hasPrefix("/search/") ? "search" : "core", &state)
            return (state.answers[asked.path] ?? state.rest, state.hold)
        }
        await hold?(asked.path)
        guard let answer else { throw Self.notFound }
        return try answer(asked.path, asked.etag)
    }

    func graphQL(
        query: String, variables: [String: GraphQLVariable], _ priority: GitHubSession.Priority
    ) async throws -> Data {
        guard case .list(let ids) = variables["ids"] else { throw Self.notFound }
        let answer = state.withLock { state in
            state.queries.append(ids)
            Self.spend("graphql", &state)
            return state.graphQL
        }
        guard let answer else { throw Self.notFound }
        return Data(try answer(query, ids).utf8)
    }

    private static func spend(_ resource: String, _ state: inout State) {
        guard let budget = state.budgets[resource] else { return }
        state.budgets[resource] = RateBudget(
            resource: resource, limit: budget.limit, remaining: max(0, budget.remaining - 1),
            resetAt: budget.resetAt)
    }

    static let notFound = GitHubFailure(
        error: .invalidResponse(statusCode: 404), status: 404, detail: "status 404: Not Found")
}

enum RepositoryFixture {
    static func path(since: Int) -> String { since > 0 ? "/repositories?since=\(since)" : "/repositories" }

    /// A repository as in the list of all.
    ///
    /// - Parameter more: further members, each `"name":value`
    static func item(
        _ id: Int, _ fullName: String? = nil, fork: Bool = false, type: String = "User",
        isPrivate: String = "false", more: String...
    ) -> String { item(id, fullName, fork: fork, type: type, isPrivate: isPrivate, members: more) }

    private static func item(
        _ id: Int, _ fullName: String?, fork: Bool, type: String, isPrivate: String, members more: [String]
    ) -> String {
        let full = fullName ?? "owner\(id)/repo\(id)"
        let parts = full.split(separator: "/")
        let members = [
            #""id":\#(id)"#, #""node_id":"R_\#(id)""#, #""name":"\#(parts[1])""#, #""full_name":"\#(full)""#,
            #""private":\#(isPrivate)"#, #""html_url":"https://github.com/\#(full)""#,
            #""description":"About \#(id)""#, #""fork":\#(fork)"#,
            #""owner":{"login":"\#(parts[0])","type":"\#(type)","avatar_url":"https://x.example/\#(id).png"}"#,
        ]
        return "{\((members + more).joined(separator: ","))}"
    }

    /// A repository as fetched alone.
    static func detail(
        _ id: Int, _ fullName: String? = nil, stars: Int = 7, language: String = "Swift",
        isPrivate: String = "false", fork: Bool = false, more: String...
    ) -> String {
        item(
            id, fullName, fork: fork, type: "User", isPrivate: isPrivate,
            members: figures(stars: stars, language: language)
                + [#""visibility":"\#(isPrivate == "true" ? "private" : "public")""#] + more)
    }

    /// A repository as an older Enterprise server returns it.
    static func withoutNodeId(_ json: String) -> String {
        json.replacing(#/"node_id":"R_[0-9]+",/#, with: "")
    }

    static func figures(stars: Int, language: String = "Swift") -> [String] {
        [
            #""stargazers_count":\#(stars)"#, #""forks_count":3"#, #""open_issues_count":2"#,
            #""language":"\#(language)""#, #""license":{"spdx_id":"MIT","name":"MIT License"}"#,
            #""topics":["birds"]"#, #""archived":false"#, #""default_branch":"trunk""#,
            #""pushed_at":"2026-11-01T10:00:00Z""#, #""created_at":"2020-01-01T10:00:00Z""#,
            #""homepage":"https://roost.example""#,
        ]
    }

    static func node(_ id: Int, _ fullName: String? = nil, stars: Int = 7, isPrivate: Bool = false) -> String
    {
        let full = fullName ?? "owner\(id)/repo\(id)"
        let parts = full.split(separator: "/")
        return """
            {"databaseId":\(id),"id":"R_\(id)","name":"\(parts[1])","nameWithOwner":"\(full)",
            "owner":{"__typename":"User","login":"\(parts[0])","avatarUrl":null},"description":"About \(id)",
            "isFork":false,"isPrivate":\(isPrivate),"visibility":"\(isPrivate ? "PRIVATE" : "PUBLIC")",
            "url":"https://github.com/\(full)","stargazerCount":\(stars),"forkCount":3,
            "issues":{"totalCount":1},"pullRequests":{"totalCount":1},"primaryLanguage":{"name":"Swift"},
            "licenseInfo":{"spdxId":"MIT","name":"MIT License"},
            "repositoryTopics":{"nodes":[{"topic":{"name":"birds"}}]},"isArchived":false,
            "defaultBranchRef":{"name":"trunk"},"pushedAt":"2026-11-01T10:00:00Z",
            "createdAt":"2020-01-01T10:00:00Z","homepageUrl":"https://roost.example","parent":null}
            """
    }

    static func nodes(_ nodes: [String], errors: String? = nil) -> String {
        let said = errors.map { #","errors":[{"message":"\#($0)","type":"NOT_FOUND"}]"# } ?? ""
        return #"{"data":{"rateLimit":{"cost":1},"nodes":[\#(nodes.joined(separator: ","))]}\#(said)}"#
    }

    static func search(_ items: [String], total: Int? = nil, isIncomplete: Bool = false) -> String {
        """
        {"total_count":\(total ?? items.count),"incomplete_results":\(isIncomplete),
        "items":[\(items.joined(separator: ","))]}
        """
    }

    /// The hundred repositories after this id.
    static func page(after since: Int) -> String {
        "[\((1...100).map { item(since + $0) }.joined(separator: ","))]"
    }

    static func name(_ text: String) throws -> RepositoryName {
        guard let name = RepositoryName(text) else { throw NeverCame(what: text) }
        return name
    }

    static func read(_ text: String, now: Date = TestClock.start) throws -> FetchedRepository {
        try RESTRepositoryParser.detail(Data(text.utf8), now: now)
    }

    /// Gives every repository a detail, alone and as a node.
    static func answerAll(_ script: RepositoryScript) {
        script.turn { path, _ in
            guard path.hasPrefix("/repos/owner"), !path.hasSuffix("/readme") else {
                throw RepositoryScript.notFound
            }
            let id = Int(path.dropFirst("/repos/owner".count).prefix { $0.isNumber }) ?? 0
            return .init(status: 200, body: Data(detail(id).utf8))
        }
        script.turn { _, ids in
            nodes(ids.map { node(Int($0.dropFirst(2)) ?? 0) })
        }
    }
}
