import Foundation
import GRDB
import RoostSupport

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
