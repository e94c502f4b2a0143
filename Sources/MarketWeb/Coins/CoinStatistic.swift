import Foundation
import Market
import RoostWeb
import TextFormats

struct CoinStatistic: Sendable {
    let name: String
    let value: String
    /// The value with all known digits.
    var title: String?
    /// Shown smaller after the value: "rank 1".
    var extra: String?
    var change: ChangeText?
    var date: Date?
    var statisticChange: String? { change.flatMap { $0.direction == .unknown ? nil : $0.text } }
    var statisticDirection: ChangeText.Direction { change?.direction ?? .unknown }
    var statisticTime: String? { date.map(ISO8601.seconds) }
    var statisticDay: String? { date.map { RelativeTime.day($0) } }

    /// Returns the statistics of a coin's market. Unknown values are dashes.
    static func all(of quote: MarketQuote, currency: String) -> [CoinStatistic] {
        func price(_ value: Decimal?) -> PriceText? { value.flatMap { PriceText($0, currency: currency) } }
        func short(_ value: Decimal?) -> String { AmountText.short(value, currency: currency) }
        func exact(_ value: Decimal?) -> String? { value.map { AmountText.exact($0) } }
        let (low, high) = (price(quote.low24h), price(quote.high24h))
        let top = price(quote.allTimeHigh)
        let symbol = quote.coin.shownSymbol.uppercased()
        return [
            CoinStatistic(
                name: "24 h low / high", value: "\(low?.text ?? "–") / \(high?.text ?? "–")",
                title: low.flatMap { low in high.map { "\(low.full) / \($0.full)" } }),
            CoinStatistic(
                name: "Market cap", value: short(quote.marketCap), title: exact(quote.marketCap),
                extra: quote.rank.map { "rank \(NumberText.grouped($0))" }),
            CoinStatistic(
                name: "Volume 24 h", value: short(quote.volume24h), title: exact(quote.volume24h)),
            CoinStatistic(
                name: "Supply", value: "\(AmountText.short(quote.circulatingSupply)) \(symbol)",
                title: exact(quote.circulatingSupply), extra: supply(quote)),
            CoinStatistic(
                name: "All-time high", value: top?.text ?? "–", title: top?.full,
                date: quote.allTimeHighDate),
            CoinStatistic(
                name: "From all-time high",
                value: quote.allTimeHighChange == nil ? "–" : "",
                change: quote.allTimeHighChange.map { ChangeText($0) }),
        ]
    }

    private static func supply(_ quote: MarketQuote) -> String? {
        if let most = quote.maxSupply { return "max. \(AmountText.short(most))" }
        return quote.totalSupply.map { "of \(AmountText.short($0))" }
    }
}
