import Foundation
import Market
import RoostWeb

/// `/watchlist/tile` on the home page.
struct WatchlistTileView: Sendable {
    static let kind = TileKind("watchlist", "Watchlist")

    let rows: [WatchlistRow]
    let count: Int
    let freshness: FreshnessView
    let redIsUp: Bool
    private let priceTopic: String
    private let sentence: String?

    /// - Parameter priceTopic: the topic of prices in the shown currency
    init(
        rows: [WatchlistRow], count: Int, freshness: FreshnessView, redIsUp: Bool = false,
        priceTopic: String = "prices", limit: Int = TileScope().rows, sentence: String? = nil
    ) {
        self.rows = Array(rows.prefix(limit))
        self.sentence = sentence
        self.count = count
        self.freshness = freshness
        self.redIsUp = redIsUp
        self.priceTopic = priceTopic
    }

    var tile: HomeTile {
        HomeTile(
            Self.kind, topics: [priceTopic, "watchlist", "pictures"], self,
            sentences: [sentence].compactMap(\.self),
            step: FirstStep(
                "Add coins", "See their prices here and on wall screens.", at: "/watchlist",
                topic: "watchlist", isDone: count > 0))
    }

    var hasRows: Bool { !rows.isEmpty }
    var more: Int? { count > rows.count ? count - rows.count : nil }
}
