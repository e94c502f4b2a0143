import Foundation
import GRDB

/// Watchlists in SQLite; the schema holds each coin once a list.
struct WatchlistStore: Sendable {
    let database: any DatabaseWriter

    /// The list in "My order" with the remembered choice of sorting, in one read.
    func list(of user: UserID) async throws -> (items: [StoredItem], sort: SortOption) {
        try await database.fetch { database in
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT coin_id, symbol, name, date_added, sort_order FROM watchlist_items
                        WHERE user_id = ? ORDER BY sort_order, coin_id
                        """), arguments: [user])
            let sort = try Row.fetchAll(
                database.cachedStatement(sql: "SELECT sort FROM watchlist_choices WHERE user_id = ?"),
                arguments: [user]
            ).readable(Self.sort).first
            return (rows.readable(Self.item), sort ?? .name)
        }
    }

    /// Every coin on any list, once.
    func allCoinIds() async throws -> [String] {
        try await database.fetch {
            try Row.fetchAll($0, sql: "SELECT DISTINCT coin_id FROM watchlist_items").readable {
                try $0.text("coin_id")
            }
        }
    }

    /// Puts the coin last, or throws `coinAlreadyExists`; `limit` bounds the list's length.
    func add(_ coin: CoinListItem, to user: UserID, at now: Date, limit: Int) async throws -> StoredItem {
        try await database.write { database in
            let isThere = try Bool.fetchOne(
                database, sql: "SELECT 1 FROM watchlist_items WHERE user_id = ? AND coin_id = ?",
                arguments: [user, coin.id])
            guard isThere == nil else { throw WatchlistError.coinAlreadyExists }
            try Self.checkRoom(user, limit: limit, in: database)
            let last = try Int.fetchOne(
                database,
                sql: "SELECT max(sort_order) FROM watchlist_items WHERE user_id = ? AND sort_order <= ?",
                arguments: [user, Self.lastPlace])
            let item = try WatchlistItem(coinId: coin.id, dateAdded: now, sortOrder: last.map { $0 + 1 } ?? 0)
            let stored = StoredItem(item: item, symbol: coin.symbol, name: coin.name)
            try Self.insert(stored, user, into: database)
            return stored
        }
    }

    /// Takes the coin off the list and keeps it for an undo; false when it was not there.
    func remove(_ coinId: String, from user: UserID, at now: Date) async throws -> StoredItem? {
        try await database.write { database in
            let key: StatementArguments = [user, coinId]
            guard
                let row = try Row.fetchOne(
                    database,
                    sql: """
                        SELECT coin_id, symbol, name, date_added, sort_order FROM watchlist_items
                        WHERE user_id = ? AND coin_id = ?
                        """,
                    arguments: key)
            else { return nil }
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO watchlist_removed
                        (user_id, coin_id, symbol, name, date_added, sort_order, removed_at)
                    SELECT user_id, coin_id, symbol, name, date_added, sort_order, ? FROM watchlist_items
                    WHERE user_id = ? AND coin_id = ?
                    """,
                arguments: [now.timeIntervalSince1970] + key)
            try database.execute(
                sql: "DELETE FROM watchlist_items WHERE user_id = ? AND coin_id = ?", arguments: key)
            try database.execute(
                sql: "DELETE FROM watchlist_removed WHERE user_id = ? AND removed_at < ?",
                arguments: [user, now.timeIntervalSince1970 - Self.undoSeconds])
            return try Self.item(row)
        }
    }

    /// How long a removed coin can be brought back, in seconds.
    static let undoSeconds: TimeInterval = 86_400

    /// Brings a removed coin back to its old place; nil when there is none to bring back, or not any more.
    func restore(_ coinId: String, to user: UserID, at now: Date, limit: Int) async throws -> StoredItem? {
        try await database.write { database in
            let key: StatementArguments = [user, coinId]
            guard
                let row = try Row.fetchOne(
                    database,
                    sql: """
                        SELECT coin_id, symbol, name, date_added, sort_order FROM watchlist_removed
                        WHERE user_id = ? AND coin_id = ? AND removed_at >= ?
                        """,
                    arguments: key + [now.timeIntervalSince1970 - Self.undoSeconds])
            else { return nil }
            try Self.checkRoom(user, limit: limit, in: database)
            let stored = try Self.item(row)
            try Self.insert(stored, user, into: database)
            try database.execute(
                sql: "DELETE FROM watchlist_removed WHERE user_id = ? AND coin_id = ?", arguments: key)
            return stored
        }
    }

    /// Rewrites "My order" and shows the list in it from now on: `change` is given the ids in their present order and answers the new one.
    func reorder(_ user: UserID, _ change: @escaping @Sendable ([String]) throws -> [String]) async throws {
        try await database.write { database in
            let present = try String.fetchAll(
                database,
                sql: "SELECT coin_id FROM watchlist_items WHERE user_id = ? ORDER BY sort_order, coin_id",
                arguments: [user])
            let statement = try database.makeStatement(
                sql: "UPDATE watchlist_items SET sort_order = ? WHERE user_id = ? AND coin_id = ?")
            for (place, coinId) in try change(present).enumerated() {
                try statement.execute(arguments: [place, user, coinId])
            }
            try Self.choose(.mine, for: user, in: database)
        }
    }

    func choose(_ sort: SortOption, for user: UserID) async throws {
        try await database.write { try Self.choose(sort, for: user, in: $0) }
    }

    private static func checkRoom(_ user: UserID, limit: Int, in database: GRDB.Database) throws {
        let count = try Int.fetchOne(
            database, sql: "SELECT count(*) FROM watchlist_items WHERE user_id = ?", arguments: [user])
        guard (count ?? 0) < limit else {
            throw RoostError.invalid(field: "coinId", why: "A watchlist holds \(limit) coins at most.")
        }
    }

    private static func choose(_ sort: SortOption, for user: UserID, in database: GRDB.Database) throws {
        try database.execute(
            sql: """
                INSERT INTO watchlist_choices (user_id, sort) VALUES (?, ?)
                ON CONFLICT (user_id) DO UPDATE SET sort = excluded.sort
                """,
            arguments: [user, sort.rawValue])
    }

    private static func insert(_ stored: StoredItem, _ user: UserID, into database: GRDB.Database) throws {
        do {
            try database.execute(
                sql: """
                    INSERT INTO watchlist_items (user_id, coin_id, symbol, name, date_added, sort_order)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    user, stored.item.coinId, stored.symbol, stored.name,
                    stored.item.dateAdded.timeIntervalSince1970, stored.item.sortOrder,
                ])
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY {
            throw WatchlistError.coinAlreadyExists
        }
    }

    static let stored = [
        StoredRows("watchlist_items") { row in _ = (try row.id("user_id"), try item(row)) },
        StoredRows("watchlist_removed") { row in
            _ = (try row.id("user_id"), try item(row), try row.time("removed_at"))
        },
        StoredRows("watchlist_choices") { row in _ = (try row.id("user_id"), try sort(row)) },
    ]

    /// Far beyond any list's length, and far from where adding one overflows.
    private static let lastPlace = 1_000_000

    private static func item(_ row: Row) throws -> StoredItem {
        let coinId = try row.text("coin_id")
        guard WatchlistItem.isPossible(coinId) else { throw ImpossibleValue(column: "coin_id") }
        return StoredItem(
            item: try WatchlistItem(
                coinId: coinId, dateAdded: try row.time("date_added"),
                sortOrder: try row.number("sort_order", in: 0...lastPlace)),
            symbol: try row.text("symbol"), name: try row.text("name"))
    }

    private static func sort(_ row: Row) throws -> SortOption { try row.choice("sort") }
}
