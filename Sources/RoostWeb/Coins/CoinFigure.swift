import Foundation
import Market
import TextFormats

/// A figure of a coin's market with its name.
struct CoinFigure: Sendable {
    let name: String
    let value: String
    /// Every digit that is known.
    var title: String?
    /// What goes with the figure in smaller letters: "rank 1".
    var extra: String?
    var change: ChangeText?
    /// When it was.
    var date: Date?
    var figureChange: String? { change.flatMap { $0.direction == .unknown ? nil : $0.text } }
    var figureDirection: ChangeText.Direction { change?.direction ?? .unknown }
    var figureTime: String? { date.map(ISO8601.seconds) }
    var figureDay: String? { date.map { RelativeTime.day($0) } }

    /// What CoinGecko tells of a coin's market; a dash stands for what it does not tell.
    static func all(of quote: MarketQuote, currency: String) -> [CoinFigure] {
        func price(_ value: Decimal?) -> PriceText? { value.flatMap { PriceText($0, currency: currency) } }
        func short(_ value: Decimal?) -> String { AmountText.short(value, currency: currency) }
        func exact(_ value: Decimal?) -> String? { value.map { AmountText.exact($0) } }
        let (low, high) = (price(quote.low24h), price(quote.high24h))
        let top = price(quote.allTimeHigh)
        let symbol = quote.coin.shownSymbol.uppercased()
        return [
            CoinFigure(
                name: "24 h low / high", value: "\(low?.text ?? "–") / \(high?.text ?? "–")",
                title: low.flatMap { low in high.map { "\(low.full) / \($0.full)" } }),
            CoinFigure(
                name: "Market cap", value: short(quote.marketCap), title: exact(quote.marketCap),
                extra: quote.rank.map { "rank \(NumberText.grouped($0))" }),
            CoinFigure(
                name: "Volume 24 h", value: short(quote.volume24h), title: exact(quote.volume24h)),
            CoinFigure(
                name: "Supply", value: "\(AmountText.short(quote.circulatingSupply)) \(symbol)",
                title: exact(quote.circulatingSupply), extra: supply(quote)),
            CoinFigure(
                name: "All-time high", value: top?.text ?? "–", title: top?.full,
                date: quote.allTimeHighDate),
            CoinFigure(
                name: "From the high",
                value: quote.allTimeHighChange == nil ? "–" : "",
                change: quote.allTimeHighChange.map { ChangeText($0) }),
        ]
    }

    /// How many coins there will ever be, or are.
    private static func supply(_ quote: MarketQuote) -> String? {
        if let most = quote.maxSupply { return "of \(AmountText.short(most)) at most" }
        return quote.totalSupply.map { "of \(AmountText.short($0))" }
    }
}
