import Foundation
import GRDB
package import RoostSupport

/// Watchlists in SQLite. The schema allows a coin once on each list, and gives each new user a list.
package enum WatchlistStore {
    struct Contents: Sendable {
        let list: Watchlist
        let lists: [Watchlist]
        /// In "My order".
        let items: [StoredItem]
        /// The number of coins on the list, even if `items` has fewer.
        let count: Int
        let preferences: WatchlistPreferences
        let notes: [String: CoinNote]
        let holdings: [Holding]
    }

    package static let stored = [
        StoredRows("watchlists", Watchlist.self) { _, row in
            _ = try row.number("place", in: 0...maximumPosition)
        },
        StoredRows("watchlist_items", StoredItem.self, ids: ["list_id"], check),
        StoredRows("coin_notes", CoinNote.self, ids: ["user_id"], others: ["coin_id"]) { note, row in
            _ = (try check(note), try row.text("coin_id"))
        },
        StoredRows("coin_holdings", Holding.self, ids: ["user_id"]) { holding, _ in try check(holding) },
        StoredRows("coin_wallets", Wallet.self, ids: ["user_id"]) { wallet, _ in try check(wallet) },
        RemovedRow.stored,
    ]

    /// The currency in a row of `preferences`; NULL if another program has damaged the row.
    static let currency = "iif(json_valid(value), value ->> 'currency', NULL)"

    /// Far above any list's length, but low enough for adding one without overflow.
    static let maximumPosition = 1_000_000

    static let listColumns = Watchlist.selection(of: "watchlists")
    fileprivate static let itemColumns = StoredItem.selection(of: "watchlist_items")

    @Sendable fileprivate static func check(_ stored: StoredItem, _ row: Row) throws {
        guard WatchlistItem.isPossible(stored.item.coinId) else { throw ImpossibleValue(column: "coin_id") }
        guard (0...maximumPosition).contains(stored.item.sortOrder) else {
            throw ImpossibleValue(column: "sort_order")
        }
    }
}

extension Reads {
    /// A list with all its data. Throws `RoostError.notFound`, also for another user's list.
    ///
    /// - Parameter first: returns only this many coins, without notes and holdings; orders other than "My order" need
    ///   all coins
    func watchlistContents(
        _ id: WatchlistID?, of user: UserID, first: Int? = nil
    ) throws -> WatchlistStore.Contents {
        let lists = try watchlists(of: user)
        let list = try WatchlistStore.list(id, among: lists)
        let limit = list.sort == .mine ? first : nil
        let items = try watchlistItems(of: list.id, limit: limit)
        return WatchlistStore.Contents(
            list: list, lists: lists, items: items,
            count: limit == nil ? items.count : try coinCount(on: list.id),
            preferences: try preferences(of: user), notes: first == nil ? try coinNotes(of: user) : [:],
            holdings: first == nil ? try holdings(of: user) : [])
    }

    func watchlistItems(of list: WatchlistID, limit: Int? = nil) throws -> [StoredItem] {
        try database.cursor(
            """
            SELECT \(WatchlistStore.itemColumns) FROM watchlist_items
            WHERE list_id = ? ORDER BY sort_order, coin_id LIMIT ?
            """, [list, limit ?? -1]
        ).readable { try StoredItem($0) }
    }

    func watchlistItem(_ coinId: String, on list: WatchlistID) throws -> StoredItem? {
        try database.row(
            """
            SELECT \(WatchlistStore.itemColumns) FROM watchlist_items
            WHERE list_id = ? AND coin_id = ?
            """, [list, coinId]
        ).map { try StoredItem($0) }
    }

    /// In "My order".
    func coinIds(on list: WatchlistID) throws -> [String] {
        try database.values(
            String.self, "SELECT coin_id FROM watchlist_items WHERE list_id = ? ORDER BY sort_order, coin_id",
            [list])
    }

    func coinCount(on list: WatchlistID) throws -> Int {
        try database.value(Int.self, "SELECT count(*) FROM watchlist_items WHERE list_id = ?", [list]) ?? 0
    }

    /// The position after the last coin.
    ///
    /// - Parameter maximum: positions above it are ignored
    func nextPosition(on list: WatchlistID, ignoringAbove maximum: Int) throws -> Int {
        let last = try database.value(
            Int.self, "SELECT max(sort_order) FROM watchlist_items WHERE list_id = ? AND sort_order <= ?",
            [list, maximum])
        return last.map { $0 + 1 } ?? 0
    }

    /// The coins on all lists of the user and in their holdings.
    func coinIds(of user: UserID) throws -> Set<String> {
        try Set(
            database.values(
                String.self,
                """
                SELECT coin_id FROM watchlist_items JOIN watchlists ON id = list_id
                WHERE user_id = :user UNION SELECT coin_id FROM coin_holdings WHERE user_id = :user
                """, ["user": user]))
    }

    /// The coins on lists and in holdings, by the currency in which their owners see them.
    ///
    /// - Parameter standard: the currency of users who chose none
    func coinsOfUsers(standardCurrency standard: String) throws -> [String: Set<String>] {
        let rows = try database.cursor(
            """
            WITH watched (user_id, coin_id) AS (
                SELECT user_id, coin_id FROM watchlist_items JOIN watchlists ON id = list_id
                UNION SELECT user_id, coin_id FROM coin_holdings)
            SELECT DISTINCT \(WatchlistStore.currency) AS currency, coin_id FROM watched
            LEFT JOIN preferences ON preferences.user_id = watched.user_id AND preferences.name = 'watchlist'
            """)
        let coins = try rows.readable { row in
            (currency: try row.textIfPresent("currency") ?? standard, id: try row.text("coin_id"))
        }
        return coins.reduce(into: [:]) { $0[$1.currency, default: []].insert($1.id) }
    }
}

extension Writes {
    /// Throws `WatchlistError.coinAlreadyExists`.
    func addItem(_ stored: StoredItem, to list: WatchlistID) throws {
        do {
            try insert(stored, into: "watchlist_items", keys: ["list_id": list])
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY {
            throw WatchlistError.coinAlreadyExists
        }
    }

    func setCoinOrder(_ order: [String], of list: WatchlistID) throws {
        let statement = try database.makeStatement(
            sql: "UPDATE watchlist_items SET sort_order = ? WHERE list_id = ? AND coin_id = ?")
        for (position, coinId) in order.enumerated() {
            try statement.execute(arguments: [position, list, coinId])
        }
    }
}
