package import RoostSupport
import TextFormats

/// A user's lists and their appearance. Other users' lists throw `RoostError.notFound`.
extension WatchlistService {
    /// The user's lists in order; never empty for an existing user.
    package func lists(_ reads: Reads, of user: UserID) throws -> [Watchlist] {
        try reads.watchlists(of: user)
    }

    package func lists(of user: UserID) async throws -> [Watchlist] {
        try await database.read { try lists($0, of: user) }
    }

    /// Throws `RoostError.notFound`, also for another user's list.
    package func list(_ reads: Reads, _ id: WatchlistID, of user: UserID) throws -> Watchlist {
        try reads.watchlist(id, of: user)
    }

    package func list(_ id: WatchlistID, of user: UserID) async throws -> Watchlist {
        try await database.read { try list($0, id, of: user) }
    }

    /// Adds an empty list at the end. Throws `RoostError.invalid(field: "name")`, and `RoostError.conflict` if the user
    /// has a list with this name.
    @discardableResult
    package func addList(name: String, for user: UserID) async throws -> Watchlist {
        let name = try Self.listName(name)
        return try await changing(user) { writes in
            let lists = try writes.watchlists(of: user)
            try Self.checkLists(lists, field: "name")
            try Self.checkName(name, among: lists)
            return try writes.addWatchlist(name, of: user, at: (lists.map(\.position).max() ?? -1) + 1)
        }
    }

    /// Throws the errors of `addList`.
    @discardableResult
    package func renameList(_ id: WatchlistID, to name: String, for user: UserID) async throws -> Watchlist {
        let name = try Self.listName(name)
        return try await changing(user) { writes in
            let lists = try writes.watchlists(of: user)
            _ = try WatchlistStore.list(id, among: lists)
            try Self.checkName(name, among: lists.filter { $0.id != id })
            return try writes.renameWatchlist(id, to: name, of: user)
        }
    }

    /// Moves a list by one position, unless it is already at the end.
    package func moveList(_ id: WatchlistID, _ direction: Direction, for user: UserID) async throws {
        try await changing(user) { writes in
            var order = try writes.watchlists(of: user).map(\.id)
            guard let index = order.firstIndex(of: id) else { throw WatchlistStore.unknownList }
            let target = direction == .up ? index - 1 : index + 1
            guard order.indices.contains(target) else { return }
            order.swapAt(index, target)
            try writes.setWatchlistOrder(order)
        }
    }

    @discardableResult
    package func showTotals(
        _ shows: Bool, of id: WatchlistID, for user: UserID
    ) async throws -> Watchlist {
        try await changing(user) { try $0.showTotals(shows, of: id, for: user) }
    }

    /// Removes a list with its coins. `undoRemoveList` restores it for a day. Throws `RoostError.conflict` for the
    /// user's only list.
    @discardableResult
    package func removeList(_ id: WatchlistID, of user: UserID) async throws -> Watchlist {
        try await changing(user) { [now = clock.now()] writes in
            let lists = try writes.watchlists(of: user)
            let list = try WatchlistStore.list(id, among: lists)
            guard lists.count > 1 else {
                throw RoostError.conflict(
                    field: "list", why: "This is your only list. Add another one before you remove it.")
            }
            try writes.remove(.list(id), of: user, at: now)
            return list
        }
    }

    @discardableResult
    package func undoRemoveList(_ id: WatchlistID, of user: UserID) async throws -> Watchlist {
        let restored = try await changing(user) { writes in
            try Self.checkLists(writes.watchlists(of: user), field: "list")
            guard let rows = try writes.takeRemoved(.list(id), of: user) else {
                throw WatchlistStore.unknownList
            }
            try writes.insert(rows)
            try Self.checkCoins(of: user, writes)
            return try writes.watchlist(id, of: user)
        }
        prices.watch(in: try await currency(of: user))
        return restored
    }

    package func preferences(_ reads: Reads, of user: UserID) throws -> WatchlistPreferences {
        try reads.watchlistPreferences(of: user)
    }

    /// Drops repeated columns. Throws `RoostError.invalid(field: "currency")` for an unsupported one.
    package func setPreferences(_ preferences: WatchlistPreferences, of user: UserID) async throws {
        var preferences = preferences.withColumnsOnce
        if let currency = preferences.currency {
            preferences.currency = try supportedCurrency(currency)
        }
        try await changing(user) { [preferences] in try $0.setPreferences(preferences, of: user) }
        prices.watch(in: preferences.currency ?? prices.currency)
    }

    /// CoinGecko's code of a currency. Throws `RoostError.invalid(field: "currency")` for an unsupported one.
    package func supportedCurrency(_ currency: String) throws -> String {
        guard currencies.contains(currency) else {
            throw RoostError.invalid(field: "currency", why: "CoinGecko has no prices in this currency.")
        }
        return Currency.code(currency)
    }

    /// In code points.
    package static let maximumListName = 64

    static func listName(_ name: String) throws -> String {
        let name = try OwnText.line(name, field: "name", limit: maximumListName)
        guard !name.isBlank else {
            throw RoostError.invalid(field: "name", why: "Enter a name for the list.")
        }
        return name
    }

    static func checkName(_ name: String, among lists: [Watchlist]) throws {
        let folded = FoldedText(lines: [name])
        guard !lists.contains(where: { FoldedText(lines: [$0.name]) == folded }) else {
            throw RoostError.conflict(field: "name", why: "You already have a list with this name.")
        }
    }
}

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
