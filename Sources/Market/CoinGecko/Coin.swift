package import Foundation
import RoostSupport
import TextFormats

/// A coin's latest price from CoinGecko, in the requested currency.
///
/// Fields and rules come from the mission (`MODELS.md`): `priceChange24h` is a percentage; a price that is null or not
/// above zero is nil ("no price"). Two coins are equal if id, price and change are.
package struct Coin: Codable, Sendable, Identifiable, Hashable {
    package let id: String
    /// In lower case, or "" if the coin has none. Not an identity: 2,224 symbols are shared by several coins.
    package let symbol: String
    package let name: String
    /// The symbol to display, or the id without a symbol.
    package var shownSymbol: String { symbol.isEmpty ? id : symbol }
    package let currentPrice: Decimal?
    package let priceChange24h: Decimal?
    /// Nil if CoinGecko does not say; the price's age is then unknown.
    package let lastUpdated: Date?
    /// True if `lastUpdated` was too far ahead of our clock and was set to now. For counting; not encoded.
    package let wasAhead: Bool

    enum CodingKeys: String, CodingKey {
        case id, symbol, name
        case currentPrice = "current_price"
        case priceChange24h = "price_change_percentage_24h"
        case lastUpdated = "last_updated"
    }

    /// Throws `ValidationError` if id or name is empty, or a text is longer than any coin's.
    ///
    /// - Parameter lastUpdated: clamped to `now` if it is more than five minutes ahead
    package init(
        id: String, symbol: String, name: String, currentPrice: Decimal?, priceChange24h: Decimal?,
        lastUpdated: Date?, now: Date = Date()
    ) throws {
        try ValidationError.check(["id": id, "name": name])
        try ValidationError.check(["symbol": symbol], mayBeEmpty: true)
        self.id = id
        self.symbol = symbol.isBlank ? "" : symbol.lowercased()
        self.name = name
        self.currentPrice = currentPrice.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        self.priceChange24h = priceChange24h.flatMap { $0.isFinite ? $0 : nil }
        let time = lastUpdated.map { ClockSkew.clamped($0, now: now) }
        self.lastUpdated = time?.date
        wasAhead = time?.wasAhead ?? false
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let now = (decoder.userInfo[.now] as? Date) ?? Date()
        let lastUpdated = try values.decodeIfPresent(String.self, forKey: .lastUpdated).map { text in
            guard let time = ISO8601.parse(text) else {
                throw ValidationError(field: "last_updated", why: "is not an ISO 8601 time")
            }
            return time
        }
        try self.init(
            id: values.decode(String.self, forKey: .id),
            symbol: values.decodeIfPresent(String.self, forKey: .symbol) ?? "",
            name: values.decode(String.self, forKey: .name),
            currentPrice: values.decodeIfPresent(Decimal.self, forKey: .currentPrice),
            priceChange24h: values.decodeIfPresent(Decimal.self, forKey: .priceChange24h),
            lastUpdated: lastUpdated, now: now)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encode(symbol, forKey: .symbol)
        try values.encode(name, forKey: .name)
        try values.encodeIfPresent(currentPrice, forKey: .currentPrice)
        try values.encodeIfPresent(priceChange24h, forKey: .priceChange24h)
        try values.encodeIfPresent(lastUpdated.map(ISO8601.milliseconds), forKey: .lastUpdated)
    }

    package static func == (left: Coin, right: Coin) -> Bool {
        left.id == right.id && left.currentPrice == right.currentPrice
            && left.priceChange24h == right.priceChange24h
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(currentPrice)
        hasher.combine(priceChange24h)
    }
}
