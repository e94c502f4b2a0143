package import Foundation
import RoostSupport
import Synchronization

/// Sends one account's requests to GitHub with its token, one at a time and within the limits.
///
/// A 401 disconnects the account. Throws `GitHubFailure`, or `CancellationError` if the caller's task is cancelled.
package final class GitHubSession: Sendable {
    package enum Priority: Int, Sendable, Comparable {
        case background, click

        package static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
    }

    package struct Response: Sendable {
        package let status: Int
        package let body: Data
        /// The `Link` header by relation ("next"), each a path below the API's root with its query.
        package let links: [String: String]
        package let etag: String?

        package init(status: Int, body: Data, links: [String: String] = [:], etag: String? = nil) {
            self.status = status
            self.body = body
            self.links = links
            self.etag = etag
        }
    }

    /// The request queue and limits, which an account keeps when its token is replaced.
    struct RequestSlot: Sendable {
        let turns = PrioritySemaphore()
        let limits: GitHubLimits

        init(clock: WallClock) {
            limits = GitHubLimits(clock: clock)
        }
    }

    private struct State {
        var login: String
        var teams: Set<String>?
        var teamPages: [String: GitHubTeams.Page] = [:]
        var isEnded = false
    }

    package let account: GitHubAccountID
    package let host: GitHubHost
    let slot: RequestSlot
    /// Nil for unauthenticated requests: GitHub allows 60 an hour per IP address.
    private let token: GitHubToken?
    private let api: GitHubAPI
    private let rejected: @Sendable (GitHubSession) async -> Void
    private let state: Mutex<State>

    init(
        account: GitHubAccountID, host: GitHubHost, login: String, token: GitHubToken?, api: GitHubAPI,
        slot: RequestSlot? = nil,
        rejected: @escaping @Sendable (GitHubSession) async -> Void
    ) {
        self.account = account
        self.host = host
        self.token = token
        self.api = api
        self.slot = slot ?? RequestSlot(clock: api.clock)
        self.rejected = rejected
        state = Mutex(State(login: login))
    }

    /// For tests: the account is not in the database.
    package convenience init(
        account: GitHubAccountID, host: GitHubHost, login: String, token: GitHubToken?, api: GitHubAPI
    ) {
        self.init(account: account, host: host, login: login, token: token, api: api, rejected: { $0.end() })
    }

    package var login: String { state.withLock { $0.login } }
    /// The user's teams as "org/team", or nil if the token may not see them or they have not loaded.
    package var teams: Set<String>? { state.withLock { $0.teams } }
    package var budgets: [String: RateBudget] { slot.limits.budgets }
    package var outcomes: GitHubOutcomes { slot.limits.outcomes }
    package var waiting: Int { slot.turns.waiting }
    package func blockedUntil(_ resource: String) -> Date? {
        slot.limits.blockedUntil(resource)
    }

    /// Fetches a path below the API's root, with its query: "/search/issues?q=...". With `etag`, a 304 is a success
    /// with an empty body. Throws `GitHubFailure`.
    package func get(_ path: String, etag: String? = nil, _ priority: Priority = .background) async throws
        -> Response
    {
        try await get(path, accept: GitHubAPI.json, etag: etag, priority)
    }

    /// Fetches another media type than JSON, such as "application/vnd.github.html". Throws `GitHubFailure`.
    package func get(_ path: String, accept: String, etag: String?, _ priority: Priority) async throws
        -> Response
    {
        let reply = try await send(
            GitHubAPI.resource(of: path), priority, isReadable: { !accept.hasSuffix("json") || !$0.isHTML }
        ) { [api, host, token] in
            try await api.get(path, at: host, token: token, etag: etag, accept: accept)
        }
        return Response(status: reply.status, body: reply.body, links: reply.links, etag: reply.etag)
    }

    /// Returns the whole response body, which may have both `data` and `errors`. Throws `GitHubFailure`, also for rate
    /// limits that GraphQL reports with status 200.
    package func graphQL(
        query: String, variables: [String: GraphQLVariable], _ priority: Priority = .background
    ) async throws -> Data {
        try await send("graphql", priority, isReadable: \.hasGraphQLData) { [api, host, token] in
            var reply = try await api.graphQL(query: query, variables: variables, at: host, token: token)
            try reply.checkGraphQL(now: api.clock.now())
            return reply
        }.body
    }

    /// Sends a request that changes something, with a JSON body. Throws `GitHubFailure`.
    package func act(_ method: String, _ path: String, body: Data) async throws -> Response {
        let reply = try await send("core", .click, isReadable: { !$0.isHTML }) { [api, host, token] in
            try await api.act(method, path, body: body, at: host, token: token)
        }
        return Response(status: reply.status, body: reply.body)
    }

    func user() async throws -> (user: AuthenticatedUser, scopes: Set<String>?) {
        let reply = try await send("core", .click, isReadable: { !$0.isHTML }) { [api, host, token] in
            try await api.get("/user", at: host, token: token)
        }
        let user = try reply.user()
        state.withLock { $0.login = user.login }
        return (user, reply.scopes)
    }

    /// Fetches the user's teams; unchanged pages cost nothing. Throws `GitHubFailure` and keeps the previous teams,
    /// except that a token without access to teams is not an error.
    func refreshTeams() async throws {
        let cached = state.withLock { $0.teamPages }
        do {
            let pages = try await GitHubTeams.pages(cached: cached) { try await self.get($0, etag: $1) }
            state.withLock { state in
                state.teamPages = pages
                state.teams = Set(pages.values.flatMap(\.teams))
            }
        } catch let failure as GitHubFailure
            where [403, 404].contains(failure.status) && failure.limitScope == .none
        {
            state.withLock { ($0.teams, $0.teamPages) = (nil, [:]) }
        }
    }

    func end() { state.withLock { $0.isEnded = true } }

    /// - Parameter isReadable: whether the body of a success is what was requested; if not, monitoring counts a failure
    private func send(
        _ resource: String, _ priority: Priority, isReadable: (GitHubAPI.Response) -> Bool,
        _ call: @Sendable () async throws -> GitHubAPI.Response
    ) async throws -> GitHubAPI.Response {
        try check(resource)
        return try await slot.turns.run(urgency: priority.rawValue) {
            // The previous request may have hit a limit or ended the session.
            try check(resource)
            do {
                let reply = try await call()
                slot.limits.note(reply.budget, isReadable: isReadable(reply))
                return reply
            } catch let failure as GitHubFailure {
                throw slot.limits.note(await handleUnauthorized(failure), resource: resource)
            }
        }
    }

    /// Ends the session after a 401. Without a token, a 401 only means that the resource is not public.
    private func handleUnauthorized(_ failure: GitHubFailure) async -> GitHubFailure {
        guard failure.error == .unauthorized else { return failure }
        guard token == nil else {
            await rejected(self)
            return failure
        }
        return GitHubFailure(error: .forbidden, status: failure.status, detail: failure.detail)
    }

    private func check(_ resource: String) throws {
        guard !state.withLock({ $0.isEnded }) else { throw GitHubFailure(error: .unauthorized) }
        guard let until = blockedUntil(resource) else { return }
        throw GitHubFailure(
            error: .rateLimited(resetDate: until), retryAfter: until.timeIntervalSince(api.clock.now()),
            detail: "not asked: GitHub’s limit for \(resource)")
    }
}

