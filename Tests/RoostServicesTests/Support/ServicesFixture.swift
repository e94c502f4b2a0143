import Foundation
import GRDB
import Logging
import Synchronization
import TestSupport

@testable import HTTPClient
@testable import Market
@testable import RoostServices
@testable import RoostSupport

/// All services over a scripted CoinGecko, with a folder, a clock and a log of their own.
final class ServicesFixture: Sendable {
    let clock = TestClock()
    let log = LogCapture()
    let script: CoinGeckoScript
    let upstream: ScriptedUpstream
    let services: Services
    let folder: String
    let statements: StatementTrace
    private let client: HTTPClient

    init(
        in folder: String, plan: CoinGeckoPlan = .keyless, client options: ClientConfiguration = .init(),
        _ change: (inout Services.Configuration) -> Void = { _ in }
    ) throws {
        self.folder = folder
        try MigratedDatabase.put(into: folder)
        client = HTTPClient(userAgent: "Roost/test", configuration: options)
        let script = CoinGeckoScript { [clock] in clock.now }
        self.script = script
        upstream = try ScriptedUpstream(script.answer)
        let statements = StatementTrace()
        self.statements = statements
        var configuration = Services.Configuration(dataFolder: folder)
        configuration.coinGeckoURL = upstream.url
        configuration.coinGeckoPlan = plan
        configuration.prepareDatabase = .init { $0.trace { statements.keep("\($0)") } }
        change(&configuration)
        services = try Services(configuration, client: client, clock: clock.wallClock, log: log.logger)
    }

    var prices: PriceRefresher { services.prices }
    var status: PriceStatus { services.prices.snapshot.status }

    /// Fetches the coin list, so that coins can be added.
    func loadCoins() async { await services.catalog.refresh() }

    /// The owner, with these coins on his list.
    func owner(watching ids: String...) async throws -> UserID {
        let owner = try await services.owner().userId
        if services.catalog.count == 0 { await loadCoins() }
        for id in ids { try await services.watchlist.add(id, to: owner) }
        return owner
    }

    /// Looks into the database from outside, as another program would.
    func sql<Value: DatabaseValueConvertible>(_ type: Value.Type, _ sql: String) throws -> [Value] {
        try DatabaseFile.open(Services.databasePath(in: folder)).read { try Value.fetchAll($0, sql: sql) }
    }

    func plan(of sql: String) throws -> QueryPlan {
        try DatabaseFile.open(Services.databasePath(in: folder)).read { try QueryPlan(of: sql, $0) }
    }

    /// Changes the database from outside, as another program would.
    func change(_ sql: String) throws {
        try DatabaseFile.open(Services.databasePath(in: folder)).write { try $0.execute(sql: sql) }
    }

    func end() throws {
        upstream.stop()
        client.shutdown()
        try services.close()
    }
}

/// Counts SQL statements.
final class StatementTrace: Sendable {
    private let kept = Mutex<[String]>([])

    var all: [String] { kept.withLock { $0 } }

    func keep(_ statement: String) { kept.withLock { $0.append(statement) } }
}

/// A folder for one test, removed after it.
@discardableResult
func withFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "roost-test-\(UUID().uuidString)")
        .path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try await body(folder)
}

/// Services of a test's own, closed after it.
@discardableResult
func withServices<Value>(
    plan: CoinGeckoPlan = .keyless, _ change: (inout Services.Configuration) -> Void = { _ in },
    _ body: (ServicesFixture) async throws -> Value
) async throws -> Value {
    try await withFolder { folder in
        let fixture = try ServicesFixture(in: folder, plan: plan, change)
        let result: Result<Value, any Error>
        do { result = .success(try await body(fixture)) } catch { result = .failure(error) }
        try fixture.end()
        return try result.get()
    }
}
