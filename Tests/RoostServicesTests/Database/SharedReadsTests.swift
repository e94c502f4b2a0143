import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import RoostServices
@testable import RoostSupport

/// What one request reads together.
@Suite(.timeLimit(.minutes(5))) struct SharedReadsTests {
    /// Does the work as the server does a request's: on threads that may wait.
    private func request<Value: Sendable>(
        _ services: Services, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let threads = TaskThreads(count: 2)
        #expect(threads.start())
        defer { threads.stop() }
        return try await withTaskExecutorPreference(threads) { try await services.reads.sharing(work) }
    }

    private func begun(_ fixture: ServicesFixture) -> Int {
        fixture.statements.all.count { $0.hasPrefix("BEGIN DEFERRED") }
    }

    @Test func `what a request reads is one transaction`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner()
            let before = begun(fixture)
            try await request(fixture.services) { [services = fixture.services] in
                _ = try await services.watchlist.list(of: owner)
                _ = try await services.alerts.alerts(of: owner)
                _ = try await services.reading.counts(of: owner)
            }
            #expect(begun(fixture) == before + 1)
        }
    }

    @Test func `between commits a request sees one moment`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin")
            let seen = try await request(fixture.services) {
                let before = try await fixture.services.watchlist.coinIds(of: owner)
                // As another process does.
                try fixture.change("DELETE FROM watchlist_items")
                return [before, try await fixture.services.watchlist.coinIds(of: owner)]
            }
            #expect(seen == [["bitcoin"], ["bitcoin"]])
            let after = try await fixture.services.watchlist.coinIds(of: owner)
            #expect(after.isEmpty)
        }
    }

    @Test func `a request reads what it has written, and what others of this process have`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin", "solana")
            let watchlist = fixture.services.watchlist
            let seen = try await request(fixture.services) {
                var seen = [try await watchlist.coinIds(of: owner)]
                try await watchlist.remove("bitcoin", from: owner)
                seen.append(try await watchlist.coinIds(of: owner))
                _ = try await Task.detached { try await watchlist.remove("solana", from: owner) }.value
                seen.append(try await watchlist.coinIds(of: owner))
                return seen
            }
            #expect(seen == [["bitcoin", "solana"], ["solana"], []])
        }
    }

    /// A request that has read something and now waits until the returned function is called.
    private func waitingRequest(_ fixture: ServicesFixture, _ owner: UserID, on threads: TaskThreads)
        async throws -> (finish: @Sendable () -> Void, result: Task<Set<String>, any Error>)
    {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let services = fixture.services
        let result = Task(executorPreference: threads) {
            try await services.reads.sharing {
                _ = try await services.watchlist.coinIds(of: owner)
                start.finish()
                for await _ in ends {}
                return try await services.watchlist.coinIds(of: owner)
            }
        }
        for await _ in starts {}
        return ({ end.finish() }, result)
    }

    private func logBytes(_ folder: String) -> Int {
        let path = Services.databasePath(in: folder) + "-wal"
        return (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }

    @Test func `a waiting GET does not hold the log`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin")
            let threads = TaskThreads(count: 2)
            #expect(threads.start())
            defer { threads.stop() }
            let request = try await waitingRequest(fixture, owner, on: threads)
            let file = try DatabaseFile.open(Services.databasePath(in: fixture.folder))
            try await file.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA synchronous = OFF; CREATE TABLE filler (x BLOB)")
                try database.execute(sql: "INSERT INTO filler VALUES (zeroblob(8000))")
                for _ in 0..<3_000 {
                    try database.execute(sql: "UPDATE filler SET x = randomblob(8000)")
                }
            }
            let bytes = logBytes(fixture.folder)
            #expect(bytes < 10 << 20)
            request.finish()
            #expect(try await request.result.value == ["bitcoin"])
            try file.close()
        }
    }

    @Test func `a request that has waited reads what others have written in the meantime`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin")
            let threads = TaskThreads(count: 2)
            #expect(threads.start())
            defer { threads.stop() }
            let request = try await waitingRequest(fixture, owner, on: threads)
            // As another process does, whose commits this one does not count.
            try fixture.change("DELETE FROM watchlist_items")
            request.finish()
            #expect(try await request.result.value.isEmpty)
        }
    }

    @Test func `twenty waiting requests share few connections, which close when idle`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin")
            await fixture.services.upkeep.tidy()
            let threads = TaskThreads(count: 8)
            #expect(threads.start())
            defer { threads.stop() }
            func opened() -> Int { fixture.statements.all.count { $0.hasPrefix("PRAGMA cache_size") } }
            let before = opened()
            var requests: [(finish: @Sendable () -> Void, result: Task<Set<String>, any Error>)] = []
            for _ in 0..<20 { requests.append(try await waitingRequest(fixture, owner, on: threads)) }
            #expect(opened() <= before + 4)
            for request in requests { request.finish() }
            for request in requests { _ = try await request.result.value }
            // Four for requests that begin, eight of the pool.
            #expect(opened() <= before + 12)
            let open = opened()
            await fixture.services.upkeep.tidy()
            let last = try await waitingRequest(fixture, owner, on: threads)
            #expect(opened() == open + 1, "the others are closed")
            last.finish()
            _ = try await last.result.value
        }
    }

    @Test func `a request that waits for nothing ends on its thread without a change`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin")
            let threads = TaskThreads(count: 1)
            #expect(threads.start())
            defer { threads.stop() }
            let services = fixture.services
            let found = Mutex<Set<String>>([])
            let task = Task.immediate(executorPreference: threads) {
                let ids = try await services.reads.sharing { try await services.watchlist.coinIds(of: owner) }
                found.withLock { $0 = ids }
            }
            // `immediate` returns at the first suspension.
            #expect(found.withLock(\.self) == ["bitcoin"])
            try await task.value
        }
    }

    @Test func `background reads and questions about users never wait for each other`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin")
            let services = fixture.services
            for number in 1...20 {
                // As another process does: the next question about users reads the database, on whatever thread it is asked.
                try fixture.change("UPDATE users SET display_name = 'Ada \(number)'")
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<30 {
                        group.addTask { _ = try await services.watchlist.coinIds(of: owner) }
                        group.addTask { _ = services.accounts.known(owner) }
                    }
                    try await group.waitForAll()
                }
            }
            #expect(services.accounts.known(owner)?.displayName == "Ada 20")
        }
    }

    @Test func `a log that a long reader has made large shrinks when it is free again`() async throws {
        try await withServices { fixture in
            _ = try await fixture.owner()
            let reader = try DatabaseFile.open(Services.databasePath(in: fixture.folder)) {
                $0.allowsUnsafeTransactions = true
            }
            try await reader.writeWithoutTransaction {
                try $0.execute(sql: "BEGIN; SELECT * FROM users")
            }
            try fixture.change(
                "CREATE TABLE filler (x BLOB); INSERT INTO filler VALUES (zeroblob(30000000))")
            #expect(logBytes(fixture.folder) > 20 << 20)
            await fixture.services.upkeep.tidy()
            #expect(logBytes(fixture.folder) > 20 << 20, "a reader still needs it")
            try await reader.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
            await fixture.services.upkeep.tidy()
            #expect(logBytes(fixture.folder) < 10 << 20)
            try reader.close()
        }
    }

    @Test func `Roost's own writes shorten a log that has grown`() async throws {
        try await withFolder { folder in
            let pool = try RoostSupport.Database.open(in: folder)
            let reader = try DatabaseFile.open(Services.databasePath(in: folder)) {
                $0.allowsUnsafeTransactions = true
            }
            try await reader.writeWithoutTransaction {
                try $0.execute(sql: "BEGIN; SELECT * FROM users")
            }
            try await pool.write {
                try $0.execute(
                    sql: "CREATE TABLE filler (x BLOB); INSERT INTO filler VALUES (zeroblob(30000000))")
            }
            #expect(logBytes(folder) > 20 << 20)
            try reader.close()
            // The first commit copies the log into the main file, the next ones start it from the beginning.
            for number in 0..<3 {
                try await pool.write { try $0.execute(sql: "UPDATE filler SET x = ?", arguments: [number]) }
            }
            #expect(logBytes(folder) < 10 << 20)
            try RoostSupport.Database.close(pool)
        }
    }

    @Test func `what a request has begun reads on after its end`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin")
            let watchlist = fixture.services.watchlist
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            let workers = TaskThreads(count: 1)
            #expect(workers.start())
            defer { workers.stop() }
            let begun = try await request(fixture.services) {
                _ = try await watchlist.coinIds(of: owner)
                return Task(executorPreference: workers) {
                    for await _ in ends {}
                    return try await watchlist.coinIds(of: owner)
                }
            }
            try await watchlist.remove("bitcoin", from: owner)
            end.finish()
            let later = try await begun.value
            #expect(later.isEmpty)
        }
    }

    @Test func `more requests at once than there are connections read all the same`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin")
            let services = fixture.services
            @Sendable func nested(_ depth: Int) async throws -> Int {
                guard depth > 0 else { return 0 }
                return try await services.reads.sharing {
                    let found = try await services.watchlist.coinIds(of: owner).count
                    let inner = try await nested(depth - 1)
                    return try await services.watchlist.coinIds(of: owner).count + found + inner
                }
            }
            let count = try await request(services) { try await nested(30) }
            #expect(count == 60)
            // What they held is free again.
            let before = begun(fixture)
            _ = try await request(services) { try await services.watchlist.list(of: owner) }
            #expect(begun(fixture) == before + 1)
        }
    }

    @Test func `after the end the main file alone is whole`() async throws {
        try await withFolder { folder in
            let fixture = try ServicesFixture(in: folder)
            let owner = try await fixture.owner(watching: "bitcoin")
            _ = try await request(fixture.services) { [services = fixture.services] in
                try await services.watchlist.list(of: owner)
            }
            try fixture.end()
            let log = Services.databasePath(in: folder) + "-wal"
            #expect(!FileManager.default.fileExists(atPath: log))
            let items = try fixture.sql(String.self, "SELECT coin_id FROM watchlist_items")
            #expect(items == ["bitcoin"])
        }
    }

    @Test func `an error of the database reaches who reads, and the next request reads`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin")
            let services = fixture.services
            try fixture.change("ALTER TABLE watchlist_items RENAME TO elsewhere")
            let refused: Result<Set<String>, any Error>
            do {
                refused = .success(
                    try await request(services) { try await services.watchlist.coinIds(of: owner) })
            } catch { refused = .failure(error) }
            #expect(throws: DatabaseError.self) { try refused.get() }
            try fixture.change("ALTER TABLE elsewhere RENAME TO watchlist_items")
            let read = try await request(services) { try await services.watchlist.coinIds(of: owner) }
            #expect(read == ["bitcoin"])
        }
    }
}
