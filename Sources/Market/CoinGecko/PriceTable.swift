package import Foundation

/// The last known price of each coin, in memory only.
package struct PriceTable: Sendable {
    package struct Entry: Sendable {
        package let quote: MarketQuote
        package fileprivate(set) var fetchedAt: Date
        /// False when CoinGecko, asked for the coin, last answered without it: delisted or renamed.
        package var isListed = true
        /// Set by `invalidate`: to be shown as old until it is fetched again.
        var isInvalid = false
    }

    /// The mission's figure: fresh for this long, then stale; in seconds.
    package static let lifetime: TimeInterval = 60
    /// A coin whose own last trade is older than this is shown with that age.
    static let coinLifetime: TimeInterval = 3_600

    package private(set) var entries: [String: Entry] = [:]
    /// Coins asked for that CoinGecko has never answered.
    package private(set) var unlisted: Set<String> = []
    /// Coins whose items were always refused: CoinGecko lists them, and nothing is known of them.
    package private(set) var unknown: Set<String> = []

    package init() {}

    package subscript(id: String) -> Entry? { entries[id] }

    /// The items of an answer that were refused: they keep their last good price, growing old.
    package struct Refused: Sendable, Equatable {
        package let ids: Set<String>
        /// One of them could not even be told by its id.
        let hasNameless: Bool

        package init(ids: Set<String> = [], hasNameless: Bool = false) {
            self.ids = ids
            self.hasNameless = hasNameless
        }
    }

    /// Takes an answer in: what was asked for and is absent is kept, marked as no longer listed.
    package mutating func take(_ quotes: [MarketQuote], asked ids: [String], refused: Refused, at now: Date) {
        for quote in quotes { entries[quote.coin.id] = Entry(quote: quote, fetchedAt: now) }
        let answered = Set(quotes.map(\.coin.id))
        unlisted.subtract(answered)
        unknown.subtract(answered)
        unknown.formUnion(refused.ids.filter { entries[$0] == nil })
        // A refused item without an id may be any of the absent ones: they only grow old.
        guard !refused.hasNameless else { return }
        for id in ids where !answered.contains(id) && !refused.ids.contains(id) {
            if entries[id] != nil { entries[id]?.isListed = false } else { unlisted.insert(id) }
        }
    }

    /// Forgets coins that nobody watches any more.
    package mutating func keep(only ids: Set<String>) {
        entries = entries.filter { ids.contains($0.key) }
        unlisted.formIntersection(ids)
        unknown.formIntersection(ids)
    }

    /// The clock was set by so many seconds: no price is older or newer for it.
    mutating func move(by seconds: TimeInterval) {
        for id in entries.keys { entries[id]?.fetchedAt += seconds }
    }

    mutating func invalidate(_ id: String) { entries[id]?.isInvalid = true }

    mutating func invalidateAll() {
        for id in entries.keys { entries[id]?.isInvalid = true }
    }
}
