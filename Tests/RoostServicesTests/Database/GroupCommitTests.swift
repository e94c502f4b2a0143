import Dispatch
import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import RoostSupport

/// Writes that wait for the database at the same time are committed together.
@Suite(.timeLimit(.minutes(1))) struct GroupCommitTests {
    private final class Commits: TransactionObserver {
        let count = Mutex(0)

        func observes(eventsOfKind kind: DatabaseEventKind) -> Bool { true }
        func databaseDidChange(with event: DatabaseEvent) {}
        func databaseDidCommit(_: GRDB.Database) { count.withLock { $0 += 1 } }
        func databaseDidRollback(_: GRDB.Database) {}
    }

    private final class Results: Sendable {
        let all = Mutex<[Int: Result<Int, any Error>]>([:])
        /// The commits, before anyone is notified of them.
        let committed = Mutex<[Int]>([])
    }

    private let queue: DatabaseQueue
    private let commits = Commits()
    private let results = Results()

    init() throws {
        queue = try DatabaseQueue()
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE birds (number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE,
                        nest INTEGER REFERENCES birds (number) DEFERRABLE INITIALLY DEFERRED)
                    """)
        }
        queue.add(transactionObserver: commits, extent: .databaseLifetime)
    }

    /// Starts all writes while the writer is blocked, and waits for their results.
    private func together(
        _ works: [@Sendable (GRDB.Database) throws -> Int], in queue: DatabaseQueue? = nil
    ) async -> [Result<Int, any Error>] {
        let (gate, queue, results) = (DispatchSemaphore(value: 0), queue ?? self.queue, results)
        queue.asyncWriteWithoutTransaction { _ in gate.wait() }
        let group = GroupCommit(database: queue)
        let ended = AsyncStream<Void> { continuation in
            for (place, work) in works.enumerated() {
                group.write(work, committed: { value in results.committed.withLock { $0.append(value) } }) {
                    result in
                    results.all.withLock { $0[place] = result }
                    continuation.yield()
                }
            }
        }
        gate.signal()
        for await _ in ended.prefix(works.count) {}
        return works.indices.compactMap { place in results.all.withLock { $0[place] } }
    }

    private static func add(_ name: String, nest: Int? = nil) -> @Sendable (GRDB.Database) throws -> Int {
        { database in
            try database.execute(
                sql: "INSERT INTO birds (name, nest) VALUES (?, ?)", arguments: [name, nest])
            return Int(database.lastInsertedRowID)
        }
    }

    private var names: [String] {
        get throws {
            try queue.read { try String.fetchAll($0, sql: "SELECT name FROM birds ORDER BY number") }
        }
    }

    private var last: Int? {
        get throws { try queue.read { try Int.fetchOne($0, sql: "SELECT max(number) FROM birds") } }
    }

    private var committed: [Int] { results.committed.withLock(\.self) }
    private var count: Int { commits.count.withLock(\.self) }

    @Test(arguments: [(1, 1), (2, 1), (32, 1), (33, 2), (100, 4)])
    func `up to thirty-two writes are one commit, in their order of arrival`(writes: Int, wanted: Int)
        async throws
    {
        let results = await together((1...writes).map { Self.add("heron \($0)") })
        #expect(try results.map { try $0.get() } == Array(1...writes))
        #expect(try names == (1...writes).map { "heron \($0)" })
        #expect(count == wanted)
        #expect(committed == Array(1...writes))
    }

    @Test(arguments: [0, 1, 2]) func `a write that throws undoes only itself`(place: Int) async throws {
        var works = [Self.add("heron"), Self.add("egret")]
        works.insert(
            { database in
                _ = try Self.add("gull")(database)
                throw CancellationError()
            }, at: place)
        let results = await together(works)
        #expect(results.count == 3)
        for (number, result) in results.enumerated() {
            switch result {
            case .success: #expect(number != place)
            case .failure(let error): #expect(number == place && error is CancellationError)
            }
        }
        #expect(try names == ["heron", "egret"])
        // The number of an undone row is reused: a chat's log has no gaps.
        #expect(try last == 2)
    }

    @Test func `a single write that throws is undone too`() async throws {
        let results = await together([
            { database in
                _ = try Self.add("gull")(database)
                throw CancellationError()
            }
        ])
        #expect(throws: CancellationError.self) { try results[0].get() }
        #expect(try names.isEmpty)
    }

    @Test func `a write that the database rejects undoes only itself`() async throws {
        let results = await together([Self.add("heron"), Self.add("heron"), Self.add("egret")])
        #expect(results.map { (try? $0.get()) != nil } == [true, false, true])
        #expect(try names == ["heron", "egret"])
    }

    @Test func `if the commit fails, no write is reported as done`() async throws {
        let results = await together([
            Self.add("heron"), Self.add("egret", nest: 99), { _ in throw CancellationError() },
        ])
        #expect(results.count == 3)
        // The third write saw undone data: without it, it might not have thrown.
        for result in results { #expect(throws: DatabaseError.self) { try result.get() } }
        #expect(try names.isEmpty)
        try await checkNext()
    }

    @Test(arguments: [1, 3]) func `if SQLite ends the transaction, all writes get the reason`(count: Int)
        async throws
    {
        let works: [@Sendable (GRDB.Database) throws -> Int] = [
            { database in
                _ = try Self.add("heron")(database)
                try database.execute(sql: "INSERT OR ROLLBACK INTO birds (name) VALUES ('heron')")
                return 0
            }, Self.add("egret"), Self.add("gull"),
        ]
        let results = await together(Array(works.prefix(count)))
        #expect(results.count == count)
        for result in results {
            let error = #expect(throws: DatabaseError.self) { try result.get() }
            #expect(error?.resultCode == .SQLITE_CONSTRAINT)
        }
        #expect(try names.isEmpty)
        try await checkNext()
    }

    /// Checks that the next commit contains nothing that was undone.
    private func checkNext() async throws {
        #expect(committed.isEmpty)
        let results = await together([Self.add("tern")])
        #expect(try results.map { try $0.get() } == committed)
        #expect(try names == ["tern"])
    }

    @Test func `if another program writes for too long, each write gets an error`() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let path = folder + "/birds.sqlite"
            let other = try DatabaseFile.open(path) { $0.allowsUnsafeTransactions = true }
            let hasty = try DatabaseFile.open(path) { $0.busyMode = .immediateError }
            try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE") }
            let results = await together([{ _ in 1 }, { _ in 2 }], in: hasty)
            #expect(results.count == 2)
            for result in results {
                #expect(throws: DatabaseError.self) { try result.get() }
            }
            try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
            let later = await together([{ _ in 1 }, { _ in 2 }], in: hasty)
            #expect(try later.map { try $0.get() } == [1, 2])
        }
    }
}
