import Foundation
import GRDB
import RoostSupport

/// Notes, holdings and wallets.
extension WatchlistStore {
    /// Far more than anybody writes by hand; a file may hold as many.
    static let (holdingLimit, noteLimit, walletLimit) = (5_000, 5_000, 500)

    /// Whether the coin is on a list of the user's, or something is noted of it.
    func knows(_ coinId: String, _ user: UserID) async throws -> Bool {
        try await database.fetch {
            try Bool.fetchOne(
                $0.cachedStatement(
                    sql: """
                        SELECT EXISTS (SELECT 1 FROM watchlist_items JOIN watchlists ON id = list_id
                                WHERE user_id = :user AND coin_id = :coin AND removed_at IS NULL)
                            OR EXISTS (SELECT 1 FROM coin_holdings WHERE user_id = :user AND coin_id = :coin)
                            OR EXISTS (SELECT 1 FROM coin_wallets WHERE user_id = :user AND coin_id = :coin)
                            OR EXISTS (SELECT 1 FROM coin_notes WHERE user_id = :user AND coin_id = :coin)
                        """), arguments: ["user": user, "coin": coinId]) ?? false
        }
    }

    func notes(of user: UserID) async throws -> [String: CoinNote] {
        try await database.fetch { try Self.notes(of: user, in: $0) }
    }

    func setNote(_ note: CoinNote, of coinId: String, for user: UserID) async throws {
        try await database.write { try Self.setNote(note, of: coinId, for: user, in: $0) }
    }

    func holdings(of user: UserID, coin: String?) async throws -> [Holding] {
        try await database.fetch { try Self.holdings(of: user, coin: coin, in: $0) }
    }

    func addHolding(_ holding: NewHolding, for user: UserID) async throws -> Holding {
        try await database.write { try Self.addHolding(holding, for: user, in: $0) }
    }

    /// Throws `RoostError.notFound` for a holding that is not the user's.
    func editHolding(_ id: HoldingID, to holding: NewHolding, for user: UserID) async throws -> Holding {
        try await database.write { database in
            try Self.checkCoins(with: holding.coinId, of: user, in: database)
            try database.execute(
                sql: """
                    UPDATE coin_holdings SET coin_id = ?, amount = ?, price = ?, currency = ?, bought_on = ?, note = ?
                    WHERE id = ? AND user_id = ? AND removed_at IS NULL
                    """, arguments: Self.arguments(holding) + [id, user])
            guard database.changesCount > 0 else { throw Self.unknownHolding }
            return Holding(id: id, details: holding)
        }
    }

    func removeHolding(_ id: HoldingID, of user: UserID, at now: Date) async throws -> Holding {
        try await database.write { database in
            guard
                let holding = try Self.holdings(of: user, coin: nil, in: database).first(where: {
                    $0.id == id
                }),
                try Self.take(id, from: "coin_holdings", of: user, at: now, in: database)
            else { throw Self.unknownHolding }
            return holding
        }
    }

    func restoreHolding(_ id: HoldingID, of user: UserID, at now: Date) async throws -> Holding {
        try await database.write { database in
            guard try Self.bringBack(id, to: "coin_holdings", of: user, at: now, in: database),
                let holding = try Self.holdings(of: user, coin: nil, in: database).first(where: {
                    $0.id == id
                })
            else { throw Self.unknownHolding }
            try Self.checkHoldings(with: holding.coinId, of: user, more: 0, in: database)
            return holding
        }
    }

    func wallets(of user: UserID, coin: String?) async throws -> [Wallet] {
        try await database.fetch { try Self.wallets(of: user, coin: coin, in: $0) }
    }

    func addWallet(_ wallet: NewWallet, for user: UserID) async throws -> Wallet {
        try await database.write { database in
            try Self.checkWallets(of: user, more: 1, in: database)
            try database.execute(
                sql: "INSERT INTO coin_wallets (user_id, coin_id, address, label) VALUES (?, ?, ?, ?)",
                arguments: [user, wallet.coinId, wallet.address, wallet.label])
            return Wallet(id: database.lastInsertedRowID, details: wallet)
        }
    }

