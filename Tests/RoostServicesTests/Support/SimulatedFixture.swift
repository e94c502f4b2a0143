import Foundation
import TestSupport

@testable import HTTPClient
@testable import Market
@testable import RoostServices
@testable import RoostSimulator
@testable import RoostSupport

/// All services against the simulated CoinGecko and web sites, all by the machine's clock or a test's.
final class SimulatedFixture: Sendable {
    let simulator: Simulator
    let services: Services
    let log = LogCapture()
    private let client: HTTPClient

    init(in folder: String, recordings: Recordings? = nil, clock: TestClock? = nil) throws {
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
        services = try Services(
            configuration, client: client, clock: clock?.wallClock ?? WallClock(), log: log.logger)
    }

    var status: PriceStatus { services.prices.snapshot.status }

    func price(_ id: String) -> Decimal? { services.prices.snapshot.board[id]?.quote.coin.currentPrice }

    /// The owner, with these coins on his list and their first prices here.
    func owner(watching ids: String...) async throws -> UserID {
        let owner = try await services.owner().userId
        await services.catalog.refresh()
        for id in ids { try await services.watchlist.add(id, to: owner) }
        await services.prices.refresh()
        return owner
    }

    func end() async throws {
        client.shutdown()
        await simulator.stop()
        try services.close()
    }
}

/// Services over a simulator of a test's own.
func withSimulator(
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
