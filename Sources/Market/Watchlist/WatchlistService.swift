import Foundation
package import RoostSupport
import TextFormats

/// All actions on watchlists, for pages, the JSON API and displays.
package struct WatchlistService: Service {
    package struct List: Sendable {
        package let list: Watchlist
        package let lists: [Watchlist]
        package let entries: [WatchlistEntry]
        /// The number of coins on the list, even if `entries` has fewer.
        package let count: Int
        /// The saved order, even if another was requested.
        package let sort: WatchlistOrder
        package let prices: PriceSnapshot
        package let currency: String
        package let totals: ListTotals?
        package let preferences: WatchlistPreferences
    }

    package enum Direction: String, Sendable {
        case up, down
    }

    /// The maximum number of coins on a list; a full list takes two requests to CoinGecko.
    package static let limit = 500

    let database: Database
    let catalog: CoinCatalog
    let prices: PriceRefresher
    let currencies: SupportedCurrencies
    let feed: ChangeFeed
    let clock: WallClock

    package var userData: [UserData] {
        [
            .deleted(
                "Watchlists and their order",
                from: ["watchlists", "watchlist_items"]),
            .deleted(
                "Notes on coins, holdings and wallets", from: ["coin_notes", "coin_holdings", "coin_wallets"]),
        ]
    }

    /// A list, or the user's first one for nil. Counts as a view of its prices. Throws `RoostError.notFound`, also for
    /// another user's list.
    ///
    /// - Parameters:
    ///   - sort: overrides the saved order, for a display
    ///   - currency: overrides the user's currency, for a display
    ///   - first: returns only this many entries if possible, without notes and holdings
    package func list(
        _ reads: Reads, of user: UserID, _ id: WatchlistID? = nil, sort: WatchlistOrder? = nil,
        currency: String? = nil,
        first: Int? = nil
    ) throws -> List {
        let contents = try reads.watchlistContents(id, of: user, first: first)
        let own = contents.preferences.currency ?? prices.currency
        let currency = currency.map(Currency.code) ?? own
        if currency == own {
            prices.watch(in: currency)
        } else {
            // Coins on lists are only fetched in their owner's currency, so these must be requested by id.
            prices.watch(contents.items.map(\.item.coinId), in: currency)
        }
        let snapshot = prices.snapshot(in: currency)
        let holdings = Dictionary(grouping: contents.holdings, by: \.coinId)
        let entries = contents.items.map { stored in
            WatchlistEntry(
                stored: stored, prices: snapshot, note: contents.notes[stored.item.coinId] ?? .none,
                holdings: holdings[stored.item.coinId] ?? [])
        }
        // The store returns them in "My order".
        let sort = sort ?? contents.list.sort
        return List(
            list: contents.list, lists: contents.lists,
            entries: sort == .mine ? entries : sort.sorted(entries), count: contents.count,
            sort: contents.list.sort, prices: snapshot,
            currency: currency, totals: ListTotals(entries.compactMap(\.totals)),
            preferences: contents.preferences)
    }

    package func list(
        of user: UserID, _ id: WatchlistID? = nil, sort: WatchlistOrder? = nil, currency: String? = nil,
        first: Int? = nil
    ) async throws -> List {
        try await database.read { try list($0, of: user, id, sort: sort, currency: currency, first: first) }
    }

    package func coinIds(_ reads: Reads, of user: UserID, list: WatchlistID? = nil) throws -> Set<String> {
        Set(try reads.coinIds(on: reads.watchlist(list, of: user).id))
    }

    package func coinIds(of user: UserID, list: WatchlistID? = nil) async throws -> Set<String> {
        try await database.read { try coinIds($0, of: user, list: list) }
    }

    package func lists(_ reads: Reads, of user: UserID, holding coinId: String) throws -> Set<WatchlistID> {
        try reads.watchlists(of: user, holding: coinId)
    }

    package func currency(_ reads: Reads, of user: UserID) throws -> String {
        try preferences(reads, of: user).currency ?? prices.currency
    }

    package func currency(of user: UserID) async throws -> String {
        try await database.read { try currency($0, of: user) }
    }

    /// Adds a coin at the end of "My order". Throws `WatchlistError`, `.coinNotFound` if CoinGecko does not list it.
    @discardableResult
    package func add(
        _ coinId: String, to user: UserID, list: WatchlistID? = nil
    ) async throws -> CoinListItem {
        guard WatchlistItem.isPossible(coinId) else { throw WatchlistError.invalidCoinId }
        let coin = try await listedCoin(coinId)
        try await changing(user) { [now = clock.now()] writes in
            let list = try writes.watchlist(list, of: user).id
            guard try !writes.watchlists(of: user, holding: coin.id).contains(list) else {
                throw WatchlistError.coinAlreadyExists
            }
            try Self.checkRoom(for: coin.id, on: list, of: user, writes)
            let position = try writes.nextPosition(on: list, ignoringAbove: WatchlistStore.maximumPosition)
            let item = try WatchlistItem(coinId: coin.id, dateAdded: now, sortOrder: position)
            try writes.addItem(StoredItem(item: item, symbol: coin.symbol, name: coin.name), to: list)
        }
        try await watchPrices(of: [coinId], for: user)
        return coin
    }

    /// Removes a coin; `undoRemove` restores it. Throws `WatchlistError.coinNotFound`.
    @discardableResult
    package func remove(
        _ coinId: String, from user: UserID, list: WatchlistID? = nil
    ) async throws -> StoredItem {
        try await changing(user) { [now = clock.now()] writes in
            let list = try writes.watchlist(list, of: user).id
            guard let item = try writes.watchlistItem(coinId, on: list) else {
                throw WatchlistError.coinNotFound
            }
            try writes.remove(.coin(coinId, list), of: user, at: now)
            return item
        }
    }

    /// Restores a coin that was removed within the last day, with its position. Throws `WatchlistError`.
    @discardableResult
    package func undoRemove(
        _ coinId: String, for user: UserID, list: WatchlistID? = nil
    ) async throws -> StoredItem {
        let restored = try await changing(user) { writes in
            let list = try writes.watchlist(list, of: user).id
            guard let rows = try writes.takeRemoved(.coin(coinId, list), of: user) else {
                throw WatchlistError.coinNotFound
            }
            try Self.checkRoom(for: coinId, on: list, of: user, writes)
            guard try writes.watchlistItem(coinId, on: list) == nil else {
                throw WatchlistError.coinAlreadyExists
            }
            try writes.insert(rows)
            guard let item = try writes.watchlistItem(coinId, on: list) else {
                throw WatchlistError.coinNotFound
            }
            return item
        }
        try await watchPrices(of: [coinId], for: user)
        return restored
    }

    /// Sets "My order": the named coins first, then the others in their current order. Throws
    /// `RoostError.invalid("order")` for a coin that is not on the list or is named twice.
    package func reorder(
        _ order: [String], for user: UserID, list: WatchlistID? = nil
    ) async throws {
        try await reorder(list, of: user) { try Self.order($0, as: order) }
    }

    /// Moves a coin by one position, unless it is already at the end. Throws `WatchlistError.coinNotFound`.
    package func move(
        _ coinId: String, _ direction: Direction, for user: UserID, list: WatchlistID? = nil
    ) async throws {
        try await reorder(list, of: user) { present in
            guard let index = present.firstIndex(of: coinId) else { throw WatchlistError.coinNotFound }
            let target = direction == .up ? index - 1 : index + 1
            guard present.indices.contains(target) else { return present }
            var order = present
            order.swapAt(index, target)
            return order
        }
    }

    /// Rewrites "My order" and selects it.
    private func reorder(
        _ list: WatchlistID?, of user: UserID, _ change: @escaping @Sendable ([String]) throws -> [String]
    ) async throws {
        try await changing(user) { writes in
            let list = try writes.watchlist(list, of: user).id
            try writes.setCoinOrder(try change(writes.coinIds(on: list)), of: list)
            try writes.setSort(.mine, of: list)
        }
    }

    package func choose(
        _ sort: WatchlistOrder, for user: UserID, list: WatchlistID? = nil
    ) async throws {
        try await changing(user) { try $0.setSort(sort, of: $0.watchlist(list, of: user).id) }
    }

    /// Applies the requested order. Coins missing from it, such as one just added, follow in their current order.
    static func order(_ present: [String], as requested: [String]) throws -> [String] {
        let existing = Set(present)
        let named = Set(requested)
        guard named.count == requested.count else {
            throw RoostError.invalid(field: "order", why: "The order names a coin twice.")
        }
        if let unknownCoin = requested.first(where: { !existing.contains($0) }) {
            throw RoostError.invalid(field: "order", why: "“\(unknownCoin)” is not in your watchlist.")
        }
        return requested + present.filter { !named.contains($0) }
    }

    /// Notifies the displays of a deleted user, whose lists are gone too.
    package func forget(_ user: UserID) { feed.publish(Topic.watchlist(user)) }

    /// Writes, and publishes that the user's lists have changed.
    func changing<Value: Sendable>(
        _ user: UserID, _ work: @escaping @Sendable (Writes) throws -> Value
    ) async throws -> Value {
        try await database.write { writes in
            writes.publish(Topic.watchlist(user))
            return try work(writes)
        }
    }

    func watchPrices(of coins: [String], for user: UserID) async throws {
        prices.watch(coins, in: try await currency(of: user))
    }

    func listedCoin(_ coinId: String) async throws -> CoinListItem {
        if let coin = catalog.coin(id: coinId) { return coin }
        await catalog.waitUntilLoaded(within: .seconds(5))
        if let coin = catalog.coin(id: coinId) { return coin }
        guard catalog.count > 0 else {
            let cause = catalog.loading.error?.message(source: PriceRefresher.source)
            throw WatchlistError.networkError(cause ?? "The coin list is still loading.")
        }
        throw WatchlistError.coinNotFound
    }
}

extension Topic {
    package static func watchlist(_ user: UserID) -> String { "watchlist/\(user)" }
}
