import HTTPServer
import Synchronization

/// Adds logging and faults to a source of GitHub responses.
final class GitHubEndpoint: Sendable {
    let plan = FaultPlan()
    private let log: RequestLog
    private let source: any GitHubSource
    private let clock: SimulatorClock
    private let baseURL = Mutex(GitHubBaseURL(web: ""))

    init(source: any GitHubSource, log: RequestLog, clock: SimulatorClock) {
        self.source = source
        self.log = log
        self.clock = clock
    }

    func setBaseURL(web: String) { baseURL.withLock { $0 = GitHubBaseURL(web: web) } }

    var routes: [Route] {
        // Pages, the API and GraphQL only differ by path.
        ["/", "/{...path}"].flatMap { path in
            [
                Route(.get, path, .async { try await self.answer($0) })
            ]
                + [HTTPServer.Method.post, .put, .patch].map { method in
                    Route(method, path, bodyLimit: 1_048_576, .async { try await self.answer($0) })
                }
        }
    }

    private func answer(_ request: Request) async throws -> HandlerResult {
        let gitHubRequest = GitHubRequest(request)
        let clearings = plan.clearings
        let fault = plan.consumeFault(for: gitHubRequest.route) { fault in
            if case .gitHub(let own, _) = fault { own.applies(to: gitHubRequest) } else { true }
        }
        logRequest(gitHubRequest, fault)
        if case .gitHub(let own, _) = fault, own.isAboutActs {
            return .response(GitHubFaultyResponse.refusal(own).response)
        }
        let original = source.answer(gitHubRequest, at: baseURL.withLock { $0 })
        guard let fault else { return .response(original.response) }
        if let own = GitHubFaultyResponse(fault: fault, original: original, now: clock.now()).answer {
            return .response(own.response)
        }
        let faulty = FaultyResponse(
            fault: fault, original: original, errors: CoinGeckoErrors(), plan: plan, clearings: clearings)
        return .response(try await faulty.response())
    }

    private func logRequest(_ request: GitHubRequest, _ fault: Fault?) {
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
