package import Foundation
import HTTPClient
package import Market
package import RoostServices
package import RoostSimulator
package import RoostSupport

/// All services with the simulated CoinGecko and web sites, all using the machine's clock or a test's.
package final class SimulatedFixture: Sendable {
    package let simulator: Simulator
    package let services: Services
    package let log = LogCapture()
    private let client: HTTPClient

    package init(in folder: String, recordings: Recordings? = nil, clock: TestClock? = nil) throws {
        let time = clock.map { clock in SimulatorClock { Int(clock.now.timeIntervalSince1970 * 1_000) } }
        simulator = try Simulator(
            SimulatorConfiguration(clock: time ?? .system, listedCoins: 500, recordings: recordings))
        try simulator.start()
        var options = ClientConfiguration()
        if let target = HostTarget(simulator.address) {
            options.hostMap = Dictionary(uniqueKeysWithValues: SimulatedSite.hosts.map { ($0, target) })
        }
        client = HTTPClient(userAgent: "Roost/test", configuration: options)
        try MigratedDatabase.put(into: folder)
        var configuration = Services.Configuration(dataFolder: folder)
        configuration.coinGeckoURL = simulator.coinGeckoURL
        // A test that reads PDFs brings the programs.
        configuration.pdfFolders = []
        services = try Services(
            configuration, client: client, clock: clock?.wallClock ?? WallClock(), log: log.logger)
    }

    package var status: PriceStatus { services.market.prices.snapshot.status }

    package func price(_ id: String) -> Decimal? {
        services.market.prices.snapshot.table[id]?.quote.coin.currentPrice
    }

    /// The owner, with these coins on their list and the first prices fetched.
    package func owner(watching ids: String...) async throws -> UserID {
        let owner = try await services.owner().userId
        await services.market.catalog.refresh()
        for id in ids { try await services.market.watchlist.add(id, to: owner) }
        await services.market.prices.refresh()
        return owner
    }

    package func end() async throws {
        client.shutdown()
        await simulator.stop()
        try services.close()
    }
}

/// Runs the body with services and their own simulator.
package func withSimulator(
    _ recordings: Recordings? = nil, clock: TestClock? = nil,
    _ body: (SimulatedFixture) async throws -> Void
) async throws {
    try await withFolder { folder in
        let fixture = try SimulatedFixture(in: folder, recordings: recordings, clock: clock)
        let result: Result<Void, any Error>
        do { result = .success(try await body(fixture)) } catch { result = .failure(error) }
        try await fixture.end()
        try result.get()
    }
}
