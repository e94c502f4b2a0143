import Foundation
package import Logging
package import RoostSupport

/// What people do with their watchlists: every face of Roost (pages, JSON, displays) asks here.
package struct WatchlistService: Service {
    /// A list as it stands, ordered as its owner chose, with the state of the prices.
    package struct List: Sendable {
        package let list: Watchlist
        /// All of its owner's lists, in their order.
        package let lists: [Watchlist]
        package let entries: [WatchlistEntry]
        /// How many coins are on it.
        package let count: Int
        /// The remembered order, whatever was asked for.
        package let sort: WatchlistOrder
        package let prices: PriceSnapshot
        /// Of all prices and values.
        package let currency: String
        /// What the owner has of the coins on it; nil for nothing.
        package let totals: ListTotals?
        package let choices: WatchlistChoices
    }

    /// One step of a coin in "My order".
    package enum Direction: String, Sendable {
        case up, down
    }

    /// What can be put back.
    package enum Removal: Hashable, Sendable {
        case coin(String, WatchlistID)
        case list(WatchlistID)
        case holding(HoldingID)
        case wallet(WalletID)
    }

    /// Two requests to CoinGecko serve a full list.
    package static let limit = WatchlistStore.listLimit

    let store: WatchlistStore
    let catalog: CoinCatalog
    let prices: PriceRefresher
    let currencies: SupportedCurrencies
    let feed: ChangeFeed
    let clock: WallClock
    let undos: SteadyEnds<Removal>
    let log: Logger

    package init(
        store: WatchlistStore, catalog: CoinCatalog, prices: PriceRefresher, currencies: SupportedCurrencies,
        feed: ChangeFeed, clock: WallClock, undos: SteadyEnds<Removal>, log: Logger
    ) {
        self.store = store
        self.catalog = catalog
        self.prices = prices
        self.currencies = currencies
        self.feed = feed
        self.clock = clock
        self.undos = undos
        self.log = log
    }

    package var userData: [UserData] {
        [
            .deleted(
                "Watchlists, their order and how they look",
                from: ["watchlists", "watchlist_items", "watchlist_removed", "watchlist_choices"]),
            .deleted(
                "Notes to coins, holdings and wallets", from: ["coin_notes", "coin_holdings", "coin_wallets"]),
        ]
    }

    /// A list, the first where none is named; asking for it counts as looking at it. Throws `RoostError.notFound` for
    /// one that is not the user's.
    ///
    /// - Parameters:
    ///   - sort: another order than the remembered one, for a display
    ///   - currency: another one than the user's, for a display
    ///   - first: at least so many entries are enough, without what the user noted and has of the coins
    package func list(
        of user: UserID, _ id: WatchlistID? = nil, sort: WatchlistOrder? = nil, currency: String? = nil,
        first: Int? = nil
    ) async throws -> List {
        let contents = try await store.contents(of: user, id, first: first)
        let own = contents.choices.currency ?? prices.currency
        let currency = currency.map(Currency.code) ?? own
        if currency == own {
            prices.want(in: currency)
        } else {
            // No user has chosen this currency, so its coins have to be named.
            prices.want(contents.items.map(\.item.coinId), in: currency)
        }
        let snapshot = prices.snapshot(in: currency)
        let holdings = Dictionary(grouping: contents.holdings, by: \.coinId)
        let entries = contents.items.map { stored in
            WatchlistEntry(
                stored: stored, prices: snapshot, note: contents.notes[stored.item.coinId] ?? .none,
                holdings: holdings[stored.item.coinId] ?? [])
        }
        return List(
            list: contents.list, lists: contents.lists,
            entries: (sort ?? contents.list.sort).sorted(entries), count: contents.count,
            sort: contents.list.sort, prices: snapshot,
            currency: currency, totals: ListTotals(entries.compactMap(\.totals)), choices: contents.choices)
    }

    /// The coins on a list, without their prices.
    package func coinIds(of user: UserID, list: WatchlistID? = nil) async throws -> Set<String> {
        Set(try await store.items(of: user, list).map(\.item.coinId))
    }

    /// Which of the user's lists hold the coin.
    package func lists(of user: UserID, holding coinId: String) async throws -> Set<WatchlistID> {
        try await store.lists(of: user, holding: coinId)
    }

    /// The currency that the user sees prices in.
    package func currency(of user: UserID) async throws -> String {
        try await choices(of: user).currency ?? prices.currency
    }

    /// Adds a coin that CoinGecko knows, last in "My order". Throws `WatchlistError`.
    @discardableResult
    package func add(
        _ coinId: String, to user: UserID, list: WatchlistID? = nil
    ) async throws -> CoinListItem {
        guard WatchlistItem.isPossible(coinId) else { throw WatchlistError.invalidCoinId }
        let coin = try await knownCoin(coinId)
        try await saving { try await store.add(coin, to: user, list: list, at: clock.now()) }
        try await wantNow([coinId], user)
        publish(user)
        return coin
    }

    /// Removes a coin; `undoRemove` brings it back. Throws `WatchlistError.coinNotFound`.
    @discardableResult
    package func remove(
        _ coinId: String, from user: UserID, list: WatchlistID? = nil
    ) async throws -> StoredItem {
        let removed = try await saving {
            try await store.remove(coinId, from: user, list: list, at: clock.now())
        }
        guard let item = removed.item else { throw WatchlistError.coinNotFound }
        undos.note(.coin(coinId, removed.list), lasting: WatchlistStore.undoSeconds)
        publish(user)
        return item
    }

    /// Brings a removed coin back to its place, for a day. Throws `WatchlistError`.
    @discardableResult
    package func undoRemove(
        _ coinId: String, for user: UserID, list: WatchlistID? = nil
    ) async throws -> StoredItem {
        let list = try await store.listId(of: user, list)
        let date = undos.dateToJudge(.coin(coinId, list))
        let restored = try await saving {
            try await store.restore(coinId, to: user, list: list, at: date)
        }
        guard let restored else { throw WatchlistError.coinNotFound }
        try await wantNow([coinId], user)
        publish(user)
        return restored
    }

    /// Sets "My order": the named coins first, in this order, then the others as they were.
    ///
    /// Throws `RoostError.invalid("order")` for a coin that is not on the list or is named twice.
    package func reorder(
        _ order: [String], for user: UserID, list: WatchlistID? = nil
    ) async throws {
        try await saving { try await store.reorder(user, list: list) { try Self.order($0, as: order) } }
        publish(user)
    }

    /// Moves a coin one place; at the end of the list it stays. Throws `WatchlistError.coinNotFound`.
    package func move(
        _ coinId: String, _ direction: Direction, for user: UserID, list: WatchlistID? = nil
    ) async throws {
        try await saving {
            try await store.reorder(user, list: list) { present in
                guard let place = present.firstIndex(of: coinId) else { throw WatchlistError.coinNotFound }
                let target = direction == .up ? place - 1 : place + 1
                guard present.indices.contains(target) else { return present }
                var order = present
                order.swapAt(place, target)
                return order
            }
        }
        publish(user)
    }

    /// Remembers how a list is to be ordered.
    package func choose(
        _ sort: WatchlistOrder, for user: UserID, list: WatchlistID? = nil
    ) async throws {
        try await saving { try await store.choose(sort, for: user, list: list) }
        publish(user)
    }

    /// The present ids in the wished order; a coin added meanwhile keeps its place behind the named ones.
    static func order(_ present: [String], as requested: [String]) throws -> [String] {
        let known = Set(present)
        let named = Set(requested)
        guard named.count == requested.count else {
            throw RoostError.invalid(field: "order", why: "The order names a coin twice.")
        }
        if let stranger = requested.first(where: { !known.contains($0) }) {
            throw RoostError.invalid(field: "order", why: "“\(stranger)” is not in your watchlist.")
        }
        return requested + present.filter { !named.contains($0) }
    }

    /// The list of a user who is gone is gone too: his walls hear of it.
    package func forget(_ user: UserID) { publish(user) }

    /// To be called after the commit: whoever hears of the change reads the list anew.
    func publish(_ user: UserID) { feed.publish(Topic.watchlist(user)) }

    /// Has the coins' prices fetched soon, in the user's currency.
    func wantNow(_ coins: [String], _ user: UserID) async throws {
        prices.want(coins, in: try await currency(of: user))
    }

    func knownCoin(_ coinId: String) async throws -> CoinListItem {
        if let coin = catalog.coin(id: coinId) { return coin }
        await catalog.waitUntilLoaded(within: .seconds(5))
        if let coin = catalog.coin(id: coinId) { return coin }
        guard catalog.count > 0 else {
            let cause = catalog.loading.error?.message(source: PriceRefresher.source)
            throw WatchlistError.networkError(cause ?? "The list of coins has not been loaded yet.")
        }
        throw WatchlistError.coinNotFound
    }

    /// Turns the database's errors into words; errors that already are words pass.
    func saving<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error as WatchlistError {
            throw error
        } catch let error as RoostError {
            throw error
        } catch {
            log.error("A watchlist could not be saved", metadata: ["error": "\(error)"])
            if let error = RoostError(storage: error) { throw error }
            throw WatchlistError(storage: error)
        }
    }
}

extension Topic {
    package static func watchlist(_ user: UserID) -> String { "watchlist/\(user)" }
}