/// The teams of a token's user, page by page (`GET /user/teams`).
enum GitHubTeams {
    struct Page: Sendable, Equatable {
        let etag: String?
        let teams: Set<String>
        let next: String?
    }

    private struct Item: Decodable, Sendable {
        struct Organization: Decodable, Sendable { let login: String }
        let slug: String
        let organization: Organization
    }

    private static let first = "/user/teams?per_page=100"
    private static let maximumPages = 20

    /// Fetches all pages, by path; unchanged ones come from `cached`. Throws the errors of `get`, and `GitHubFailure`
    /// for a response that isn't a list.
    static func pages(
        cached: [String: Page], get: (_ path: String, _ etag: String?) async throws -> GitHubSession.Response
    ) async throws -> [String: Page] {
        var pages: [String: Page] = [:]
        var path: String? = first
        while let current = path, pages[current] == nil, pages.count < maximumPages {
            let answer = try await get(current, cached[current]?.etag)
            let page = answer.status == 304 ? cached[current] : try page(of: answer)
            pages[current] = page
            path = page?.next
        }
        return pages
    }

    private static func page(of answer: GitHubSession.Response) throws -> Page {
        guard let list = try? UpstreamJSON.decode(LossyArray<Item>.self, from: answer.body) else {
            throw GitHubFailure(
                error: .invalidResponse(statusCode: answer.status), status: answer.status,
                detail: "not a list of teams")
        }
        let teams = list.items.map { "\($0.organization.login)/\($0.slug)" }.filter { $0.utf8.count <= 300 }
            .prefix(100)
        return Page(etag: answer.etag, teams: Set(teams), next: answer.links["next"])
    }
}
