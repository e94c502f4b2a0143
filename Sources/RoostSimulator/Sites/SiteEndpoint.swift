import HTTPServer

/// Adds logging, faults and delays to the simulated sites.
final class SiteEndpoint: Sendable {
    let plan = FaultPlan()
    private let log: RequestLog
    private let sites: SiteSimulation

    init(sites: SiteSimulation, log: RequestLog) {
        self.sites = sites
        self.log = log
    }

    /// Sends requests with a site's host name to the site, all others to CoinGecko.
    func routes(before coinGecko: CoinGeckoEndpoint) -> [Route] {
        ["/", "/{...path}"].map { path in
            Route(
                .get, path,
                .async { request in
                    let siteRequest = SiteRequest(request)
                    guard SiteSimulation.isHost(siteRequest.host) else {
                        return try await coinGecko.answer(request)
                    }
                    return .response(try await self.answer(siteRequest))
                })
        }
    }

    /// - Throws: `CancellationError` when the client disconnects first.
    private func answer(_ request: SiteRequest) async throws -> Response {
        let address = request.address
        let clearings = plan.clearings
        let fault = plan.consumeFault(for: address) ?? sites.fault(at: address)
        log.append(
            LoggedRequest(
                method: request.method, target: request.target, path: address, userAgent: request.userAgent,
                ifNoneMatch: nil, fault: fault?.name,
                query: Dictionary(
                    request.items.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })))
        let delay = sites.delay(at: address)
        if delay > .zero { try await Task.sleep(for: delay) }
        let original = sites.answer(request)
        guard let fault else { return original.response }
        return try await FaultyResponse(
            fault: fault, original: original, errors: CoinGeckoErrors(), plan: plan, clearings: clearings
        ).response()
    }
}
