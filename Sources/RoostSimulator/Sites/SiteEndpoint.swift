import HTTPServer

/// What stands before the simulated sites: the log, the faults, and the time that they take.
final class SiteEndpoint: Sendable {
    let plan = FaultPlan()
    private let log: RequestLog
    private let sites: SiteSimulation

    init(sites: SiteSimulation, log: RequestLog) {
        self.sites = sites
        self.log = log
    }

    /// Requests under a site's name are the site's, all others CoinGecko's.
    func routes(before coinGecko: CoinGeckoEndpoint) -> [Route] {
        ["/", "/{...path}"].map { path in
            Route(
                .get, path,
                .async { request in
                    let asked = SiteRequest(request)
                    guard SiteSimulation.isHost(asked.host) else {
                        return try await coinGecko.answer(request)
                    }
                    return .response(try await self.answer(asked))
                })
        }
    }

    /// - Throws: `CancellationError` when the client leaves first.
    private func answer(_ request: SiteRequest) async throws -> Response {
        let address = request.address
        let clearings = plan.clearings
        let fault = plan.take(for: address) ?? sites.fault(at: address)
        log.append(
            LoggedRequest(
                method: request.method, target: request.target, path: address, userAgent: request.userAgent,
                ifNoneMatch: nil, fault: fault?.name,
                query: Dictionary(
                    request.items.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })))
        let delay = sites.delay(at: address)
        if delay > .zero { try await Task.sleep(for: delay) }
        let truth = sites.answer(request)
        guard let fault else { return truth.response }
        return try await FaultyResponse(
            fault: fault, truth: truth, errors: CoinGeckoErrors(), plan: plan, clearings: clearings
        ).response()
    }
}
