import Foundation
import RoostSupport
import TextFormats

extension Topic {
    /// Prices in the server's own currency; those in another one change with `prices(in:)`.
    package static let prices = "prices"
    /// Prices in any currency: what a stored page depends on whose reader's currency only the disk knows. No page names
    /// it.
    package static let allPrices = "all prices"
    package static let coins = "coins"
    package static let currencies = "currencies"
    /// Any chart of the coin. An id may hold blanks and commas, which part the names of topics: they are encoded.
    package static func chart(_ coinId: String) -> String { chartPrefix + PercentEncoding.encode(coinId) }

    /// The coin that a topic of `chart` is about; nil for other names.
    package static func coin(ofChart name: String) -> String? {
        guard name.hasPrefix(chartPrefix) else { return nil }
        let id = name.dropFirst(chartPrefix.count).removingPercentEncoding ?? ""
        return !id.isBlank && id.utf8.count <= ValidationError.maximumTextBytes && chart(id) == name
            ? id : nil
    }

    /// Whether a topic is about prices, in whichever currency.
    package static func isPrices(_ name: String) -> Bool {
        name == prices
            || name.hasPrefix(pricesPrefix) && Currency.isCode(String(name.dropFirst(pricesPrefix.count)))
    }

    static let pricesPrefix = "prices/"
    private static let chartPrefix = "chart/"
}
