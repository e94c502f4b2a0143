import Foundation
import GRDB
import RoostServices
import TestSupport
import Testing

@testable import RoostSupport

@Suite struct StoredTimeTests {
    private let now = TestClock.start + 0.25

    private func withTable(_ test: @Sendable @escaping (Writes) throws -> Void) async throws {
        try await withFolder { folder in
            try MigratedDatabase.put(into: folder)
            let pool = try RoostSupport.Database.open(in: folder)
            try await pool.write { try $0.execute(sql: "CREATE TABLE visits (at, ends)") }
            let database = RoostSupport.Database(pool, feed: ChangeFeed(), log: LogCapture().logger)
            try await database.write(test)
            try pool.close()
        }
    }

    @Test func `a time is written in seconds, and read as the same date`() async throws {
        try await withTable { [now] writes in
            try writes.execute("INSERT INTO visits (at) VALUES (?)", [now.stored])
            #expect(try writes.database.value(Double.self, "SELECT at FROM visits") == 1_794_312_000.25)
            #expect(try writes.database.row("SELECT at FROM visits")?.time("at") == now)
            #expect(try writes.database.value(StoredTime.self, "SELECT at FROM visits")?.date == now)
            #expect(try writes.database.value(StoredTime.self, "SELECT ends FROM visits") == nil)
        }
    }

    @Test(arguments: ["-1", "253402300800", "9e999", "'2026-11-10'", "NULL"])
    func `a time that Roost never writes is refused`(value: String) async throws {
        try await withTable { writes in
            try writes.execute("INSERT INTO visits (at) VALUES (\(value))")
            let row = try #require(try writes.database.row("SELECT at FROM visits"))
            #expect(throws: ImpossibleValue(column: "at")) { try row.time("at") }
        }
    }

    @Test(arguments: [(-86_400.0, 0.0), (0, 0), (300, 0), (301, 301), (86_400, 86_400)])
    func `only a time more than five minutes ahead is clamped, and a lifetime moves with it`(
        ahead: Double, move: Double
    ) async throws {
        try await withTable { [now] writes in
            let at = now + ahead
            try writes.execute("INSERT INTO visits VALUES (?, ?)", [at.stored, (at + 60).stored])
            try writes.execute("INSERT INTO visits VALUES (?, NULL)", [at.stored])
            try writes.clamp("at", of: "visits", moving: "ends", to: now)
            let rows = try writes.database.rows("SELECT at, ends FROM visits")
            #expect(try rows.map { try $0.time("at") } == [at - move, at - move])
            #expect(try rows.map { try $0.timeIfPresent("ends") } == [at + 60 - move, nil])
        }
    }
}
