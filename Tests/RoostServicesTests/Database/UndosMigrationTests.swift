import Foundation
import GRDB
import TestSupport
import Testing

@testable import RoostServices
@testable import RoostSupport

/// Databases of the previous version, in which each feature had undos of its own.
@Suite struct UndosMigrationTests {
    /// Made an hour before the fixture's time, so that all can still be undone.
    private static let time = TestClock.start.timeIntervalSince1970 - 3_600

    /// What Ada (1) did: she removed a bookmark, a coin, a list, a holding, a wallet and an alert, edited an article,
    /// deleted another and a gist. Grace (2) imports stars.
    private static func fill(_ database: GRDB.Database) throws {
        try database.execute(
            sql: """
                INSERT INTO users (id, username, name_key, role, created_at) VALUES
                    (1, 'ada', 'ada', 'owner', 0), (2, 'grace', 'grace', 'member', 0);
                INSERT INTO bookmark_undos (id, user_id, made_at, size) VALUES (4, 1, \(time), 1), (9, 2, \(time), 1);
                INSERT INTO bookmark_undo_steps (undo, step) VALUES
                    (4, '{"added":{"_0":1,"tags":[],"note":""}}'), (9, '{"added":{"_0":2,"tags":[],"note":""}}');
                INSERT INTO bookmark_star_imports (user_id, state, read, added, undo) VALUES (2, 'running', 1, 1, 9);
                INSERT INTO articles (id, owner_id, user_id, deleted_in, given_url, normalized_url, title, title_key,
                    title_is_given, category, site, created_at, updated_at, saved_at, is_favorite) VALUES
                    (1, 1, NULL, 4, 'https://example.org/a', 'example.org/a', 'A', 'a', 0, 'Unsorted', 'example.org',
                        1, 1, 1, 0),
                    (2, 1, 1, NULL, 'https://example.org/b', 'example.org/b', 'B', 'b', 0, 'Later', 'example.org',
                        1, 1, 1, 1),
                    (3, 1, NULL, 0, 'https://example.org/c', 'example.org/c', 'C', 'c', 0, 'Unsorted', 'example.org',
                        1, 1, 1, 0);
                INSERT INTO reading_undos (id, user_id, made_at) VALUES (4, 1, \(time)), (5, 1, \(time));
                INSERT INTO reading_undo_steps (undo, step) VALUES (5, '{"article":{"id":2,"state":"unread",
                    "isFavorite":0,"category":"Unsorted","archivedAt":null,"tags":["x"]}}'), (5, '{"gist":{"id":8,
                    "userId":1,"articleId":2,"title":"G","content":"Text.","sourceURL":"https://example.org/b",
                    "method":"own","isEdited":true,"createdAt":1,"updatedAt":1}}');
                INSERT INTO watchlists (id, user_id, name, place, removed_at) VALUES (10, 1, 'Gone', 1, \(time));
                INSERT INTO watchlist_items VALUES (10, 'bitcoin', 'btc', 'Bitcoin', 1000.5, 0);
                INSERT INTO watchlist_removed
                    SELECT id, 'ether [old]', 'eth', 'Ether "old"', 4000, 5, \(time) FROM watchlists
                    WHERE user_id = 1 AND removed_at IS NULL;
                INSERT INTO coin_holdings (id, user_id, coin_id, amount, price, currency, removed_at)
                    VALUES (3, 1, 'bitcoin', '0.123456789012345678', '1', 'usd', \(time));
                INSERT INTO coin_wallets (id, user_id, coin_id, address, removed_at)
                    VALUES (6, 1, 'bitcoin', 'bc1q', \(time));
                INSERT INTO coin_alerts (id, user_id, coin_id, symbol, name, kind, threshold, currency, created_at,
                    conversation_id, crossings, fired_at, fired_text, removed_at) VALUES
                    (2, 1, 'bitcoin', 'btc', 'Bitcoin', 'above', '90000.5', 'usd', 1000, 'x', 1, 2000, 'It rose.',
                        \(time));
                INSERT INTO coin_alert_posts VALUES (2, 1, 'x', 'It rose.');
                """)
    }

