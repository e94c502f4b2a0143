import Dispatch
import GRDB
import RoostServices
import Synchronization
import TestSupport
import Testing

@testable import RoostSupport

/// The transactions in which services read and write, with their topics, memory and errors.
@Suite(.timeLimit(.minutes(1))) struct UnitOfWorkTests {
    private struct Unknown: Error {}

    private struct Fixture: Sendable {
        let database: RoostSupport.Database
        let feed: ChangeFeed
        let log: LogCapture

        var names: [String] {
            get async throws {
                try await database.read {
                    try String.fetchAll($0.database, sql: "SELECT name FROM birds ORDER BY rowid")
                }
            }
        }
    }

    private func withDatabase(_ body: (Fixture) async throws -> Void) async throws {
        try await withFolder { folder in
            try MigratedDatabase.put(into: folder)
            let pool = try RoostSupport.Database.open(in: folder)
            try await pool.write { try $0.execute(sql: "CREATE TABLE birds (name TEXT UNIQUE)") }
            let (feed, log) = (ChangeFeed(), LogCapture())
            let database = RoostSupport.Database(pool, feed: feed, log: log.logger)
            try await body(Fixture(database: database, feed: feed, log: log))
            try pool.close()
        }
    }

    private static func add(_ name: String, _ writes: Writes) throws {
        try writes.database.execute(sql: "INSERT INTO birds (name) VALUES (?)", arguments: [name])
    }

    @Test func `topics are published after the commit`() async throws {
        try await withDatabase { fixture in
            let feed = fixture.feed
            let during = try await fixture.database.write { writes in
                writes.publish("birds")
                writes.publish { ["nests"] }
                try Self.add("heron", writes)
                return feed.version(of: ["birds", "nests"])
            }
            #expect(during == 0)
            #expect(feed.version(of: ["birds"]) > 0)
            #expect(feed.version(of: ["nests"]) > 0)
        }
    }

    @Test func `a write that throws changes, publishes and remembers nothing`() async throws {
        try await withDatabase { fixture in
            let calls = Counter()
            await #expect(throws: Unknown.self) {
                try await fixture.database.write { writes in
                    writes.publish("birds")
                    writes.publish { ["nests"] }
                    writes.afterCommit { calls.add() }
                    try Self.add("heron", writes)
                    throw Unknown()
                }
            }
            let names = try await fixture.names
            #expect(names.isEmpty)
            #expect(fixture.feed.version(of: ["birds", "nests"]) == 0)
            #expect(calls.count == 0)
        }
    }

    @Test func `memory is updated once, after the commit and before its topics are published`() async throws {
        try await withDatabase { fixture in
            let (calls, pool, feed) = (Counter(), fixture.database.pool, fixture.feed)
            let (isCommitted, isPublished) = (Counter(), Counter())
            try await fixture.database.write { writes in
                writes.publish("birds")
                writes.afterCommit {
                    calls.add()
                    pool.unsafeReentrantWrite { if !$0.isInsideTransaction { isCommitted.add() } }
                    if feed.version(of: ["birds"]) > 0 { isPublished.add() }
                }
                try Self.add("heron", writes)
            }
            #expect(calls.count == 1)
            #expect(isCommitted.count == 1)
            #expect(isPublished.count == 0)
        }
    }

    @Test func `a write whose task is cancelled in the meantime is committed and published`() async throws {
        try await withDatabase { fixture in
            let (starts, start) = AsyncStream.makeStream(of: Void.self)
            let gate = DispatchSemaphore(value: 0)
            let task = Task {
                try await fixture.database.write { writes in
                    writes.publish("birds")
                    try Self.add("heron", writes)
                    start.finish()
                    gate.wait()
                }
            }
            for await _ in starts {}
            task.cancel()
            gate.signal()
            try await task.value
            #expect(try await fixture.names == ["heron"])
            #expect(fixture.feed.version(of: ["birds"]) > 0)
        }
    }

    @Test func `a cancelled task begins no write`() async throws {
        try await withDatabase { fixture in
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                try await fixture.database.write { try Self.add("heron", $0) }
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            let names = try await fixture.names
            #expect(names.isEmpty)
            #expect(fixture.log.lines.isEmpty)
        }
    }

    @Test func `errors of the work pass unchanged and are not logged`() async throws {
        try await withDatabase { fixture in
            let conflict = RoostError.conflict(field: "name", why: "There is a heron already.")
            await #expect(throws: conflict) { try await fixture.database.write { _ in throw conflict } }
            await #expect(throws: conflict) { try await fixture.database.read { _ in throw conflict } }
            await #expect(throws: Unknown.self) { try await fixture.database.write { _ in throw Unknown() } }
            await #expect(throws: CancellationError.self) {
                try await fixture.database.write { _ in throw CancellationError() }
            }
            #expect(fixture.log.lines.isEmpty)
        }
    }

    @Test(arguments: [
        (ResultCode.SQLITE_FULL, RoostError.storageFull(RoostError.fullStorage)),
        (.SQLITE_IOERR_WRITE, .storageFull(RoostError.fullStorage)),
        (.SQLITE_CORRUPT, .databaseDamaged(RoostError.damagedDatabase)),
        (.SQLITE_BUSY, .unavailable("Couldn’t save. Please try again.")),
    ])
    func `a database error becomes one with a message, and is logged once`(
        code: ResultCode, error: RoostError
    ) async throws {
        try await withDatabase { fixture in
            await #expect(throws: error) {
                try await fixture.database.write { _ in throw DatabaseError(resultCode: code) }
            }
            #expect(fixture.log.lines.count == 1)
        }
    }

    @Test func `a constraint that a write violates becomes an error with a message`() async throws {
        try await withDatabase { fixture in
            try await fixture.database.write { try Self.add("heron", $0) }
            await #expect(throws: RoostError.unavailable("Couldn’t save. Please try again.")) {
                try await fixture.database.write { writes in
                    try Self.add("egret", writes)
                    try Self.add("heron", writes)
                }
            }
            #expect(try await fixture.names == ["heron"])
        }
    }
}

private final class Counter: Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .acquiring) }

    func add() { value.add(1, ordering: .releasing) }
}
