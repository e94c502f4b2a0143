package import Foundation

/// A coin's price as CoinGecko last told it, in the one currency that Roost asks for.
///
/// Fields and rules are the mission's (`MODELS.md`): `priceChange24h` is a percentage; a price that is null or not
/// above zero is nil ("no price"). Two coins are equal when id, price and change are.
package struct Coin: Codable, Sendable, Identifiable, Hashable {
    package let id: String
    /// In lower case, and never an identity: 2,224 symbols are shared by several coins.
    package let symbol: String
    package let name: String
    package let currentPrice: Decimal?
    package let priceChange24h: Decimal?
    package let lastUpdated: Date
    /// True when `lastUpdated` lay too far ahead of our clock and was taken as now; for counting, not kept in JSON.
    package let wasAhead: Bool

    enum CodingKeys: String, CodingKey {
        case id, symbol, name
        case currentPrice = "current_price"
        case priceChange24h = "price_change_percentage_24h"
        case lastUpdated = "last_updated"
    }

    /// Throws `ValidationError` in words when a text is empty or longer than any coin's.
    ///
    /// - Parameter lastUpdated: clamped to `now` when it lies more than five minutes ahead of it.
    package init(
        id: String, symbol: String, name: String, currentPrice: Decimal?, priceChange24h: Decimal?,
        lastUpdated: Date, now: Date = Date()
    ) throws {
        try ValidationError.check(["id": id, "symbol": symbol, "name": name])
        self.id = id
        self.symbol = symbol.lowercased()
        self.name = name
        self.currentPrice = currentPrice.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        self.priceChange24h = priceChange24h.flatMap { $0.isFinite ? $0 : nil }
        (self.lastUpdated, wasAhead) = ClockSkew.clamped(lastUpdated, now: now)
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let now = (decoder.userInfo[.now] as? Date) ?? Date()
        let currentPrice = try values.decodeIfPresent(Decimal.self, forKey: .currentPrice)
        try self.init(
            id: values.decode(String.self, forKey: .id),
            symbol: values.decode(String.self, forKey: .symbol),
            name: values.decode(String.self, forKey: .name),
            currentPrice: currentPrice,
            priceChange24h: values.decodeIfPresent(Decimal.self, forKey: .priceChange24h),
            lastUpdated: Self.lastUpdated(in: values, hasPrice: currentPrice != nil) ?? now,
            now: now)
    }

    /// A price needs its time; a coin without a price comes without one, and nil stands for it here.
    private static func lastUpdated(
        in values: KeyedDecodingContainer<CodingKeys>, hasPrice: Bool
    ) throws -> Date? {
        guard hasPrice else {
            return try values.decodeIfPresent(String.self, forKey: .lastUpdated).flatMap(ISO8601.parse)
        }
        guard let time = ISO8601.parse(try values.decode(String.self, forKey: .lastUpdated)) else {
            throw ValidationError(field: "last_updated", why: "is no ISO 8601 time")
        }
        return time
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encode(symbol, forKey: .symbol)
        try values.encode(name, forKey: .name)
        try values.encodeIfPresent(currentPrice, forKey: .currentPrice)
        try values.encodeIfPresent(priceChange24h, forKey: .priceChange24h)
        try values.encode(ISO8601.milliseconds(lastUpdated), forKey: .lastUpdated)
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
