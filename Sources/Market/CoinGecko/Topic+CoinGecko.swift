import Foundation
import RoostSupport
import TextFormats

extension Topic {
    /// Prices in the server's own currency. Other currencies have the topics "prices/CODE".
    package static let prices = "prices"
    /// Prices in any currency. Cached pages depend on it if finding the reader's currency takes a database read.
    /// Browsers do not subscribe to it.
    package static let allPrices = "all prices"
    package static let coins = "coins"
    package static let currencies = "currencies"
    /// Any chart of the coin. The id is encoded, since it may contain blanks and commas, which separate topic names.
    package static func chart(_ coinId: String) -> String { chartPrefix + PercentEncoding.encode(coinId) }

    package static func coin(ofChart name: String) -> String? {
        guard name.hasPrefix(chartPrefix) else { return nil }
        let id = PercentEncoding.decode(name.utf8.dropFirst(chartPrefix.utf8.count)) ?? ""
        return !id.isBlank && id.utf8.count <= ValidationError.maximumTextBytes && chart(id) == name
            ? id : nil
    }

    package static func isPrices(_ name: String) -> Bool {
        name == prices
            || name.hasPrefix(pricesPrefix) && Currency.isCode(String(name.dropFirst(pricesPrefix.count)))
    }

    static let pricesPrefix = "prices/"
    private static let chartPrefix = "chart/"
}
