import Synchronization

/// Simulates GitHub: people, repositories and pull requests that change over time, tokens and limits.
///
/// The data is generated on the first request.
package final class GitHubSimulation: GitHubSource {
    let world: GitHubWorld
    package let repositories: RepositoryIndex
    let tokens = GitHubTokens()
    let budgets: GitHubBudgets
    let signIns = SignInState()
    private let clock: SimulatorClock
    /// Heads that were asked for `mergeable`. GitHub starts to compute it when first asked.
    private let merges = Mutex<[String: Int]>([:])

    init(seed: UInt64, clock: SimulatorClock = .system) {
        world = GitHubWorld(seed: seed, clock: clock)
        repositories = RepositoryIndex(seed: seed, clock: clock)
        budgets = GitHubBudgets(clock: clock)
        self.clock = clock
    }

    /// Responds without a listener; URLs start with `http://github.test`.
    func answer(_ request: GitHubRequest) -> SimulatedResponse {
        answer(request, at: GitHubBaseURL(web: "http://github.test"))
    }

    /// Adds a token for a login; nil `scopes` make it a fine-grained one.
    func add(token: String, login: String, scopes: [String]?) {
        tokens.add(token, GitHubCaller(login: login, scopes: scopes))
    }

    /// Sets what remains of "core", "search" or "graphql" until the reset.
    ///
    /// - Parameter login: nil for signed-out callers
    func setRemaining(_ remaining: Int, of resource: String, to login: String?) {
        budgets.setRemaining(remaining, of: resource, to: login)
    }

    /// Sets a limit; nil restores GitHub's own.
    ///
    /// - Parameter login: nil for signed-out callers
    func setLimit(_ limit: Int?, of resource: String, to login: String?) {
        budgets.setLimit(limit, of: resource, to: login)
    }

    func login(of request: GitHubRequest) -> String? { request.token.flatMap { tokens.caller($0) }?.login }

    func answer(_ request: GitHubRequest, at baseURL: GitHubBaseURL) -> SimulatedResponse {
        let hasAgent = request.userAgent?.isEmpty == false
        guard hasAgent else { return GitHubResponse.noUserAgent }
        if !request.isBelowAPI, !Self.apiPaths.contains(request.path.first ?? "-") {
            let web = GitHubWeb(
                state: signIns, tokens: tokens, world: world, repositories: repositories, now: clock.now())
            if let answer = web.answer(request, baseURL) { return answer }
        }
        return api(request, baseURL)
    }

    /// API paths that also work at the root.
    private static let apiPaths: Set = [
        "user", "users", "search", "rate_limit", "repos", "repositories", "graphql",
    ]

    private func api(_ request: GitHubRequest, _ baseURL: GitHubBaseURL) -> SimulatedResponse {
        let caller = request.token.map { tokens.caller($0) } ?? .anonymous
        guard let caller else { return badCredentials(request) }
        let window = budgets.spend(0, on: request.resource, by: caller.login)
        if request.resource == "graphql" {
            return request.method == "POST"
                ? addingLimits(graphQL(request, caller, baseURL), request, caller) : GitHubResponse.notFound
        }
        if request.method != "GET" {
            _ = budgets.spend(1, on: request.resource, by: caller.login)
            let acts = GitHubActs(world: world, caller: caller, baseURL: baseURL)
            return addingLimits(acts.answer(request), request, caller)
        }
        guard window.remaining > 0 || request.path == ["rate_limit"] else {
            return addingLimits(GitHubResponse.limited(caller), request, caller)
        }
        let rest = GitHubREST(
            moment: world.moment(), repositories: repositories.moment(), caller: caller, baseURL: baseURL,
            budgets: budgets)
        let answer = rest.answer(request)
        // A 304 is free for authorised requests (docs.github.com, "Conditional requests").
        if let unchanged = unchanged(answer, request) {
            if caller.login == nil { _ = budgets.spend(1, on: request.resource, by: nil) }
            return addingLimits(unchanged, request, caller)
        }
        if request.path != ["rate_limit"] { _ = budgets.spend(1, on: request.resource, by: caller.login) }
        return addingLimits(answer, request, caller)
    }

    private func graphQL(
        _ request: GitHubRequest, _ caller: GitHubCaller, _ baseURL: GitHubBaseURL
    ) -> SimulatedResponse {
        if let answer = GitHubMutations(world: world, caller: caller).answer(request) { return answer }
        // Within one query, the same head gets the same value.
        let before = merges.withLock { $0 }
        let graphQL = GitHubGraphQL(
            moment: world.moment(), repositories: repositories.moment(), caller: caller, baseURL: baseURL,
            budgets: budgets
        ) { [self] pull in
            let head = "\(pull.id)/\(pull.head.oid)"
            merges.withLock { $0[head] = 1 }
            return before[head] != nil
        }
        return graphQL.answer(request)
    }

    /// Reports the limits of a signed-out caller (recorded 2020-03).
    private func badCredentials(_ request: GitHubRequest) -> SimulatedResponse {
        addingLimits(GitHubResponse.badCredentials, request, .anonymous)
    }

    private func unchanged(_ answer: SimulatedResponse, _ request: GitHubRequest) -> SimulatedResponse? {
        guard let etag = answer.header("ETag"), let ifNoneMatch = request.ifNoneMatch else { return nil }
        let plain = etag.replacing("W/", with: "")
        guard
            ifNoneMatch.split(separator: ",").contains(where: {
                $0.replacing("W/", with: "").filter { $0 != " " } == plain
            })
        else { return nil }
        // The tag is weak with 200 and strong with 304 (recorded).
        return SimulatedResponse(status: 304, headers: [.init("ETag", plain)], body: [])
    }

    private func addingLimits(
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

    func restore() {
        tokens.restore()
        budgets.restore()
        world.restore()
        repositories.restore()
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

protocol GitHubSource: Sendable {
    /// Returns the response without faults. `baseURL` is GitHub's base URL.
    func answer(_ request: GitHubRequest, at baseURL: GitHubBaseURL) -> SimulatedResponse

    func login(of request: GitHubRequest) -> String?
}
