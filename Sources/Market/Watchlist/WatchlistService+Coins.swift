package import RoostSupport

/// What a user writes to a coin and has of it, on whatever list it stands, or on none. What is not the user's is not there:
/// `RoostError.notFound`.
extension WatchlistService {
    /// By coin.
    package func notes(of user: UserID) async throws -> [String: CoinNote] {
        try await store.notes(of: user)
    }

    /// The note of one coin; `CoinNote.none` if the user wrote nothing.
    package func note(of user: UserID, coin: String) async throws -> CoinNote {
        try await store.notes(of: user)[coin] ?? .none
    }

    /// Keeps what is to be said of a coin; an empty note removes it. Throws `WatchlistError.coinNotFound`.
    package func setNote(_ note: CoinNote, of coin: String, for user: UserID) async throws {
        try await checkCoin(coin, of: user)
        try await changing(user) { try await store.setNote(note, of: coin, for: user) }
    }

    /// Throws `RoostError.notFound` for a holding that is not the user's.
    package func holding(_ id: HoldingID, of user: UserID) async throws -> Holding {
        guard let holding = try await store.holdings(of: user, coin: nil).first(where: { $0.id == id }) else {
            throw WatchlistStore.unknownHolding
        }
        return holding
    }

    /// In the order in which they were noted.
    package func holdings(of user: UserID, coin: String? = nil) async throws -> [Holding] {
        try await store.holdings(of: user, coin: coin)
    }

    /// What the user has of one coin; nil for nothing. Asking for it counts as looking at its price.
    ///
    /// - Parameter currency: nil: the user's
    package func totals(of user: UserID, coin: String, currency: String? = nil) async throws -> CoinTotals? {
        let holdings = try await store.holdings(of: user, coin: coin)
        guard !holdings.isEmpty else { return nil }
        let own = try await self.currency(of: user)
        let currency = currency ?? own
        prices.want([coin], in: currency)
        let snapshot = prices.snapshot(in: currency)
        let known = snapshot.board[coin]?.quote.coin
        return CoinTotals(
            holdings, price: known?.currentPrice, change: known?.priceChange24h, currency: snapshot.currency)
    }

    /// Throws `WatchlistError.coinNotFound`, and `RoostError.invalid` where there is no room.
    @discardableResult
    package func addHolding(_ holding: NewHolding, for user: UserID) async throws -> Holding {
        try await checkCoin(holding.coinId, of: user)
        _ = try holding.currency.map(known)
        let added = try await changing(user) { try await store.addHolding(holding, for: user) }
        try await wantNow([holding.coinId], user)
        return added
    }

    @discardableResult
    package func editHolding(
        _ id: HoldingID, to holding: NewHolding, for user: UserID
    ) async throws -> Holding {
        try await checkCoin(holding.coinId, of: user)
        _ = try holding.currency.map(known)
        let edited = try await changing(user) { try await store.editHolding(id, to: holding, for: user) }
        try await wantNow([holding.coinId], user)
        return edited
    }

    /// `undoRemoveHolding` brings it back, for a day.
    @discardableResult
    package func removeHolding(_ id: HoldingID, of user: UserID) async throws -> Holding {
        let removed = try await changing(user) {
            try await store.removeHolding(id, of: user, at: clock.now())
        }
        undos.note(.holding(id), lasting: WatchlistStore.undoSeconds)
        return removed
    }

    @discardableResult
    package func undoRemoveHolding(_ id: HoldingID, of user: UserID) async throws -> Holding {
        let date = undos.dateToJudge(.holding(id))
        return try await changing(user) { try await store.restoreHolding(id, of: user, at: date) }
    }

    /// In the order in which they were noted.
    package func wallets(of user: UserID, coin: String? = nil) async throws -> [Wallet] {
        try await store.wallets(of: user, coin: coin)
    }

    /// Throws `WatchlistError.coinNotFound`, and `RoostError.invalid` where there is no room.
    @discardableResult
    package func addWallet(_ wallet: NewWallet, for user: UserID) async throws -> Wallet {
        try await checkCoin(wallet.coinId, of: user)
        return try await changing(user) { try await store.addWallet(wallet, for: user) }
    }

    @discardableResult
    package func editWallet(_ id: WalletID, to wallet: NewWallet, for user: UserID) async throws -> Wallet {
        try await checkCoin(wallet.coinId, of: user)
        return try await changing(user) { try await store.editWallet(id, to: wallet, for: user) }
    }

    /// `undoRemoveWallet` brings it back, for a day.
    @discardableResult
    package func removeWallet(_ id: WalletID, of user: UserID) async throws -> Wallet {
        let removed = try await changing(user) {
            try await store.removeWallet(id, of: user, at: clock.now())
        }
        undos.note(.wallet(id), lasting: WatchlistStore.undoSeconds)
        return removed
    }

    @discardableResult
    package func undoRemoveWallet(_ id: WalletID, of user: UserID) async throws -> Wallet {
        let date = undos.dateToJudge(.wallet(id))
        return try await changing(user) { try await store.restoreWallet(id, of: user, at: date) }
    }

    /// Throws `WatchlistError` for what is no coin that CoinGecko knows, or that is the user's since it did.
    package func checkCoin(_ coin: String, of user: UserID) async throws {
        guard WatchlistItem.isPossible(coin) else { throw WatchlistError.invalidCoinId }
        guard try await !store.knows(coin, user) else { return }
        _ = try await knownCoin(coin)
    }
}
