import Synchronization

/// GitHub as it could be at a moment: people, repositories and pull requests that move, tokens and limits.
///
/// Nothing is made before the first question.
package final class GitHubSimulation: GitHubSource {
    let world: GitHubWorld
    package let repositories: RepositoryIndex
    let tokens = GitHubTokens()
    let budgets: GitHubBudgets
    let signIns = SignInState()
    private let clock: SimulatorClock
    /// How often each head was asked whether it merges; GitHub begins to find out when first asked.
    private let merges = Mutex<[String: Int]>([:])

    init(seed: UInt64, clock: SimulatorClock = .system) {
        world = GitHubWorld(seed: seed, clock: clock)
        repositories = RepositoryIndex(seed: seed, clock: clock)
        budgets = GitHubBudgets(clock: clock)
        self.clock = clock
    }

    /// Without a listener; its addresses begin with `http://github.test`.
    func answer(_ request: GitHubRequest) -> SimulatedResponse {
        answer(request, at: GitHubBaseURL(web: "http://github.test"))
    }

    /// A token for a login of the cast; `scopes` nil makes it a fine-grained one.
    func add(token: String, login: String, scopes: [String]?) {
        tokens.add(token, GitHubCaller(login: login, scopes: scopes))
    }

    /// So much is left of "core", "search" or "graphql" until its reset.
    ///
    /// - Parameter login: nil: whoever asks signed out
    func leave(_ remaining: Int, of resource: String, to login: String?) {
        budgets.leave(remaining, of: resource, to: login)
    }

    /// Another limit than GitHub's own; nil: GitHub's own again.
    ///
    /// - Parameter login: nil: whoever asks signed out
    func setLimit(_ limit: Int?, of resource: String, to login: String?) {
        budgets.setLimit(limit, of: resource, to: login)
    }

    /// Whose token the request has; nil: signed out, or a token that is not good.
    func login(of request: GitHubRequest) -> String? { request.token.flatMap { tokens.caller($0) }?.login }

    func answer(_ request: GitHubRequest, at place: GitHubBaseURL) -> SimulatedResponse {
        let hasAgent = request.userAgent?.isEmpty == false
        guard hasAgent else { return GitHubResponse.noUserAgent }
        if !request.isBelowAPI, !Self.apiPaths.contains(request.path.first ?? "-") {
            let web = GitHubWeb(
                state: signIns, tokens: tokens, world: world, repositories: repositories, now: clock.now())
            if let answer = web.answer(request, place) { return answer }
        }
        return api(request, place)
    }

    /// What the bare root shares with the API.
    private static let apiPaths: Set = [
        "user", "users", "search", "rate_limit", "repos", "repositories", "graphql",
    ]

    private func api(_ request: GitHubRequest, _ place: GitHubBaseURL) -> SimulatedResponse {
        let caller = request.token.map { tokens.caller($0) } ?? .nobody
        guard let caller else { return badCredentials(request) }
        let window = budgets.spend(0, on: request.resource, by: caller.login)
        if request.resource == "graphql" {
            return request.method == "POST"
                ? marked(graphQL(request, caller, place), request, caller) : GitHubResponse.notFound
        }
        guard request.method == "GET" else { return GitHubResponse.notFound }
        guard window.remaining > 0 || request.path == ["rate_limit"] else {
            return marked(GitHubResponse.limited(caller), request, caller)
        }
        let rest = GitHubREST(
            moment: world.moment(), repositories: repositories.moment(), caller: caller, place: place,
            budgets: budgets)
        let answer = rest.answer(request)
        // Source: docs.github.com, "Conditional requests": a 304 is free when the request is authorised.
        if let unchanged = unchanged(answer, request) {
            if caller.login == nil { _ = budgets.spend(1, on: request.resource, by: nil) }
            return marked(unchanged, request, caller)
        }
        if request.path != ["rate_limit"] { _ = budgets.spend(1, on: request.resource, by: caller.login) }
        return marked(answer, request, caller)
    }

    private func graphQL(
        _ request: GitHubRequest, _ caller: GitHubCaller, _ place: GitHubBaseURL
    ) -> SimulatedResponse {
        // Within one query the same head gets the same answer, however often it is found.
        let before = merges.withLock { $0 }
        let graphQL = GitHubGraphQL(
            moment: world.moment(), repositories: repositories.moment(), caller: caller, place: place,
            budgets: budgets
        ) { [self] pull in
            let head = "\(pull.id)/\(pull.head.oid)"
            merges.withLock { $0[head] = 1 }
            return before[head] != nil
        }
        return graphQL.answer(request)
    }

    /// As the signed-out caller that it is (recorded 2020-03).
    private func badCredentials(_ request: GitHubRequest) -> SimulatedResponse {
        marked(GitHubResponse.badCredentials, request, .nobody)
    }

    private func unchanged(_ answer: SimulatedResponse, _ request: GitHubRequest) -> SimulatedResponse? {
        guard let etag = answer.header("ETag"), let asked = request.ifNoneMatch else { return nil }
        let plain = etag.replacing("W/", with: "")
        guard
            asked.split(separator: ",").contains(where: {
                $0.replacing("W/", with: "").filter { $0 != " " } == plain
            })
        else { return nil }
        // 200 sends the tag weak, 304 strong [recorded].
        return SimulatedResponse(status: 304, headers: [.init("ETag", plain)], body: [])
    }

    /// With the limits' headers, and those that tell of the token.
    private func marked(
        _ answer: SimulatedResponse, _ request: GitHubRequest, _ caller: GitHubCaller
    ) -> SimulatedResponse {
        let window = budgets.spend(0, on: request.resource, by: caller.login)
        var answer = answer
        answer.headers += GitHubHeaders.limits(window, request.resource)
        if let scopes = caller.scopes, caller.login != nil {
            answer.headers.append(.init("X-OAuth-Scopes", scopes.joined(separator: ", ")))
            answer.headers.append(.init("X-Accepted-OAuth-Scopes", ""))
        }
        return answer
    }

    /// As on the first day: tokens, limits and what was ordered.
    func restore() {
        tokens.restore()
        budgets.restore()
        world.forgetOrders()
        repositories.forgetOrders()
        signIns.restore()
        merges.withLock { $0 = [:] }
    }
}

enum GitHubHeaders {
    static func limits(_ window: GitHubBudgets.Window, _ resource: String) -> [SimulatedResponse.Header] {
        [
            .init("X-RateLimit-Limit", String(window.limit)),
            .init("X-RateLimit-Remaining", String(window.remaining)),
            .init("X-RateLimit-Used", String(window.used)),
            .init("X-RateLimit-Reset", String(window.resetSecond)),
            .init("X-RateLimit-Resource", resource),
            .init("X-GitHub-Request-Id", "C0DE:1234:5678:9ABC:DEF0"),
        ]
    }
}

/// Something that answers as GitHub: the simulation, or a folder of recordings.
protocol GitHubSource: Sendable {
    /// The truth, before any fault; `place` is where GitHub is reached.
    func answer(_ request: GitHubRequest, at place: GitHubBaseURL) -> SimulatedResponse

    /// Who asks, for the log; nil: signed out.
    func login(of request: GitHubRequest) -> String?
}
