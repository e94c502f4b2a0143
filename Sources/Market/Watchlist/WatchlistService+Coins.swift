package import RoostSupport

/// A user's notes, holdings and wallets, whether or not the coin is on a list. Other users' data throws
/// `RoostError.notFound`.
extension WatchlistService {
    package func notes(_ reads: Reads, of user: UserID) throws -> [String: CoinNote] {
        try reads.coinNotes(of: user)
    }

    package func note(_ reads: Reads, of user: UserID, coin: String) throws -> CoinNote {
        try notes(reads, of: user)[coin] ?? .none
    }

    /// Saves a note; an empty one deletes it. Throws `WatchlistError.coinNotFound`.
    package func setNote(_ note: CoinNote, of coin: String, for user: UserID) async throws {
        try await checkCoin(coin, of: user)
        try await changing(user) { writes in
            if !note.isEmpty {
                guard try writes.noteCount(of: user, besides: coin) < Self.noteLimit else {
                    throw Self.tooManyNotes
                }
            }
            try writes.setNote(note, of: coin, for: user)
        }
    }

    /// Throws `RoostError.notFound`, also for another user's holding.
    package func holding(_ reads: Reads, _ id: HoldingID, of user: UserID) throws -> Holding {
        try Self.holding(id, of: user, reads)
    }

    package func holdings(_ reads: Reads, of user: UserID, coin: String? = nil) throws -> [Holding] {
        try reads.holdings(of: user, coin: coin)
    }

    package func holdings(of user: UserID, coin: String? = nil) async throws -> [Holding] {
        try await database.read { try holdings($0, of: user, coin: coin) }
    }

    /// The totals of a user's holdings of one coin; nil without any. Counts as a view of its price. Uses the user's
    /// currency unless one is given.
    package func totals(_ reads: Reads, of user: UserID, coin: String, currency: String? = nil) throws
        -> CoinTotals?
    {
        let holdings = try holdings(reads, of: user, coin: coin)
        guard !holdings.isEmpty else { return nil }
        let own = try self.currency(reads, of: user)
        let currency = currency ?? own
        prices.watch([coin], in: currency)
        let snapshot = prices.snapshot(in: currency)
        let latest = snapshot.table[coin]?.quote.coin
        return CoinTotals(
            holdings, price: latest?.currentPrice, change: latest?.priceChange24h,
            currency: snapshot.currency)
    }

    /// Throws `WatchlistError.coinNotFound`, and `RoostError.invalid` beyond the limits.
    @discardableResult
    package func addHolding(_ holding: NewHolding, for user: UserID) async throws -> Holding {
        try await checkCoin(holding.coinId, of: user)
        _ = try holding.currency.map(supportedCurrency)
        let added = try await changing(user) { writes in
            try Self.checkHoldings(with: holding.coinId, of: user, adding: 1, writes)
            return try writes.addHolding(holding, for: user)
        }
        try await watchPrices(of: [holding.coinId], for: user)
        return added
    }

    @discardableResult
    package func editHolding(
        _ id: HoldingID, to holding: NewHolding, for user: UserID
    ) async throws -> Holding {
        try await checkCoin(holding.coinId, of: user)
        _ = try holding.currency.map(supportedCurrency)
        try await changing(user) { writes in
            try Self.checkCoins(with: holding.coinId, of: user, writes)
            guard try writes.editHolding(id, to: holding, of: user) else { throw Self.unknownHolding }
        }
        try await watchPrices(of: [holding.coinId], for: user)
        return Holding(id: id, details: holding)
    }

    /// Removes a holding. `undoRemoveHolding` restores it for a day.
    @discardableResult
    package func removeHolding(_ id: HoldingID, of user: UserID) async throws -> Holding {
        try await changing(user) { [now = clock.now()] writes in
            let holding = try Self.holding(id, of: user, writes)
            try writes.remove(.holding(id), of: user, at: now)
            return holding
        }
    }

