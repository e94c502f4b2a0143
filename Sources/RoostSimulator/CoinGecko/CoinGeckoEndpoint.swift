import HTTPServer
import Synchronization

/// Logs requests, checks keys and applies faults in front of a source of CoinGecko responses.
final class CoinGeckoEndpoint: Sendable {
    let plan = FaultPlan()
    let log = RequestLog()
    private let source: any CoinGeckoSource
    private let accessCheck: CoinGeckoAccessCheck
    /// The last large response, kept so that it is compressed once.
    private let prepared = Mutex<(etag: String, response: PreparedResponse)?>(nil)

    init(source: any CoinGeckoSource, keys: SimulatorKeys) {
        self.source = source
        accessCheck = CoinGeckoAccessCheck(keys: keys, errors: source.errors)
    }

    func answer(_ request: Request) async throws -> HandlerResult {
        let simulated = SimulatedRequest(request)
        let clearings = plan.clearings
        let fault = plan.consumeFault(for: simulated.route)
        log.append(
            LoggedRequest(
                method: simulated.method, target: simulated.target, path: simulated.route,
                userAgent: simulated.userAgent, ifNoneMatch: request.headers["If-None-Match"],
                fault: fault?.name,
                query: Dictionary(
                    simulated.query.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
            ))
        // Images are on another host than the API, without key checks.
        let original =
            CoinPicture.answer(simulated) ?? accessCheck.refusal(of: simulated) ?? source.answer(simulated)
        guard let fault else { return makeResult(original) }
        let faulty = FaultyResponse(
            fault: fault, original: original, errors: source.errors, plan: plan, clearings: clearings)
        return .response(try await faulty.response())
    }

    private func makeResult(_ answer: SimulatedResponse) -> HandlerResult {
        guard answer.isStable, let etag = answer.header("ETag") else { return .response(answer.response) }
        return .prepared(
            prepared.withLock { cached in
                if let cached, cached.etag == etag { return cached.response }
                let response = PreparedResponse(answer.response)
                cached = (etag, response)
                return response
            })
    }
}

extension SimulatedRequest {
    init(_ request: Request) {
        self.init(
            method: request.method.rawValue, target: request.target, userAgent: request.headers["User-Agent"],
            demoKey: request.headers["x-cg-demo-api-key"], proKey: request.headers["x-cg-pro-api-key"],
            host: request.headers["Host"])
    }
}
