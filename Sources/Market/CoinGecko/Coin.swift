package import Foundation
import RoostSupport
import TextFormats

/// A coin's price as CoinGecko last told it, in the currency that was asked for.
///
/// Fields and rules are the mission's (`MODELS.md`): `priceChange24h` is a percentage; a price that is null or not
/// above zero is nil ("no price"). Two coins are equal when id, price and change are.
package struct Coin: Codable, Sendable, Identifiable, Hashable {
    package let id: String
    /// In lower case, "" where the coin has none; never an identity: 2,224 symbols are shared by several coins.
    package let symbol: String
    package let name: String
    /// What a reader sees in the symbol's place: the id if it has no symbol.
    package var shownSymbol: String { symbol.isEmpty ? id : symbol }
    package let currentPrice: Decimal?
    package let priceChange24h: Decimal?
    /// Nil where CoinGecko does not say: then the price's age is unknown.
    package let lastUpdated: Date?
    /// True when `lastUpdated` lay too far ahead of our clock and was taken as now; for counting, not kept in JSON.
    package let wasAhead: Bool

    enum CodingKeys: String, CodingKey {
        case id, symbol, name
        case currentPrice = "current_price"
        case priceChange24h = "price_change_percentage_24h"
        case lastUpdated = "last_updated"
    }

    /// Throws `ValidationError` in words when id or name is empty, or a text longer than any coin's.
    ///
    /// - Parameter lastUpdated: clamped to `now` when it lies more than five minutes ahead of it.
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
                throw ValidationError(field: "last_updated", why: "is no ISO 8601 time")
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