    @discardableResult
    package func undoRemoveHolding(_ id: HoldingID, of user: UserID) async throws -> Holding {
        try await changing(user) { writes in
            guard let rows = try writes.takeRemoved(.holding(id), of: user) else { throw Self.unknownHolding }
            try writes.insert(rows)
            let holding = try Self.holding(id, of: user, writes)
            try Self.checkHoldings(with: holding.coinId, of: user, adding: 0, writes)
            return holding
        }
    }

    package func wallets(_ reads: Reads, of user: UserID, coin: String? = nil) throws -> [Wallet] {
        try reads.wallets(of: user, coin: coin)
    }

    package func wallets(of user: UserID, coin: String? = nil) async throws -> [Wallet] {
        try await database.read { try wallets($0, of: user, coin: coin) }
    }

    /// Throws `WatchlistError.coinNotFound`, and `RoostError.invalid` beyond the limit.
    @discardableResult
    package func addWallet(_ wallet: NewWallet, for user: UserID) async throws -> Wallet {
        try await checkCoin(wallet.coinId, of: user)
        return try await changing(user) { writes in
            try Self.checkWallets(of: user, adding: 1, writes)
            return try writes.addWallet(wallet, for: user)
        }
    }

    @discardableResult
    package func editWallet(_ id: WalletID, to wallet: NewWallet, for user: UserID) async throws -> Wallet {
        try await checkCoin(wallet.coinId, of: user)
        try await changing(user) { writes in
            guard try writes.editWallet(id, to: wallet, of: user) else { throw Self.unknownWallet }
        }
        return Wallet(id: id, details: wallet)
    }

    /// Removes a wallet. `undoRemoveWallet` restores it for a day.
    @discardableResult
    package func removeWallet(_ id: WalletID, of user: UserID) async throws -> Wallet {
        try await changing(user) { [now = clock.now()] writes in
            let wallet = try Self.wallet(id, of: user, writes)
            try writes.remove(.wallet(id), of: user, at: now)
            return wallet
        }
    }

    @discardableResult
    package func undoRemoveWallet(_ id: WalletID, of user: UserID) async throws -> Wallet {
        try await changing(user) { writes in
            guard let rows = try writes.takeRemoved(.wallet(id), of: user) else { throw Self.unknownWallet }
            try writes.insert(rows)
            let wallet = try Self.wallet(id, of: user, writes)
            try Self.checkWallets(of: user, adding: 0, writes)
            return wallet
        }
    }

    private static let unknownHolding = RoostError.notFound("There is no such holding.")
    private static let unknownWallet = RoostError.notFound("There is no such wallet.")

    private static func holding(_ id: HoldingID, of user: UserID, _ reads: Reads) throws -> Holding {
        guard let holding = try reads.holding(id, of: user) else { throw unknownHolding }
        return holding
    }

    private static func wallet(_ id: WalletID, of user: UserID, _ reads: Reads) throws -> Wallet {
        guard let wallet = try reads.wallet(id, of: user) else { throw unknownWallet }
        return wallet
    }

    /// Throws `WatchlistError` unless CoinGecko lists the coin, or the user has it or can restore it.
    package func checkCoin(_ coin: String, of user: UserID) async throws {
        guard WatchlistItem.isPossible(coin) else { throw WatchlistError.invalidCoinId }
        guard catalog.coin(id: coin) == nil else { return }
        let isOwn = try await database.read {
            try $0.hasData(about: coin, of: user) || $0.hasRemovedData(about: coin, of: user)
        }
        if isOwn { return }
        _ = try await listedCoin(coin)
    }

    /// The same without waiting for CoinGecko's list of coins.
    package func checkCoin(_ reads: Reads, _ coin: String, of user: UserID) throws {
        guard WatchlistItem.isPossible(coin) else { throw WatchlistError.invalidCoinId }
        guard try catalog.coin(id: coin) != nil || reads.hasData(about: coin, of: user) else {
            throw WatchlistError.coinNotFound
        }
    }
}
