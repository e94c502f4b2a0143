package import Foundation

package struct PriceTable: Sendable {
    package struct Entry: Sendable {
        package let quote: MarketQuote
        package fileprivate(set) var fetchedAt: ContinuousClock.Instant
        /// False if CoinGecko last left the coin out of an answer: it was delisted or renamed.
        package var isListed = true
        var isInvalid = false
    }

    /// How long a price is fresh (mission), in seconds.
    package static let lifetime: TimeInterval = 60
    /// A coin not traded for this long is shown with its price's age, in seconds.
    static let coinLifetime: TimeInterval = 3_600

    package private(set) var entries: [String: Entry] = [:]
    /// Requested coins that CoinGecko has never returned.
    package private(set) var unlisted: Set<String> = []
    /// Coins that CoinGecko lists, but only ever returned malformed.
    package private(set) var unknown: Set<String> = []

    package init() {}

    package subscript(id: String) -> Entry? { entries[id] }

    /// The malformed items of an answer. These coins keep their last good price, with its age.
    package struct Refused: Sendable, Equatable {
        package let ids: Set<String>
        /// At least one of them has no readable id.
        let hasItemsWithoutID: Bool

        package init(ids: Set<String> = [], hasItemsWithoutID: Bool = false) {
            self.ids = ids
            self.hasItemsWithoutID = hasItemsWithoutID
        }
    }

    /// Stores an answer. Requested coins that are missing from it keep their price and are marked as not listed.
    package mutating func store(
        _ quotes: [MarketQuote], requested ids: [String], refused: Refused,
        at now: ContinuousClock.Instant
    ) {
        for quote in quotes { entries[quote.coin.id] = Entry(quote: quote, fetchedAt: now) }
        let answered = Set(quotes.map(\.coin.id))
        unlisted.subtract(answered)
        unknown.subtract(answered)
        unknown.formUnion(refused.ids.filter { entries[$0] == nil })
        // A malformed item without an id may be any of the missing coins, so none is marked.
        guard !refused.hasItemsWithoutID else { return }
        for id in ids where !answered.contains(id) && !refused.ids.contains(id) {
            if entries[id] != nil { entries[id]?.isListed = false } else { unlisted.insert(id) }
        }
    }

    package mutating func keep(only ids: Set<String>) {
        entries = entries.filter { ids.contains($0.key) }
        unlisted.formIntersection(ids)
        unknown.formIntersection(ids)
    }

    mutating func invalidate(_ id: String) { entries[id]?.isInvalid = true }

    mutating func invalidateAll() {
        for id in entries.keys { entries[id]?.isInvalid = true }
    }
}
