import Foundation
import GRDB
import TestSupport
import Testing

@testable import Accounts
@testable import RoostServices

/// Migrates a database of the previous version, where each user had one list.
@Suite struct WatchlistMigrationTests {
    /// Ada chose the order by price, Grace none, and Mia has no data.
    private static func old(in folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let database = try DatabaseQueue(path: Services.databasePath(in: folder))
        let steps = Migrations.migrator.migrations
        let index = try #require(steps.firstIndex(of: "watchlist: lists"))
        try Migrations.migrator.migrate(database, upTo: steps[index - 1])
        try database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO users (id, username, name_key, role, created_at) VALUES
                        (3, 'ada', 'ada', 'owner', 0), (7, 'grace', 'grace', 'member', 0),
                        (9, 'mia', 'mia', 'member', 0);
                    INSERT INTO watchlist_items (user_id, coin_id, symbol, name, date_added, sort_order) VALUES
                        (3, 'bitcoin', 'btc', 'Bitcoin', 1000, 1), (3, 'solana', 'sol', 'Solana', 2000, 0),
                        (7, 'bitcoin', 'btc', 'Bitcoin', 3000, 0);
                    INSERT INTO watchlist_removed
                        (user_id, coin_id, symbol, name, date_added, sort_order, removed_at)
                        VALUES (7, 'ethereum', 'eth', 'Ethereum', 4000, 5, 1790000000);
                    INSERT INTO watchlist_choices (user_id, sort) VALUES (3, 'price');
                    """)
        }
        try database.close()
    }

    private func withOld(_ body: (ServicesFixture) async throws -> Void) async throws {
        try await withFolder { folder in
            try Self.old(in: folder)
            let fixture = try ServicesFixture(in: folder)
            let result: Result<Void, any Error>
            do { result = .success(try await body(fixture)) } catch { result = .failure(error) }
            try fixture.end()
            try result.get()
        }
    }

    @Test func `the migration moves each user's coins into a list in the same order`() async throws {
        try await withOld { fixture in
            let watchlist = fixture.services.market.watchlist
            let ada = try await watchlist.list(of: 3, sort: .mine)
            #expect(ada.sort == .price && ada.lists.count == 1 && ada.list.name == "Watchlist")
            #expect(ada.entries.map(\.item.coinId) == ["solana", "bitcoin"])
            #expect(ada.entries.map(\.name) == ["Solana", "Bitcoin"])
            #expect(ada.entries.first?.item.dateAdded == Date(timeIntervalSince1970: 2_000))
            let grace = try await watchlist.list(of: 7)
            #expect(grace.entries.map(\.item.coinId) == ["bitcoin"])
            // Without a choice, the former default stays.
            #expect(grace.sort == .name)
            let mia = try await watchlist.list(of: 9)
            #expect(mia.entries.isEmpty && mia.sort == .name)
        }
    }

    @Test func `a coin removed before the migration can be restored after it`() async throws {
        try await withOld { fixture in
            try fixture.change(
                "UPDATE undos SET made_at = \(fixture.clock.now.timeIntervalSince1970)")
            let restored = try await fixture.services.market.watchlist.undoRemove("ethereum", for: 7)
            #expect(restored.item.sortOrder == 5 && restored.name == "Ethereum")
        }
    }

    @Test func `a user added after the migration has a list, and the database has no problems`() async throws
    {
        try await withOld { fixture in
            let new = try await fixture.services.identity.accounts.add(
                Profile(username: "eve"), role: .member, password: nil
            ).userId
            #expect(try await fixture.services.market.watchlist.lists(of: new).map(\.sort) == [.mine])
            let problems = try await fixture.services.problems()
            #expect(problems.isEmpty)
        }
    }
}