    private func withOld(_ body: (ServicesFixture) async throws -> Void) async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let database = try DatabaseQueue(path: Services.databasePath(in: folder))
            let steps = Migrations.migrator.migrations
            let index = try #require(steps.firstIndex(of: "undos"))
            try Migrations.migrator.migrate(database, upTo: steps[index - 1])
            try await database.write(Self.fill)
            try database.close()
            let fixture = try ServicesFixture(in: folder)
            let result: Result<Void, any Error>
            do { result = .success(try await body(fixture)) } catch { result = .failure(error) }
            try fixture.end()
            try result.get()
        }
    }

    @Test func `what was removed from watchlists and alerts can be restored`() async throws {
        try await withOld { fixture in
            let market = fixture.services.market
            #expect(try fixture.sql(String.self, "SELECT coin_id FROM watchlist_items").isEmpty)
            #expect(try await market.watchlist.lists(of: 1).map(\.name) == ["Watchlist"])
            let coin = try await market.watchlist.undoRemove("ether [old]", for: 1)
            #expect(coin.item.sortOrder == 5 && coin.name == "Ether \"old\"")
            #expect(coin.item.dateAdded == Date(timeIntervalSince1970: 4_000))
            #expect(try await market.watchlist.undoRemoveList(10, of: 1).name == "Gone")
            #expect(try await market.watchlist.coinIds(of: 1, list: 10) == ["bitcoin"])
            let holding = try await market.watchlist.undoRemoveHolding(3, of: 1)
            #expect(holding.amount == Decimal(string: "0.123456789012345678") && holding.currency == "usd")
            #expect(try await market.watchlist.undoRemoveWallet(6, of: 1).address == "bc1q")
            let alert = try await market.alerts.undoRemove(2, of: 1)
            #expect(alert.threshold == Decimal(string: "90000.5") && alert.firedText == "It rose.")
            #expect(try fixture.sql(String.self, "SELECT text FROM coin_alert_posts") == ["It rose."])
            #expect(try await fixture.services.problems().isEmpty)
        }
    }

    @Test func `changes of the reading list can be undone, with new ids`() async throws {
        try await withOld { fixture in
            let reading = fixture.services.reading
            let ids = try fixture.sql(
                UndoID.self, "SELECT id FROM undos WHERE feature = 'reading' ORDER BY id")
            #expect(ids == [13, 14], "after all former ids")
            await reading.worker.clean()
            #expect(try fixture.sql(Int.self, "SELECT id FROM articles ORDER BY id") == [1, 2])
            for id in ids { try await reading.articles.undo(id, by: 1) }
            #expect(try await reading.articles.item(1, for: 1).title == "A")
            let edited = try await reading.articles.item(2, for: 1)
            #expect(!edited.isFavorite && edited.tags == ["x"] && edited.category == "Unsorted")
            let gist = try await reading.gists.gist(8, for: 1)
            #expect(gist.title == "G" && gist.articleId == 2 && gist.isEdited)
            #expect(gist.sourceUrl == "https://example.org/b")
            #expect(try await fixture.services.problems().isEmpty)
        }
    }

    @Test func `changes of bookmarks keep their ids, and a running import its undo`() async throws {
        try await withOld { fixture in
            let rows = try fixture.sql(
                String.self,
                """
                SELECT undos.id || ' ' || user_id || ' ' || size || ' ' || is_open || ' ' || count(*)
                FROM undos JOIN undo_steps ON undo = undos.id WHERE feature = 'bookmarks'
                GROUP BY undos.id ORDER BY undos.id
                """)
            #expect(rows == ["4 1 1 0 1", "9 2 1 1 1"])
            #expect(try fixture.sql(UndoID.self, "SELECT undo FROM bookmark_star_imports") == [9])
            #expect(try await fixture.services.gitHub.bookmarks.undo(4, for: 1).count == 0)
            fixture.clock.advance(90_000)
            try await fixture.services.undos.removeExpired()
            #expect(try fixture.sql(UndoID.self, "SELECT id FROM undos") == [9])
            #expect(try await fixture.services.problems().isEmpty)
        }
    }
}
