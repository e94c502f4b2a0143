import Foundation
import Logging

/// What people do with their watchlists: every face of Roost (pages, JSON, displays) asks here.
package struct WatchlistService: Service {
    /// A list as it stands, ordered as its owner chose, with the state of the prices.
    package struct List: Sendable {
        package let entries: [WatchlistEntry]
        package let sort: SortOption
        package let prices: PriceSnapshot
    }

    /// One step of a coin in "My order".
    package enum Direction: String, Sendable {
        case up, down
    }

    /// A coin that can be put back.
    struct Removal: Hashable, Sendable {
        let user: UserID
        let coinId: String
    }

    /// Two requests to CoinGecko serve a full list.
    package static let limit = 500

    let store: WatchlistStore
    let catalog: CoinCatalog
    let prices: PriceRefresher
    let feed: ChangeFeed
    let clock: WallClock
    let undos: SteadyEnds<Removal>
    let log: Logger

    package var userData: [UserData] {
        [
            .deleted(
                "Watchlist and its order",
                from: ["watchlist_items", "watchlist_removed", "watchlist_choices"])
        ]
    }

    /// The list; asking for it counts as looking at it.
    ///
    /// - Parameter sort: another order than the remembered one, for a display.
    package func list(of user: UserID, sort: SortOption? = nil) async throws -> List {
        let (items, chosen) = try await store.list(of: user)
        prices.want()
        let snapshot = prices.snapshot
        let entries = items.map { WatchlistEntry(stored: $0, prices: snapshot) }
        return List(entries: (sort ?? chosen).sorted(entries), sort: chosen, prices: snapshot)
    }

    /// The coins on the list, without their prices.
    package func coinIds(of user: UserID) async throws -> Set<String> {
        Set(try await store.list(of: user).items.map(\.item.coinId))
    }

    /// Adds a coin that CoinGecko knows, last in "My order". Throws `WatchlistError`.
    @discardableResult
    package func add(_ coinId: String, to user: UserID) async throws -> CoinListItem {
        guard WatchlistItem.isPossible(coinId) else { throw WatchlistError.invalidCoinId }
        let coin = try await knownCoin(coinId)
        _ = try await saving { try await store.add(coin, to: user, at: clock.now(), limit: Self.limit) }
        prices.want([coinId])
        publish(user)
        return coin
    }

    /// Removes a coin; `undoRemove` brings it back. Throws `WatchlistError.coinNotFound`.
    @discardableResult
    package func remove(_ coinId: String, from user: UserID) async throws -> StoredItem {
        guard let removed = try await saving({ try await store.remove(coinId, from: user, at: clock.now()) })
        else { throw WatchlistError.coinNotFound }
        undos.note(Removal(user: user, coinId: coinId), lasting: WatchlistStore.undoSeconds)
        publish(user)
        return removed
    }

    /// Brings a removed coin back to its place, for a day. Throws `WatchlistError`.
    @discardableResult
    package func undoRemove(_ coinId: String, for user: UserID) async throws -> StoredItem {
        let date = undos.dateToJudge(Removal(user: user, coinId: coinId))
        let restored = try await saving {
            try await store.restore(coinId, to: user, at: date, limit: Self.limit)
        }
        guard let restored else { throw WatchlistError.coinNotFound }
        prices.want([coinId])
        publish(user)
        return restored
    }

    /// Sets "My order": the named coins first, in this order, then the others as they were.
    ///
    /// Throws `RoostError.invalid("order")` for a coin that is not on the list or is named twice.
    package func reorder(_ order: [String], for user: UserID) async throws {
        try await saving { try await store.reorder(user) { try Self.order($0, as: order) } }
        publish(user)
    }

    /// Moves a coin one place; at the end of the list it stays. Throws `WatchlistError.coinNotFound`.
    package func move(_ coinId: String, _ direction: Direction, for user: UserID) async throws {
        try await saving {
            try await store.reorder(user) { present in
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

    /// Remembers how the list is to be ordered.
    package func choose(_ sort: SortOption, for user: UserID) async throws {
        try await saving { try await store.choose(sort, for: user) }
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
    private func publish(_ user: UserID) { feed.publish(Topic.watchlist(user)) }

    private func knownCoin(_ coinId: String) async throws -> CoinListItem {
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
    private func saving<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error as WatchlistError {
            throw error
        } catch let error as RoostError {
            throw error
        } catch {
            log.error("A watchlist could not be saved", metadata: ["error": "\(error)"])
            if let error = RoostError(storage: error) { throw error }
            throw WatchlistError.saveFailed("Couldn’t save. Please try again.")
        }
    }
}
