import RoostSupport

/// How much a user can store. Each check runs in the transaction that adds something.
extension WatchlistService {
    /// The maximum number of coins on all of a user's lists and holdings together: four requests to CoinGecko.
    static let coinLimit = 1_000
    /// The maximum number of lists: more would not fit as tabs.
    static let listLimit = 50
    /// Far more than anyone enters by hand; a file may contain as many.
    static let (holdingLimit, noteLimit, walletLimit) = (5_000, 5_000, 500)

    static let fullList = RoostError.invalid(
        field: "coinId", why: "A watchlist can have at most \(limit) coins.")
    static let tooManyCoins = RoostError.invalid(
        field: "coinId", why: "Your lists and holdings together can have at most \(coinLimit) coins.")
    static let tooManyNotes = RoostError.invalid(
        field: "note", why: "You can have at most \(noteLimit) notes.")
    static let tooManyHoldings = RoostError.invalid(
        field: "amount", why: "You can have at most \(holdingLimit) holdings.")

    static func checkRoom(
        for coinId: String, on list: WatchlistID, of user: UserID, _ reads: Reads
    ) throws {
        guard try reads.coinCount(on: list) < limit else { throw fullList }
        try checkCoins(with: coinId, of: user, reads)
    }

    static func checkCoins(with coinId: String? = nil, of user: UserID, _ reads: Reads) throws {
        var coins = try reads.coinIds(of: user)
        if let coinId { coins.insert(coinId) }
        guard coins.count <= coinLimit else { throw tooManyCoins }
    }

    static func checkLists(_ lists: [Watchlist], field: String) throws {
        guard lists.count < listLimit else {
            throw RoostError.invalid(field: field, why: "You can have at most \(listLimit) lists.")
        }
    }

    /// - Parameter new: how many holdings are about to be added
    static func checkHoldings(with coinId: String, of user: UserID, adding new: Int, _ reads: Reads) throws {
        guard try reads.holdingCount(of: user) + new <= holdingLimit else { throw tooManyHoldings }
        try checkCoins(with: coinId, of: user, reads)
    }

    /// - Parameter new: how many wallets are about to be added
    static func checkWallets(of user: UserID, adding new: Int, _ reads: Reads) throws {
        guard try reads.walletCount(of: user) + new <= walletLimit else {
            throw RoostError.invalid(field: "address", why: "You can have at most \(walletLimit) wallets.")
        }
    }
}
