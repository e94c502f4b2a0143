import Foundation
import GRDB
package import RoostSupport
import TextFormats

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
            preferences: try watchlistPreferences(of: user),
            notes: first == nil ? try coinNotes(of: user) : [:],
            holdings: first == nil ? try holdings(of: user) : [])
    }

    func watchlistPreferences(of user: UserID) throws -> WatchlistPreferences {
        // Imported preferences were not checked.
        try preferences(WatchlistPreferences.self, of: user).withColumnsOnce
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

extension WatchlistStore {
    static let unknownList = RoostError.notFound("There is no such list.")

    /// This list, or the first one for nil. Throws `RoostError.notFound`.
    static func list(_ id: WatchlistID?, among lists: [Watchlist]) throws -> Watchlist {
        guard let list = id == nil ? lists.first : lists.first(where: { $0.id == id }) else {
            throw unknownList
        }
        return list
    }
}

extension Reads {
    func watchlists(of user: UserID) throws -> [Watchlist] {
        try database.cursor(
            """
            SELECT \(WatchlistStore.listColumns) FROM watchlists
            WHERE user_id = ? ORDER BY place, id
            """, [user]
        ).readable { try Watchlist($0) }
    }

    /// This list, or the user's first one for nil. Throws `RoostError.notFound`, also for another user's list.
    func watchlist(_ id: WatchlistID?, of user: UserID) throws -> Watchlist {
        try WatchlistStore.list(id, among: watchlists(of: user))
    }

    func watchlists(of user: UserID, holding coinId: String) throws -> Set<WatchlistID> {
        try Set(
            database.values(
                WatchlistID.self,
                """
                SELECT id FROM watchlists WHERE user_id = ? AND EXISTS (
                    SELECT 1 FROM watchlist_items WHERE list_id = watchlists.id AND coin_id = ?)
                """, [user, coinId]))
    }

}

extension Writes {
    func addWatchlist(_ name: String, of user: UserID, at position: Int) throws -> Watchlist {
        try database.execute(
            sql: "INSERT INTO watchlists (user_id, name, place) VALUES (?, ?, ?)",
            arguments: [user, name, position])
        return try watchlist(database.lastInsertedRowID, of: user)
    }

    /// Throws `RoostError.notFound`, like `showTotals`.
    func renameWatchlist(_ id: WatchlistID, to name: String, of user: UserID) throws -> Watchlist {
        try changeWatchlist(id, of: user, "name = ?", [name])
    }

    func showTotals(_ shows: Bool, of id: WatchlistID, for user: UserID) throws -> Watchlist {
        try changeWatchlist(id, of: user, "shows_totals = ?", [shows])
    }

    func setSort(_ sort: WatchlistOrder, of list: WatchlistID) throws {
        try database.execute(
            sql: "UPDATE watchlists SET sort = ? WHERE id = ?", arguments: [sort.rawValue, list])
    }

    func setWatchlistOrder(_ order: [WatchlistID]) throws {
        for (position, id) in order.enumerated() {
            try database.execute(
                sql: "UPDATE watchlists SET place = ? WHERE id = ?", arguments: [position, id])
        }
    }

    private func changeWatchlist(
        _ id: WatchlistID, of user: UserID, _ assignment: String, _ arguments: StatementArguments
    ) throws -> Watchlist {
        try database.execute(
            sql: "UPDATE watchlists SET \(assignment) WHERE id = ? AND user_id = ?",
            arguments: arguments + [id, user])
        return try watchlist(id, of: user)
    }
}

extension WatchlistStore {
    fileprivate static let noteColumns = CoinNote.selection(of: "coin_notes")
    fileprivate static let holdingColumns = Holding.selection(of: "coin_holdings")
    fileprivate static let walletColumns = Wallet.selection(of: "coin_wallets")

    static func check(_ note: CoinNote) throws {
        _ = try possible("note") { try CoinNote(note: note.note, category: note.category) }
    }

    static func check(_ holding: Holding) throws {
        _ = try possible("amount") {
            try NewHolding(
                coinId: holding.coinId, amount: holding.amount, price: holding.price,
                currency: holding.currency, boughtOn: holding.boughtOn, note: holding.note)
        }
    }

    static func check(_ wallet: Wallet) throws {
        _ = try possible("address") {
            try NewWallet(coinId: wallet.coinId, address: wallet.address, label: wallet.label)
        }
    }

    /// Values that today's validation rejects are reported as damaged rows.
    private static func possible<Value>(_ column: String, _ make: () throws -> Value) throws -> Value {
        do { return try make() } catch { throw ImpossibleValue(column: column) }
    }
}

extension Reads {
    /// Whether the coin is on one of the user's lists, or has a holding, wallet or note.
    func hasData(about coinId: String, of user: UserID) throws -> Bool {
        try database.value(
            Bool.self,
            """
            SELECT EXISTS (SELECT 1 FROM watchlist_items JOIN watchlists ON id = list_id
                    WHERE user_id = :user AND coin_id = :coin)
                OR EXISTS (SELECT 1 FROM coin_holdings WHERE user_id = :user AND coin_id = :coin)
                OR EXISTS (SELECT 1 FROM coin_wallets WHERE user_id = :user AND coin_id = :coin)
                OR EXISTS (SELECT 1 FROM coin_notes WHERE user_id = :user AND coin_id = :coin)
            """, ["user": user, "coin": coinId]) ?? false
    }

    func coinNotes(of user: UserID) throws -> [String: CoinNote] {
        let notes = try database.cursor(
            "SELECT \(WatchlistStore.noteColumns), coin_id FROM coin_notes WHERE user_id = ?", [user]
        ).readable { (coin: try $0.text("coin_id"), note: try CoinNote($0)) }
        return Dictionary(notes.map { ($0.coin, $0.note) }) { first, _ in first }
    }

    func coinNote(of coinId: String, of user: UserID) throws -> CoinNote? {
        try database.rows(
            "SELECT \(WatchlistStore.noteColumns) FROM coin_notes WHERE user_id = ? AND coin_id = ?",
            [user, coinId]
        ).readable { try CoinNote($0) }.first
    }

    func noteCount(of user: UserID, besides coinId: String) throws -> Int {
        try database.value(
            Int.self, "SELECT count(*) FROM coin_notes WHERE user_id = ? AND coin_id <> ?", [user, coinId])
            ?? 0
    }

    func holdings(of user: UserID, coin: String? = nil) throws -> [Holding] {
        try holdings(of: user, coin == nil ? "" : "AND coin_id = ?", coin.map { [$0] } ?? [])
    }

    func holding(_ id: HoldingID, of user: UserID) throws -> Holding? {
        try holdings(of: user, "AND id = ?", [id]).first
    }

    func holdingCount(of user: UserID) throws -> Int { try count("coin_holdings", of: user) }

    func wallets(of user: UserID, coin: String? = nil) throws -> [Wallet] {
        try wallets(of: user, coin == nil ? "" : "AND coin_id = ?", coin.map { [$0] } ?? [])
    }

    func wallet(_ id: WalletID, of user: UserID) throws -> Wallet? {
        try wallets(of: user, "AND id = ?", [id]).first
    }

    func walletCount(of user: UserID) throws -> Int { try count("coin_wallets", of: user) }

    private func holdings(
        of user: UserID, _ condition: String, _ arguments: StatementArguments
    ) throws -> [Holding] {
        try database.cursor(
            """
            SELECT \(WatchlistStore.holdingColumns) FROM coin_holdings
            WHERE user_id = ? \(condition) ORDER BY id
            """, [user] + arguments
        ).readable { try Holding($0) }
    }

    private func wallets(
        of user: UserID, _ condition: String, _ arguments: StatementArguments
    ) throws -> [Wallet] {
        try database.rows(
            """
            SELECT \(WatchlistStore.walletColumns) FROM coin_wallets
            WHERE user_id = ? \(condition) ORDER BY id
            """, [user] + arguments
        ).readable { try Wallet($0) }
    }

    private func count(_ table: String, of user: UserID) throws -> Int {
        try database.value(
            Int.self, "SELECT count(*) FROM \(table) WHERE user_id = ?", [user]) ?? 0
    }
}

extension Writes {
    /// Saves a note; an empty one is deleted.
    func setNote(_ note: CoinNote, of coinId: String, for user: UserID) throws {
        guard !note.isEmpty else {
            return try database.execute(
                sql: "DELETE FROM coin_notes WHERE user_id = ? AND coin_id = ?", arguments: [user, coinId])
        }
        try insert(
            note, into: "coin_notes", keys: ["user_id": user, "coin_id": coinId], isReplacing: true)
    }

    @discardableResult
    func addHolding(_ holding: NewHolding, for user: UserID) throws -> Holding {
        let id = try insert(holding, into: "coin_holdings", keys: ["user_id": user])
        return Holding(id: id, details: holding)
    }

    /// Returns false if the user has no such holding.
    func editHolding(_ id: HoldingID, to holding: NewHolding, of user: UserID) throws -> Bool {
        try update("coin_holdings", with: holding, where: "id = ? AND user_id = ?", [id, user])
        return database.changesCount > 0
    }

    func addWallet(_ wallet: NewWallet, for user: UserID) throws -> Wallet {
        let id = try insert(wallet, into: "coin_wallets", keys: ["user_id": user])
        return Wallet(id: id, details: wallet)
    }

    /// Returns false if the user has no such wallet.
    func editWallet(_ id: WalletID, to wallet: NewWallet, of user: UserID) throws -> Bool {
        try update("coin_wallets", with: wallet, where: "id = ? AND user_id = ?", [id, user])
        return database.changesCount > 0
    }
}
