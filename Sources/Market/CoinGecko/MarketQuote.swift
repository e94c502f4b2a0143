package import Foundation
import RoostSupport
import TextFormats

/// One item of `/coins/markets`, with the last seven days for a drawing. Amounts are in the requested currency, with
/// all digits; unknown ones are nil.
package struct MarketQuote: Sendable, Decodable {
    package let coin: Coin
    package let rank: Int?
    /// At most `pointLimit` prices, oldest first; for drawing only.
    package let sparkline: [Double]
    /// In percent, as is `Coin.priceChange24h`.
    package var change1h: Decimal?
    package var change7d: Decimal?
    package var marketCap: Decimal?
    package var volume24h: Decimal?
    package var high24h: Decimal?
    package var low24h: Decimal?
    /// In coins.
    package var circulatingSupply: Decimal?
    package var totalSupply: Decimal?
    package var maxSupply: Decimal?
    package var allTimeHigh: Decimal?
    /// In percent of the all-time high; rarely above zero.
    package var allTimeHighChange: Decimal?
    package var allTimeHighDate: Date?
    /// The logo's address from CoinGecko: https, or at the address that the operator set. Untrusted: only `CoinLogos`
    /// fetches it.
    package var imageURL: String?

    /// A drawing shows no more points than this.
    static let pointLimit = 56
    private static let maximumURLBytes = 2_048

    private enum CodingKeys: String, CodingKey {
        case rank = "market_cap_rank"
        case sparkline = "sparkline_in_7d"
        case change1h = "price_change_percentage_1h_in_currency"
        case change7d = "price_change_percentage_7d_in_currency"
        case marketCap = "market_cap"
        case volume24h = "total_volume"
        case high24h = "high_24h"
        case low24h = "low_24h"
        case circulatingSupply = "circulating_supply"
        case totalSupply = "total_supply"
        case maxSupply = "max_supply"
        case allTimeHigh = "ath"
        case allTimeHighChange = "ath_change_percentage"
        case allTimeHighDate = "ath_date"
        case image
    }

    private struct Sparkline: Decodable {
        let price: [Double?]?
    }

    package init(coin: Coin, rank: Int? = nil, sparkline: [Double] = []) {
        self.coin = coin
        self.rank = rank
        self.sparkline = sparkline
    }

    package init(from decoder: any Decoder) throws {
        coin = try Coin(from: decoder)
        let values = try decoder.container(keyedBy: CodingKeys.self)
        // Only a malformed coin is refused. Other malformed figures become nil, so that the coin keeps its price.
        func extra<Value: Decodable>(_ type: Value.Type, _ key: CodingKeys) -> Value? {
            (try? values.decodeIfPresent(type, forKey: key)).flatMap { $0 }
        }
        func number(_ key: CodingKeys) -> Decimal? {
            extra(Decimal.self, key).flatMap { $0.isFinite ? $0 : nil }
        }
        func amount(_ key: CodingKeys) -> Decimal? { number(key).flatMap { $0 >= 0 ? $0 : nil } }
        func positive(_ key: CodingKeys) -> Decimal? { number(key).flatMap { $0 > 0 ? $0 : nil } }
        rank = extra(Int.self, .rank)
        let points = extra(Sparkline.self, .sparkline)?.price ?? []
        sparkline = Self.thinned(points.compactMap { $0 }.filter(\.isFinite))
        (change1h, change7d) = (number(.change1h), number(.change7d))
        // CoinGecko sends zero for unknown values.
        (marketCap, volume24h) = (positive(.marketCap), positive(.volume24h))
        (high24h, low24h) = (positive(.high24h), positive(.low24h))
        circulatingSupply = amount(.circulatingSupply)
        (totalSupply, maxSupply) = (amount(.totalSupply), amount(.maxSupply))
        (allTimeHigh, allTimeHighChange) = (positive(.allTimeHigh), number(.allTimeHighChange))
        let now = (decoder.userInfo[.now] as? Date) ?? Date()
        allTimeHighDate = extra(String.self, .allTimeHighDate).flatMap(ISO8601.parse).map {
            ClockSkew.clamped($0, now: now).date
        }
        let home = decoder.userInfo[.pictureHome] as? String
        imageURL = extra(String.self, .image).flatMap { Self.isPictureURL($0, home: home) ? $0 : nil }
    }

    private static func isPictureURL(_ text: String, home: String?) -> Bool {
        guard text.utf8.count <= maximumURLBytes, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return false }
        return text.hasPrefix("https://") || home.map { text.hasPrefix($0 + "/") } ?? false
    }

    static func thinned(_ points: [Double]) -> [Double] {
        guard points.count > pointLimit else { return points }
        return (0..<pointLimit).map { points[$0 * (points.count - 1) / (pointLimit - 1)] }
    }
}

extension CodingUserInfoKey {
    /// "scheme://host:port" of an upstream that the operator set, whose pictures may use plain HTTP. The unwrap is
    /// safe: the initialiser fails only for an empty name.
    // swift-format-ignore: NeverForceUnwrap
    static let pictureHome = CodingUserInfoKey(rawValue: "pictureHome")!
}