    func editWallet(_ id: WalletID, to wallet: NewWallet, for user: UserID) async throws -> Wallet {
        try await database.write { database in
            try database.execute(
                sql: """
                    UPDATE coin_wallets SET coin_id = ?, address = ?, label = ?
                    WHERE id = ? AND user_id = ? AND removed_at IS NULL
                    """, arguments: [wallet.coinId, wallet.address, wallet.label, id, user])
            guard database.changesCount > 0 else { throw Self.unknownWallet }
            return Wallet(id: id, details: wallet)
        }
    }

    func removeWallet(_ id: WalletID, of user: UserID, at now: Date) async throws -> Wallet {
        try await database.write { database in
            guard
                let wallet = try Self.wallets(of: user, coin: nil, in: database).first(where: { $0.id == id }
                ),
                try Self.take(id, from: "coin_wallets", of: user, at: now, in: database)
            else { throw Self.unknownWallet }
            return wallet
        }
    }

    func restoreWallet(_ id: WalletID, of user: UserID, at now: Date) async throws -> Wallet {
        try await database.write { database in
            guard try Self.bringBack(id, to: "coin_wallets", of: user, at: now, in: database),
                let wallet = try Self.wallets(of: user, coin: nil, in: database).first(where: { $0.id == id })
            else { throw Self.unknownWallet }
            try Self.checkWallets(of: user, more: 0, in: database)
            return wallet
        }
    }

    static let unknownHolding = RoostError.notFound("This holding is not there.")
    private static let unknownWallet = RoostError.notFound("This wallet is not there.")

    static func notes(of user: UserID, in database: GRDB.Database) throws -> [String: CoinNote] {
        let rows = try Row.fetchCursor(
            database.cachedStatement(sql: "SELECT coin_id, note, category FROM coin_notes WHERE user_id = ?"),
            arguments: [user])
        let notes = try rows.readable { (coin: try $0.text("coin_id"), note: try note($0)) }
        return Dictionary(notes.map { ($0.coin, $0.note) }) { first, _ in first }
    }

    static func setNote(
        _ note: CoinNote, of coinId: String, for user: UserID, in database: GRDB.Database
    ) throws {
        if !note.isEmpty {
            let others = try Int.fetchOne(
                database.cachedStatement(
                    sql: "SELECT count(*) FROM coin_notes WHERE user_id = ? AND coin_id <> ?"),
                arguments: [user, coinId])
            guard (others ?? 0) < noteLimit else { throw Self.tooManyNotes }
        }
        try keepNote(note, of: coinId, for: user, in: database)
    }

    static let tooManyNotes = RoostError.invalid(
        field: "note", why: "There can be \(noteLimit) notes at most.")

    static func keepNote(
        _ note: CoinNote, of coinId: String, for user: UserID, in database: GRDB.Database
    ) throws {
        guard !note.isEmpty else {
            return try database.execute(
                sql: "DELETE FROM coin_notes WHERE user_id = ? AND coin_id = ?", arguments: [user, coinId])
        }
        try database.execute(
            sql: "INSERT OR REPLACE INTO coin_notes (user_id, coin_id, note, category) VALUES (?, ?, ?, ?)",
            arguments: [user, coinId, note.note, note.category])
    }

