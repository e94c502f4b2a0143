import Synchronization

/// Replays GitHub. All tokens are valid, and searches return everything.
///
/// Responses recorded for the same request are replayed in order. Recorded errors are replayed once activated
/// by name.
final class RecordedGitHub: GitHubSource {
    private let exchanges: [RecordedGitHubResponse]
    private let table: RecordedPulls
    private let repositories: RecordedRepositories
    private let clock: SimulatorClock
    private let signIns = SignInState()
    private let tokens = GitHubTokens()
    private let state = Mutex(State())

    private struct State {
        var turns: [RequestKey: Int] = [:]
        var errors: [(name: String, path: String, count: Int?)] = []
    }

    init(_ recordings: GitHubRecordings, clock: SimulatorClock) {
        exchanges = recordings.exchanges
        table = RecordedPulls(recordings.exchanges)
        repositories = RecordedRepositories(recordings.exchanges)
        self.clock = clock
    }

    convenience init(directory: String, clock: SimulatorClock = .system) {
        self.init(GitHubRecordings(directory: directory), clock: clock)
    }

    var isEmpty: Bool { exchanges.isEmpty }

    /// Folders with a recorded response of status 400 or above: "err_403_secondary".
    var errorNames: [String] {
        Set(exchanges.filter { $0.answer.status >= 400 }.map(\.name)).sorted()
    }

    /// Activates a recorded error.
    ///
    /// - Parameters:
    ///   - path: a prefix of paths; empty for the whole API
    ///   - count: nil until cleared
    /// - Returns: false when there is no such error
    func replay(error name: String, path: String = "", count: Int? = nil) -> Bool {
        guard errorNames.contains(name) else { return false }
        state.withLock { $0.errors.append((name, path, count)) }
        return true
    }

    func clear() { state.withLock { $0.errors = [] } }

    /// Responds without a listener; URLs start with `http://github.test`.
    func answer(_ request: GitHubRequest) -> SimulatedResponse {
        answer(request, at: GitHubBaseURL(web: "http://github.test"))
    }

    func answer(_ request: GitHubRequest, at baseURL: GitHubBaseURL) -> SimulatedResponse {
        guard request.userAgent?.isEmpty == false else { return GitHubResponse.noUserAgent }
        if ["login", "avatars"].contains(request.path.first) {
            let web = GitHubWeb(
                state: signIns, tokens: tokens, world: nil, repositories: nil, now: clock.now())
            return web.answer(request, baseURL) ?? GitHubResponse.notFound
        }
        if let error = error(for: request) { return error }
        guard request.token != nil || !["user", "graphql"].contains(request.path.first) else {
            return GitHubResponse.needsSignIn
        }
        return fresh(replayed(request, baseURL), request)
    }

    func login(of request: GitHubRequest) -> String? {
        guard request.token != nil else { return nil }
        return RawJSON(user(request).answer.body[...])?["login"]?.string
    }

    private func replayed(_ request: GitHubRequest, _ baseURL: GitHubBaseURL) -> SimulatedResponse {
        switch request.path {
        case ["graphql"]:
            let graphQL = RecordedGraphQL(table: table, repositories: repositories, user: user(request))
            return graphQL.answer(request)
        case ["user"]: return user(request).answer
        case ["user", "teams"]:
            let recorded = exchanges.last { $0.path == request.path && $0.answer.status == 200 }
            return recorded?.answer ?? GitHubResponse.json(Array("[]".utf8))
        case ["search", "issues"]: return exact(request) ?? table.search(request, baseURL)
        case ["search", "repositories"]: return exact(request) ?? repositories.search(request, baseURL)
        case ["repositories"]: return list(request, baseURL)
        case ["user", "starred"]: return exact(request) ?? repositories.stars(request, baseURL)
        default: return exact(request) ?? other(request)
        }
    }

    /// Returns the page after `since`, ignoring other parameters. The first page may be recorded with or
    /// without it.
    private func list(_ request: GitHubRequest, _ baseURL: GitHubBaseURL) -> SimulatedResponse {
        let since = request["since"].flatMap { Int($0) } ?? 0
        let targets = since > 0 ? ["?since=\(since)"] : ["", "?since=0"]
        return targets.lazy.compactMap { self.exact("GET", "/repositories\($0)") }.first
            ?? repositories.list(request, baseURL)
    }

    private func other(_ request: GitHubRequest) -> SimulatedResponse {
        switch (request.path.first, request.path.count) {
        case ("repos", 3), ("repositories", 2): return repositories.single(request.path)
        default: return GitHubResponse.notFound
        }
    }

    /// Returns the user whose login is in the token, otherwise the first, or a placeholder if none was
    /// recorded.
    private func user(_ request: GitHubRequest) -> RecordedGitHubResponse {
        let users = exchanges.filter { $0.path == ["user"] && $0.answer.status == 200 }
        let token = request.token?.lowercased() ?? ""
        return users.first { user in
            RawJSON(user.answer.body[...])?["login"]?.string.map { token.contains($0.lowercased()) } ?? false
        } ?? users.first ?? .placeholder
    }

    /// Returns the responses recorded for this request in turn, then the last one.
    private func exact(_ request: GitHubRequest) -> SimulatedResponse? {
        let answer = exact(request.method, request.target)
        return request.path.last == "readme" ? answer.map { RecordedReadme.answer($0, request) } : answer
    }

    private func exact(_ method: String, _ target: String) -> SimulatedResponse? {
        let key = RequestKey(target: target)
        let found = exchanges.filter { $0.key == key && $0.method == method && $0.answer.status < 400 }
        guard !found.isEmpty else { return nil }
        let turn = state.withLock { state in
            defer { state.turns[key, default: 0] += 1 }
            return state.turns[key, default: 0]
        }
        return found[min(turn, found.count - 1)].answer
    }

    private func error(for request: GitHubRequest) -> SimulatedResponse? {
        let name: String? = state.withLock { state in
            guard let index = state.errors.lastIndex(where: { request.route.hasPrefix($0.path) }) else {
                return nil
            }
            let name = state.errors[index].name
            if let count = state.errors[index].count {
                state.errors[index].count = count - 1
                if count <= 1 { state.errors.remove(at: index) }
            }
            return name
        }
        return exchanges.first { $0.name == name && $0.answer.status >= 400 }
            .map { fresh($0.answer, request) }
    }

    /// Sets the limits' reset to an hour (a minute for searches) from now, and returns 304 for unchanged
    /// responses.
    private func fresh(_ answer: SimulatedResponse, _ request: GitHubRequest) -> SimulatedResponse {
        var answer = answer
        if answer.header("X-RateLimit-Remaining") != nil {
            let reset = clock.now() / 1_000 + (request.resource == "search" ? 60 : 3_600)
            answer.headers.append(.init("X-RateLimit-Reset", String(reset)))
        }
        if answer.header("Content-Type") == nil {
            answer.headers.append(.init("Content-Type", "application/json; charset=utf-8"))
        }
        guard let etag = answer.header("ETag")?.replacing("W/", with: ""), answer.status == 200,
            request.ifNoneMatch?.replacing("W/", with: "") == etag
        else { return answer }
        (answer.status, answer.body) = (304, [])
        return answer
    }
}
