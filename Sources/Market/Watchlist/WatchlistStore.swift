import Foundation
package import GRDB
package import RoostSupport

/// Watchlists in SQLite; the schema holds each coin once a list, and a list for each user.
///
/// What is removed stays for `undoSeconds`.
package struct WatchlistStore: Sendable {
    /// All that a page of a list shows, but for the prices.
    struct Contents: Sendable {
        let list: Watchlist
        let lists: [Watchlist]
        /// In "My order".
        let items: [StoredItem]
        /// How many coins the list has.
        let count: Int
        let choices: WatchlistChoices
        let notes: [String: CoinNote]
        let holdings: [Holding]
    }

    let database: any DatabaseWriter

    package init(database: any DatabaseWriter) {
        self.database = database
    }

    /// How long what is removed can be brought back, in seconds.
    static let undoSeconds: TimeInterval = 86_400
    /// What a list can hold, and a user's lists and holdings together: four requests to CoinGecko serve them.
    static let (listLimit, coinLimit) = (500, 1_000)
    static let fullList = RoostError.invalid(
        field: "coinId", why: "A watchlist holds \(listLimit) coins at most.")
    static let tooManyCoins = RoostError.invalid(
        field: "coinId", why: "All your lists and holdings together hold \(coinLimit) coins at most.")
    static let unknownList = RoostError.notFound("This list is not there.")

    /// A list with all that is shown of it, in one read. Throws `RoostError.notFound` for a list that is not the user's.
    ///
    /// - Parameter first: so many coins are enough, without what their owner noted and has of them. Another order than "My order"
    ///   needs all.
    func contents(of user: UserID, _ id: WatchlistID?, first: Int? = nil) async throws -> Contents {
        try await database.fetch { database in
            let lists = try Self.lists(of: user, in: database)
            guard let list = id == nil ? lists.first : lists.first(where: { $0.id == id }) else {
                throw Self.unknownList
            }
            let limit = list.sort == .mine ? first : nil
            let items = try Self.items(of: list.id, limit: limit, in: database)
            return Contents(
                list: list, lists: lists, items: items,
                count: limit == nil ? items.count : try Self.count(of: list.id, in: database),
                choices: try Self.choices(of: user, in: database),
                notes: first == nil ? try Self.notes(of: user, in: database) : [:],
                holdings: first == nil ? try Self.holdings(of: user, coin: nil, in: database) : [])
        }
    }

    /// The coins of one list.
    func items(of user: UserID, _ id: WatchlistID?) async throws -> [StoredItem] {
        try await database.fetch {
            try Self.items(of: try Self.listId(of: user, id, in: $0), in: $0)
        }
    }

    /// The id of the named list, or of the first one. Throws `RoostError.notFound`.
    func listId(of user: UserID, _ id: WatchlistID?) async throws -> WatchlistID {
        try await database.fetch { try Self.listId(of: user, id, in: $0) }
    }

    /// Which of the user's lists hold the coin.
    func lists(of user: UserID, holding coinId: String) async throws -> Set<WatchlistID> {
        try await database.fetch {
            try WatchlistID.fetchSet(
                $0.cachedStatement(
                    sql: """
                        SELECT id FROM watchlists WHERE user_id = ? AND removed_at IS NULL AND EXISTS (
                            SELECT 1 FROM watchlist_items WHERE list_id = watchlists.id AND coin_id = ?)
                        """), arguments: [user, coinId])
        }
    }

    /// The coins on lists and of holdings, each once, by the currency that their owners see them in.
    ///
    /// - Parameter standard: the currency of those who chose none
    package func watchedByCurrency(standard: String) async throws -> [String: Set<String>] {
        try await database.fetch { database in
            let rows = try Row.fetchCursor(
                database.cachedStatement(
                    sql: """
                        WITH watched (user_id, coin_id) AS (
                            SELECT user_id, coin_id FROM watchlist_items JOIN watchlists ON id = list_id
                            WHERE removed_at IS NULL
                            UNION SELECT user_id, coin_id FROM coin_holdings WHERE removed_at IS NULL)
                        SELECT DISTINCT currency, coin_id FROM watched
                        LEFT JOIN watchlist_choices ON watchlist_choices.user_id = watched.user_id
                        """))
            let coins = try rows.readable { row in
                (currency: try row.textIfPresent("currency") ?? standard, id: try row.text("coin_id"))
            }
            return coins.reduce(into: [:]) { $0[$1.currency, default: []].insert($1.id) }
        }
    }

    /// Puts the coin last. Throws `coinAlreadyExists`, and where there is no room.
    func add(_ coin: CoinListItem, to user: UserID, list: WatchlistID?, at now: Date) async throws {
        try await database.write { database in
            let list = try Self.listId(of: user, list, in: database)
            try Self.add(coin, to: list, of: user, at: now, in: database)
        }
    }

    static func add(
        _ coin: CoinListItem, to list: WatchlistID, of user: UserID, at now: Date, in database: GRDB.Database
    ) throws {
        let isThere = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM watchlist_items WHERE list_id = ? AND coin_id = ?"),
            arguments: [list, coin.id])
        guard isThere == nil else { throw WatchlistError.coinAlreadyExists }
        try checkRoom(for: coin.id, on: list, of: user, in: database)
        let last = try Int.fetchOne(
            database.cachedStatement(
                sql: "SELECT max(sort_order) FROM watchlist_items WHERE list_id = ? AND sort_order <= ?"),
            arguments: [list, lastPlace])
        let item = try WatchlistItem(coinId: coin.id, dateAdded: now, sortOrder: last.map { $0 + 1 } ?? 0)
        try insert(StoredItem(item: item, symbol: coin.symbol, name: coin.name), list, into: database)
    }

    /// Takes the coin off the list and keeps it for an undo; no item where it was not there.
    func remove(
        _ coinId: String, from user: UserID, list: WatchlistID?, at now: Date
    ) async throws -> (item: StoredItem?, list: WatchlistID) {
        try await database.write { database in
            let list = try Self.listId(of: user, list, in: database)
            let key: StatementArguments = [list, coinId]
            guard
                let row = try Row.fetchOne(
                    database.cachedStatement(
                        sql: """
                            SELECT coin_id, symbol, name, date_added, sort_order FROM watchlist_items
                            WHERE list_id = ? AND coin_id = ?
                            """),
                    arguments: key)
            else { return (nil, list) }
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO watchlist_removed
                        (list_id, coin_id, symbol, name, date_added, sort_order, removed_at)
                    SELECT list_id, coin_id, symbol, name, date_added, sort_order, ? FROM watchlist_items
                    WHERE list_id = ? AND coin_id = ?
                    """,
                arguments: [now.timeIntervalSince1970] + key)
            try database.execute(
                sql: "DELETE FROM watchlist_items WHERE list_id = ? AND coin_id = ?", arguments: key)
            try database.execute(
                sql: "DELETE FROM watchlist_removed WHERE list_id = ? AND removed_at < ?",
                arguments: [list, now.timeIntervalSince1970 - Self.undoSeconds])
            return (try Self.item(row), list)
        }
    }

    /// Brings a removed coin back to its old place; nil if no such coin was removed, or its time for undo has passed.
    func restore(
        _ coinId: String, to user: UserID, list: WatchlistID, at now: Date
    ) async throws -> StoredItem? {
        try await database.write { database in
            let list = try Self.listId(of: user, list, in: database)
            let key: StatementArguments = [list, coinId]
            guard
                let row = try Row.fetchOne(
                    database.cachedStatement(
                        sql: """
                            SELECT coin_id, symbol, name, date_added, sort_order FROM watchlist_removed
                            WHERE list_id = ? AND coin_id = ? AND removed_at >= ?
                            """),
                    arguments: key + [now.timeIntervalSince1970 - Self.undoSeconds])
            else { return nil }
            try Self.checkRoom(for: coinId, on: list, of: user, in: database)
            let stored = try Self.item(row)
            try Self.insert(stored, list, into: database)
            try database.execute(
                sql: "DELETE FROM watchlist_removed WHERE list_id = ? AND coin_id = ?", arguments: key)
            return stored
        }
    }

    /// Rewrites "My order" and shows the list in it from now on: `change` is given the ids in their present order and answers the new one.
    func reorder(
        _ user: UserID, list: WatchlistID?, _ change: @escaping @Sendable ([String]) throws -> [String]
    ) async throws {
        try await database.write { database in
            let list = try Self.listId(of: user, list, in: database)
            let present = try String.fetchAll(
                database.cachedStatement(
                    sql: "SELECT coin_id FROM watchlist_items WHERE list_id = ? ORDER BY sort_order, coin_id"),
                arguments: [list])
            let statement = try database.makeStatement(
                sql: "UPDATE watchlist_items SET sort_order = ? WHERE list_id = ? AND coin_id = ?")
            for (place, coinId) in try change(present).enumerated() {
                try statement.execute(arguments: [place, list, coinId])
            }
            try Self.choose(.mine, for: list, in: database)
        }
    }

    func choose(_ sort: WatchlistOrder, for user: UserID, list: WatchlistID?) async throws {
        try await database.write { database in
            try Self.choose(sort, for: try Self.listId(of: user, list, in: database), in: database)
        }
    }

    /// Throws where the list is full, or the user has as many coins as anybody may have.
    private static func checkRoom(
        for coinId: String, on list: WatchlistID, of user: UserID, in database: GRDB.Database
    ) throws {
        let count = try Int.fetchOne(
            database.cachedStatement(sql: "SELECT count(*) FROM watchlist_items WHERE list_id = ?"),
            arguments: [list])
        guard (count ?? 0) < listLimit else { throw fullList }
        try checkCoins(with: coinId, of: user, in: database)
    }

    /// Throws where the coin would be one too many on the user's lists and among the holdings.
    static func checkCoins(with coinId: String, of user: UserID, in database: GRDB.Database) throws {
        try checkCount(try coinCount(of: user, besides: coinId, in: database) + 1)
    }

    /// Throws for more coins than a user may have.
    static func checkCount(_ coins: Int) throws {
        guard coins <= coinLimit else { throw tooManyCoins }
    }

    /// How many coins there are on all lists and among the holdings, each once.
    static func coinCount(
        of user: UserID, besides coinId: String = "", in database: GRDB.Database
    ) throws -> Int {
        try coinIds(of: user, in: database).subtracting([coinId]).count
    }

    /// The coins on all lists and among the holdings.
    static func coinIds(of user: UserID, in database: GRDB.Database) throws -> Set<String> {
        try String.fetchSet(
            database.cachedStatement(
                sql: """
                    SELECT coin_id FROM watchlist_items JOIN watchlists ON id = list_id
                    WHERE user_id = :user AND removed_at IS NULL
                    UNION SELECT coin_id FROM coin_holdings WHERE user_id = :user AND removed_at IS NULL
                    """), arguments: ["user": user])
    }

    private static func choose(
        _ sort: WatchlistOrder, for list: WatchlistID, in database: GRDB.Database
    ) throws {
        try database.execute(
            sql: "UPDATE watchlists SET sort = ? WHERE id = ?", arguments: [sort.rawValue, list])
    }

    static func insert(
        _ stored: StoredItem, _ list: WatchlistID, into database: GRDB.Database
    ) throws {
        do {
            try database.execute(
                sql: """
                    INSERT INTO watchlist_items (list_id, coin_id, symbol, name, date_added, sort_order)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    list, stored.item.coinId, stored.symbol, stored.name,
                    stored.item.dateAdded.timeIntervalSince1970, stored.item.sortOrder,
                ])
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY {
            throw WatchlistError.coinAlreadyExists
        }
    }

    package static let stored = [
        StoredRows("watchlists") { row in
            _ = (try list(row), try row.timeIfPresent("removed_at"))
        },
        StoredRows("watchlist_items") { row in _ = (try row.id("list_id"), try item(row)) },
        StoredRows("watchlist_removed") { row in
            _ = (try row.id("list_id"), try item(row), try row.time("removed_at"))
        },
        StoredRows("watchlist_choices") { row in _ = (try row.id("user_id"), try choices(row)) },
        StoredRows("coin_notes") { row in
            _ = (try row.id("user_id"), try row.text("coin_id"), try note(row))
        },
        StoredRows("coin_holdings") { row in
            _ = (try row.id("user_id"), try holding(row), try row.timeIfPresent("removed_at"))
        },
        StoredRows("coin_wallets") { row in
            _ = (try row.id("user_id"), try wallet(row), try row.timeIfPresent("removed_at"))
        },
    ]

    /// Far beyond any list's length, and far from where adding one overflows.
    static let lastPlace = 1_000_000

    private static func count(of list: WatchlistID, in database: GRDB.Database) throws -> Int {
        try Int.fetchOne(
            database.cachedStatement(sql: "SELECT count(*) FROM watchlist_items WHERE list_id = ?"),
            arguments: [list]) ?? 0
    }

    static func items(
        of list: WatchlistID, limit: Int? = nil, in database: GRDB.Database
    ) throws -> [StoredItem] {
        try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT coin_id, symbol, name, date_added, sort_order FROM watchlist_items
                    WHERE list_id = ? ORDER BY sort_order, coin_id LIMIT ?
                    """), arguments: [list, limit ?? -1]
        ).readable { row in
            var columns = RowReader(row)
            return try item(
                coinId: try columns.text(), symbol: try columns.text(), name: try columns.text(),
                dateAdded: try columns.time(), sortOrder: try columns.count())
        }
    }

    private static func item(_ row: Row) throws -> StoredItem {
        try item(
            coinId: try row.text("coin_id"), symbol: try row.text("symbol"), name: try row.text("name"),
            dateAdded: try row.time("date_added"),
            sortOrder: try row.number("sort_order", in: 0...lastPlace))
    }

    private static func item(
        coinId: String, symbol: String, name: String, dateAdded: Date, sortOrder: Int
    ) throws -> StoredItem {
        guard WatchlistItem.isPossible(coinId) else { throw ImpossibleValue(column: "coin_id") }
        guard sortOrder <= lastPlace else { throw ImpossibleValue(column: "sort_order") }
        return StoredItem(
            item: try WatchlistItem(coinId: coinId, dateAdded: dateAdded, sortOrder: sortOrder),
            symbol: symbol, name: name)
    }
}
