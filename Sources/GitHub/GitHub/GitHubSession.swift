package import Foundation
import RoostSupport
import Synchronization

/// Speaks to GitHub for one account: one request at a time, within the limits, with the account's token.
///
/// A 401 disconnects the account; every failure is a `GitHubFailure`, or a `CancellationError` of one's own task.
package final class GitHubSession: Sendable {
    /// A user's click goes before background work.
    package enum Priority: Int, Sendable, Comparable {
        case background, click

        package static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
    }

    package struct Response: Sendable {
        package let status: Int
        package let body: Data
        /// "next" and so on of the `Link` header, each a path with its query below the API's root.
        package let links: [String: String]
        package let etag: String?

        package init(status: Int, body: Data, links: [String: String] = [:], etag: String? = nil) {
            self.status = status
            self.body = body
            self.links = links
            self.etag = etag
        }
    }

    /// What an account keeps when its token is replaced: its place in the queue and its limits.
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
    /// Nil: signed out, sixty requests an hour for all who ask from this address.
    private let token: GitHubToken?
    private let api: GitHubAPI
    private let rejected: @Sendable (GitHubSession) async -> Void
    private let state: Mutex<State>

    /// - Parameter rejected: told once GitHub has answered 401, before the failure is thrown
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

    /// A session that belongs to no account of the database, for tests.
    package convenience init(
        account: GitHubAccountID, host: GitHubHost, login: String, token: GitHubToken?, api: GitHubAPI
    ) {
        self.init(account: account, host: host, login: login, token: token, api: api, rejected: { $0.end() })
    }

    /// The login that the token stands for.
    package var login: String { state.withLock { $0.login } }
    /// "org/team" of the user, as far as the token may see them; nil where it may not, or until they are known.
    package var teams: Set<String>? { state.withLock { $0.teams } }
    /// The latest headers by resource: "core", "search", "graphql".
    package var budgets: [String: RateBudget] { slot.limits.budgets }
    /// What became of its requests since the start.
    package var outcomes: GitHubOutcomes { slot.limits.outcomes }
    /// How many requests wait behind the one that is on its way.
    package var waiting: Int { slot.turns.waiting }
    /// Until when GitHub asked to be left alone with this resource.
    package func blockedUntil(_ resource: String) -> Date? {
        slot.limits.blockedUntil(resource)
    }

    /// A path below the API's root with its query: "/search/issues?q=...". With `etag` a 304 is an answer, with an
    /// empty body. Throws `GitHubFailure`.
    package func get(_ path: String, etag: String? = nil, _ priority: Priority = .background) async throws
        -> Response
    {
        try await get(path, accept: GitHubAPI.json, etag: etag, priority)
    }

    /// Likewise, in another form than JSON: "application/vnd.github.html". Throws `GitHubFailure`.
    package func get(_ path: String, accept: String, etag: String?, _ priority: Priority) async throws
        -> Response
    {
        let reply = try await ask(
            GitHubAPI.resource(of: path), priority, isReadable: { !accept.hasSuffix("json") || !$0.isHTML }
        ) { [api, host, token] in
            try await api.get(path, at: host, token: token, etag: etag, accept: accept)
        }
        return Response(status: reply.status, body: reply.body, links: reply.links, etag: reply.etag)
    }

    /// The whole answer's body: `data` may stand beside `errors`. A limit that GraphQL tells with status 200 is thrown
    /// as such. Throws `GitHubFailure`.
    package func graphQL(
        query: String, variables: [String: GraphQLVariable], _ priority: Priority = .background
    ) async throws -> Data {
        try await ask("graphql", priority, isReadable: \.hasGraphQLData) { [api, host, token] in
            var reply = try await api.graphQL(query: query, variables: variables, at: host, token: token)
            try reply.checkGraphQL(now: api.clock.now())
            return reply
        }.body
    }

    /// Whom the token stands for, asked anew. Throws `GitHubFailure`.
    func user() async throws -> (user: AuthenticatedUser, scopes: Set<String>?) {
        let reply = try await ask("core", .click, isReadable: { !$0.isHTML }) { [api, host, token] in
            try await api.get("/user", at: host, token: token)
        }
        let user = try reply.user()
        state.withLock { $0.login = user.login }
        return (user, reply.scopes)
    }

    /// Asks for the user's teams; unchanged pages cost nothing. Throws `GitHubFailure` where they stay as they were;
    /// that the token may not see them is no failure.
    func refreshTeams() async throws {
        let known = state.withLock { $0.teamPages }
        do {
            let pages = try await GitHubTeams.pages(known: known) { try await self.get($0, etag: $1) }
            state.withLock { state in
                state.teamPages = pages
                state.teams = Set(pages.values.flatMap(\.teams))
            }
        } catch let failure as GitHubFailure
            where [403, 404].contains(failure.status) && failure.rest == .none
        {
            state.withLock { ($0.teams, $0.teamPages) = (nil, [:]) }
        }
    }

    /// Nothing is asked with this token any more.
    func end() { state.withLock { $0.isEnded = true } }

    /// - Parameter isReadable: whether a success brings what was asked for; it is no success for monitoring otherwise
    private func ask(
        _ resource: String, _ priority: Priority, isReadable: (GitHubAPI.Response) -> Bool,
        _ call: @Sendable () async throws -> GitHubAPI.Response
    ) async throws -> GitHubAPI.Response {
        try check(resource)
        return try await slot.turns.take(urgency: priority.rawValue) {
            // What came back meanwhile may have closed the way.
            try check(resource)
            do {
                let reply = try await call()
                slot.limits.note(reply.budget, isReadable: isReadable(reply))
                return reply
            } catch let failure as GitHubFailure {
                throw slot.limits.note(await judged(failure), resource: resource)
            }
        }
    }

    /// A 401 ends the session of the token that it was meant for. Signed out nothing ends: GitHub then says no more than
    /// that this is not for everybody.
    private func judged(_ failure: GitHubFailure) async -> GitHubFailure {
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
