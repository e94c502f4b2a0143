import Foundation
import GRDB
import RoostServices
import Testing

/// What one request reads together.
@Suite(.timeLimit(.minutes(1))) struct SharedReadsTests {
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
