import HTTPServer
import Synchronization

/// What stands before a source of CoinGecko answers: the log, the door, the faults.
final class CoinGeckoEndpoint: Sendable {
    let plan = FaultPlan()
    let log = RequestLog()
    private let source: any CoinGeckoSource
    private let door: CoinGeckoListener
    /// The last large answer, compressed once.
    private let prepared = Mutex<(etag: String, response: PreparedResponse)?>(nil)

    init(source: any CoinGeckoSource, keys: SimulatorKeys) {
        self.source = source
        door = CoinGeckoListener(keys: keys, errors: source.errors)
    }

    func answer(_ request: Request) async throws -> HandlerResult {
        let simulated = SimulatedRequest(request)
        let clearings = plan.clearings
        let fault = plan.take(for: simulated.route)
        log.append(
            LoggedRequest(
                method: simulated.method, target: simulated.target, path: simulated.route,
                userAgent: simulated.userAgent, ifNoneMatch: request.headers["If-None-Match"],
                fault: fault?.name,
                query: Dictionary(
                    simulated.query.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
            ))
        // Pictures have another host than the API, which knows no keys.
        let truth = CoinPicture.answer(simulated) ?? door.refusal(of: simulated) ?? source.answer(simulated)
        guard let fault else { return keep(truth) }
        let spoiled = FaultyResponse(
            fault: fault, truth: truth, errors: source.errors, plan: plan, clearings: clearings)
        return .response(try await spoiled.response())
    }

    private func keep(_ answer: SimulatedResponse) -> HandlerResult {
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
