import HTTPServer
import Synchronization

/// What stands before a source of GitHub's answers: the log and the faults.
final class GitHubEndpoint: Sendable {
    let plan = FaultPlan()
    private let log: RequestLog
    private let source: any GitHubSource
    private let clock: SimulatorClock
    /// Known only when the listener listens.
    private let place = Mutex(GitHubBaseURL(web: ""))

    init(source: any GitHubSource, log: RequestLog, clock: SimulatorClock) {
        self.source = source
        self.log = log
        self.clock = clock
    }

    func setBaseURL(web: String) { place.withLock { $0 = GitHubBaseURL(web: web) } }

    var routes: [Route] {
        // A person's page, the API and GraphQL differ in nothing but their paths.
        ["/", "/{...path}"].flatMap { path in
            [
                Route(.get, path, .async { try await self.answer($0) }),
                Route(.post, path, bodyLimit: 1_048_576, .async { try await self.answer($0) }),
            ]
        }
    }

    private func answer(_ request: Request) async throws -> HandlerResult {
        let asked = GitHubRequest(request)
        let clearings = plan.clearings
        let fault = plan.take(for: asked.route) { fault in
            if case .gitHub(let own, _) = fault { own.strikes(asked) } else { true }
        }
        note(asked, fault)
        let truth = source.answer(asked, at: place.withLock { $0 })
        guard let fault else { return .response(truth.response) }
        if let own = GitHubFaultyResponse(fault: fault, truth: truth, now: clock.now()).answer {
            return .response(own.response)
        }
        let spoiled = FaultyResponse(
            fault: fault, truth: truth, errors: CoinGeckoErrors(), plan: plan, clearings: clearings)
        return .response(try await spoiled.response())
    }

    private func note(_ request: GitHubRequest, _ fault: Fault?) {
        log.append(
            LoggedRequest(
                method: request.method, target: request.target, path: request.route,
                userAgent: request.userAgent, ifNoneMatch: request.ifNoneMatch, fault: fault?.name,
                query: Dictionary(
                    request.query.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }),
                body: request.path == ["graphql"] ? String(decoding: request.body, as: UTF8.self) : nil,
                login: source.login(of: request)))
    }
}
