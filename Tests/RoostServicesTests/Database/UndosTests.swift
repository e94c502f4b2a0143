import GRDB
import RoostServices
import TestSupport
import Testing

@testable import RoostSupport

/// Changes that can be undone, of any feature.
@Suite(.timeLimit(.minutes(1))) struct UndosTests {
    private struct Bird: UndoStep, Equatable {
        static let feature = "birds"
        static let maximumChanges = 3
        static let maximumSteps = 10

        let name: String
    }

    private struct Tree: UndoStep {
        static let feature = "trees"
        static let maximumChanges = 3
        static let maximumSteps = 10
    }

    private struct Fixture: Sendable {
        let pool: DatabasePool
        let clock = TestClock()
        let database: RoostSupport.Database
        let ada: UserID = 1
        let grace: UserID = 2

        init(_ pool: DatabasePool) {
            self.pool = pool
            database = Self.database(pool, clock)
        }

        private static func database(_ pool: DatabasePool, _ clock: TestClock) -> RoostSupport.Database {
            RoostSupport.Database(
                pool, feed: ChangeFeed(), clock: clock.wallClock, log: LogCapture().logger)
        }

        /// The same file after a restart.
        func restarted() -> RoostSupport.Database { Self.database(pool, clock) }

        @discardableResult
        func add(
            _ names: String..., of subject: String? = nil, to earlier: UndoID? = nil, isOpen: Bool = false
        ) async throws -> UndoID {
            try await database.write { [now = clock.now] writes in
                try writes.addUndo(
                    names.map(Bird.init), of: subject, to: earlier, isOpen: isOpen, by: ada, at: now)
            }
        }

        func take(_ id: UndoID, by user: UserID? = nil) async throws -> [String]? {
            try await database.write { writes in
                let steps: [Bird]? = try writes.takeUndo(id, by: user ?? ada)
                return steps?.map(\.name)
            }
        }

        func take(of subject: String) async throws -> [String]? {
            try await database.write { writes in
                let steps: [Bird]? = try writes.takeUndo(of: subject, by: ada)
                return steps?.map(\.name)
            }
        }

        func rows(_ table: String) async throws -> Int? {
            try await pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") }
        }
    }

    private func withFixture(_ body: (Fixture) async throws -> Void) async throws {
        try await withFolder { folder in
            try MigratedDatabase.put(into: folder)
            let pool = try RoostSupport.Database.open(in: folder)
            try await pool.write { database in
                for (id, name) in [(1, "ada"), (2, "grace")] {
                    try database.execute(
                        sql: """
                            INSERT INTO users (id, username, name_key, role, created_at)
                            VALUES (?, ?, ?, 'member', 0)
                            """, arguments: [id, name, name])
                }
            }
            try await body(Fixture(pool))
            try pool.close()
        }
    }

    @Test func `a change can be undone once, within a day`() async throws {
        try await withFixture { fixture in
            let id = try await fixture.add("heron", "wren")
            fixture.clock.advance(23 * 3_600)
            #expect(try await fixture.take(id) == ["heron", "wren"])
            #expect(try await fixture.take(id) == nil)
            let late = try await fixture.add("owl")
            fixture.clock.advance(25 * 3_600)
            #expect(try await fixture.take(late) == nil)
        }
    }

    @Test func `another user's or another feature's undo is not found`() async throws {
        try await withFixture { fixture in
            let id = try await fixture.add("heron", of: "nest 1")
            #expect(try await fixture.take(id, by: fixture.grace) == nil)
            let trees = try await fixture.database.write { writes in
                let steps: [Tree]? = try writes.takeUndo(id, by: fixture.ada)
                let named: [Tree]? = try writes.takeUndo(of: "nest 1", by: fixture.ada)
                return steps != nil || named != nil
            }
            #expect(!trees)
            #expect(try await fixture.take(id) == ["heron"])
        }
    }

    @Test(arguments: [3.0, -3])
    func `a day counts although the machine's clock is set`(days: Double) async throws {
        try await withFixture { fixture in
            let id = try await fixture.add("heron")
            fixture.clock.jump(days * 86_400)
            fixture.clock.advance(23 * 3_600)
            let undos = Undos(database: fixture.database, clock: fixture.clock.wallClock)
            try await undos.removeExpired()
            #expect(try await fixture.take(id) == ["heron"])
            let late = try await fixture.add("wren")
            fixture.clock.jump(-days * 86_400)
            fixture.clock.advance(25 * 3_600)
            #expect(try await fixture.take(late) == nil)
        }
    }

    @Test func `expired changes are removed from the disk with their steps`() async throws {
        try await withFixture { fixture in
            try await fixture.add("heron", "wren")
            fixture.clock.advance(20 * 3_600)
            let id = try await fixture.add("owl")
            fixture.clock.advance(5 * 3_600)
            // After a restart only the machine's clock counts.
            try await Undos(database: fixture.restarted(), clock: fixture.clock.wallClock).removeExpired()
            #expect(try await fixture.rows("undos") == 1)
            #expect(try await fixture.rows("undo_steps") == 1)
            #expect(try await fixture.take(id) == ["owl"])
            #expect(try await fixture.rows("undo_steps") == 0)
        }
    }

    @Test func `an undo that names its subject restores the latest change`() async throws {
        try await withFixture { fixture in
            try await fixture.add("heron", of: "nest 1")
            try await fixture.add("owl", of: "nest 2")
            try await fixture.add("wren", of: "nest 1")
            #expect(try await fixture.rows("undo_steps") == 2)
            #expect(try await fixture.take(of: "nest 1") == ["wren"])
            #expect(try await fixture.take(of: "nest 1") == nil)
            #expect(try await fixture.take(of: "nest 2") == ["owl"])
        }
    }

    @Test func `the oldest changes make room, and the latest stays whatever its size`() async throws {
        try await withFixture { fixture in
            let first = try await fixture.add("1")
            var ids: [UndoID] = []
            for number in 2...4 { ids.append(try await fixture.add("\(number)")) }
            #expect(try await fixture.take(first) == nil)
            let large = try await fixture.database.write {
                [now = fixture.clock.now, ada = fixture.ada] writes in
                try writes.addUndo((1...11).map { Bird(name: "\($0)") }, by: ada, at: now)
            }
            for id in ids { #expect(try await fixture.take(id) == nil) }
            #expect(try await fixture.take(large)?.count == 11)
        }
    }

    @Test func `a change that gets further steps is undone as one, and makes no room before its end`()
        async throws
    {
        try await withFixture { fixture in
            let id = try await fixture.add("heron", isOpen: true)
            for number in 1...4 { try await fixture.add("\(number)") }
            fixture.clock.advance(25 * 3_600)
            try await Undos(database: fixture.restarted(), clock: fixture.clock.wallClock).removeExpired()
            #expect(try await fixture.rows("undos") == 1)
            #expect(try await fixture.add("wren", to: id) == id)
            #expect(try await fixture.take(id) == ["heron", "wren"])
            let closed = try await fixture.add("owl", isOpen: true)
            try await fixture.database.write { try $0.closeUndo(closed) }
            for number in 1...3 { try await fixture.add("\(number)") }
            #expect(try await fixture.take(closed) == nil)
        }
    }

    @Test func `steps that SQLite makes count like others`() async throws {
        try await withFixture { fixture in
            let id = try await fixture.add("heron")
            try await fixture.database.write { [ada = fixture.ada] writes in
                try writes.addUndoSteps(
                    Bird.self, to: id,
                    selecting: "SELECT json_object('name', username) AS step FROM users WHERE id = ?", [ada],
                    by: ada)
            }
            let undo = try await fixture.database.read { try $0.undo(id, Bird.self, by: fixture.ada) }
            #expect(undo?.size == 2)
            #expect(try await fixture.take(id) == ["heron", "ada"])
        }
    }

    @Test func `steps that an older version stored and this one cannot read can no longer be undone`()
        async throws
    {
        try await withFixture { fixture in
            let id = try await fixture.add("heron", of: "nest 1")
            try await fixture.pool.write {
                try $0.execute(sql: #"UPDATE undo_steps SET step = '{"bird":1}'"#)
            }
            #expect(try await fixture.take(id) == nil)
            #expect(try await fixture.take(of: "nest 1") == nil)
        }
    }

    @Test func `a write that throws keeps no undo`() async throws {
        try await withFixture { fixture in
            await #expect(throws: RoostError.self) {
                try await fixture.database.write { [now = fixture.clock.now, ada = fixture.ada] writes in
                    _ = try writes.addUndo([Bird(name: "heron")], by: ada, at: now)
                    throw RoostError.notFound("There is no such bird.")
                }
            }
            let count = try await fixture.rows("undos")
            #expect(count == 0)
        }
    }
}
