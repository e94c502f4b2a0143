/// One item of `/coins/markets`: the coin, its place by market value, and the last seven days for drawing.
package struct MarketQuote: Sendable, Decodable {
    package let coin: Coin
    package let rank: Int?
    /// At most `pointLimit` prices, oldest first; only a drawing is made of them, never a figure.
    package let sparkline: [Double]

    /// More points than pixels tell nothing.
    package static let pointLimit = 56

    private enum CodingKeys: String, CodingKey {
        case rank = "market_cap_rank"
        case sparkline = "sparkline_in_7d"
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
        // Ornaments: a malformed rank or sparkline does not cost the coin its price.
        rank = (try? values.decodeIfPresent(Int.self, forKey: .rank)).flatMap { $0 }
        let points = (try? values.decodeIfPresent(Sparkline.self, forKey: .sparkline)).flatMap { $0 }
        sparkline = Self.thinned((points?.price ?? []).compactMap { $0 }.filter(\.isFinite))
    }

    /// Evenly spaced points, the first and the last among them.
    static func thinned(_ points: [Double]) -> [Double] {
        guard points.count > pointLimit else { return points }
        return (0..<pointLimit).map { points[$0 * (points.count - 1) / (pointLimit - 1)] }
    }
}
