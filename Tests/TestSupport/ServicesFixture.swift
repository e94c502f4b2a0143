import Foundation
package import GRDB
package import HTTPClient
import Logging
package import Market
package import RoostServices
package import RoostSupport
import Synchronization

/// All services with a scripted CoinGecko, and a folder, a clock and a log of their own.
package final class ServicesFixture: Sendable {
    package let clock = TestClock()
    package let log = LogCapture()
    package let script: CoinGeckoScript
    package let upstream: ScriptedUpstream
    package let services: Services
    package let folder: String
    package let statements: StatementTrace
    private let client: HTTPClient

    package init(
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
        // A test that reads PDFs brings the programs.
        configuration.pdfFolders = []
        configuration.prepareDatabase = .init { $0.trace { statements.keep("\($0)") } }
        change(&configuration)
        services = try Services(configuration, client: client, clock: clock.wallClock, log: log.logger)
    }

    package var prices: PriceRefresher { services.market.prices }
    package var status: PriceStatus { services.market.prices.snapshot.status }

    /// Fetches the coin list, so that coins can be added.
    package func loadCoins() async { await services.market.catalog.refresh() }

    /// The owner, with these coins on their list.
    package func owner(watching ids: String...) async throws -> UserID {
        let owner = try await services.owner().userId
        if services.market.catalog.count == 0 { await loadCoins() }
        for id in ids { try await services.market.watchlist.add(id, to: owner) }
        return owner
    }

    /// Reads the database as another program would.
    package func sql<Value: DatabaseValueConvertible>(_ type: Value.Type, _ sql: String) throws -> [Value] {
        try DatabaseFile.open(folder + "/" + Database.fileName).read { try Value.fetchAll($0, sql: sql) }
    }

    package func plan(of sql: String) throws -> QueryPlan {
        try DatabaseFile.open(folder + "/" + Database.fileName).read { try QueryPlan(of: sql, $0) }
    }

    /// Changes the database as another program would.
    package func change(_ sql: String) throws {
        try DatabaseFile.open(folder + "/" + Database.fileName).write { try $0.execute(sql: sql) }
    }

    package func end() throws {
        upstream.stop()
        client.shutdown()
        try services.close()
    }
}

/// Counts SQL statements.
package final class StatementTrace: Sendable {
    private let kept = Mutex<[String]>([])

    package init() {}

    package var all: [String] { kept.withLock { $0 } }

    package func keep(_ statement: String) { kept.withLock { $0.append(statement) } }
}

/// Runs the body with a folder, and deletes it afterwards.
@discardableResult
package func withFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "roost-test-\(UUID().uuidString)")
        .path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try await body(folder)
}

/// Runs the body with its own services, and closes them afterwards.
@discardableResult
package func withServices<Value>(
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