    static func holdings(
        of user: UserID, coin: String?, in database: GRDB.Database
    ) throws -> [Holding] {
        let ofCoin = coin == nil ? "" : "AND coin_id = ?"
        return try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT id, coin_id, amount, price, currency, bought_on, note FROM coin_holdings
                    WHERE user_id = ? \(ofCoin) AND removed_at IS NULL ORDER BY id
                    """), arguments: coin.map { [user, $0] as StatementArguments } ?? [user]
        ).readable(holding)
    }

    static func addHolding(
        _ holding: NewHolding, for user: UserID, in database: GRDB.Database
    ) throws -> Holding {
        try checkHoldings(with: holding.coinId, of: user, more: 1, in: database)
        return try insert(holding, for: user, into: database)
    }

    @discardableResult
    static func insert(
        _ holding: NewHolding, for user: UserID, into database: GRDB.Database
    ) throws -> Holding {
        try database.execute(
            sql: """
                INSERT INTO coin_holdings (coin_id, amount, price, currency, bought_on, note, user_id)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """, arguments: arguments(holding) + [user])
        return Holding(id: database.lastInsertedRowID, details: holding)
    }

    private static func checkHoldings(
        with coinId: String, of user: UserID, more: Int, in database: GRDB.Database
    ) throws {
        let count = try Int.fetchOne(
            database.cachedStatement(
                sql: "SELECT count(*) FROM coin_holdings WHERE user_id = ? AND removed_at IS NULL"),
            arguments: [user])
        guard (count ?? 0) + more <= holdingLimit else { throw tooManyHoldings }
        try checkCoins(with: coinId, of: user, in: database)
    }

    static let tooManyHoldings = RoostError.invalid(
        field: "amount", why: "There can be \(holdingLimit) holdings at most.")

    private static func checkWallets(of user: UserID, more: Int, in database: GRDB.Database) throws {
        let count = try Int.fetchOne(
            database.cachedStatement(
                sql: "SELECT count(*) FROM coin_wallets WHERE user_id = ? AND removed_at IS NULL"),
            arguments: [user])
        guard (count ?? 0) + more <= walletLimit else {
            throw RoostError.invalid(field: "address", why: "There can be \(walletLimit) wallets at most.")
        }
    }

    private static func wallets(
        of user: UserID, coin: String?, in database: GRDB.Database
    ) throws -> [Wallet] {
        let ofCoin = coin == nil ? "" : "AND coin_id = ?"
        return try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT id, coin_id, address, label FROM coin_wallets
                    WHERE user_id = ? \(ofCoin) AND removed_at IS NULL ORDER BY id
                    """), arguments: coin.map { [user, $0] as StatementArguments } ?? [user]
        ).readable(wallet)
    }

    /// Marks a row as removed, and drops those that were removed before the last day; false where there is no such row.
    static func take(
        _ id: Int64, from table: String, of user: UserID, at now: Date, in database: GRDB.Database
    ) throws -> Bool {
        try database.execute(
            sql: "DELETE FROM \(table) WHERE user_id = ? AND removed_at < ?",
            arguments: [user, now.timeIntervalSince1970 - undoSeconds])
        try database.execute(
            sql: "UPDATE \(table) SET removed_at = ? WHERE id = ? AND user_id = ? AND removed_at IS NULL",
            arguments: [now.timeIntervalSince1970, id, user])
        return database.changesCount > 0
    }

    /// False where the row was not removed, or before the last day.
    static func bringBack(
        _ id: Int64, to table: String, of user: UserID, at now: Date, in database: GRDB.Database
    ) throws -> Bool {
        try database.execute(
            sql: "UPDATE \(table) SET removed_at = NULL WHERE id = ? AND user_id = ? AND removed_at >= ?",
            arguments: [id, user, now.timeIntervalSince1970 - undoSeconds])
        return database.changesCount > 0
    }

    static func note(_ row: Row) throws -> CoinNote {
        let (note, category) = (try row.text("note", maximumBytes: 8_192), try row.text("category"))
        return try possible("note") { try CoinNote(note: note, category: category) }
    }

    static func holding(_ row: Row) throws -> Holding {
        let id = try row.id("id")
        let (coinId, note) = (try row.text("coin_id"), try row.text("note"))
        let (amount, price) = (try row.text("amount"), try row.textIfPresent("price"))
        let (currency, day) = (try row.textIfPresent("currency"), try row.textIfPresent("bought_on"))
        let details = try possible("amount") {
            try NewHolding(
                coinId: coinId, amountText: amount, priceText: price, currency: currency, boughtOn: day,
                note: note)
        }
        return Holding(id: id, details: details)
    }

    static func wallet(_ row: Row) throws -> Wallet {
        let (id, coinId) = (try row.id("id"), try row.text("coin_id"))
        let (address, label) = (try row.text("address"), try row.text("label"))
        let details = try possible("address") {
            try NewWallet(coinId: coinId, address: address, label: label)
        }
        return Wallet(id: id, details: details)
    }

    /// What the rules of today refuse was never written by Roost.
    private static func possible<Value>(_ column: String, _ make: () throws -> Value) throws -> Value {
        do { return try make() } catch { throw ImpossibleValue(column: column) }
    }

    private static func arguments(_ holding: NewHolding) -> StatementArguments {
        [
            holding.coinId, holding.amount.plainText, holding.price?.plainText, holding.currency,
            holding.boughtOn, holding.note,
        ]
    }
}
