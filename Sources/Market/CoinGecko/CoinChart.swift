package import Foundation
package import RoostSupport
import TextFormats

package enum ChartRange: String, Sendable, CaseIterable {
    case day = "24h"
    case week = "7d"
    case month = "30d"
    case quarter = "90d"
    case year = "1y"

    package var days: Int {
        switch self {
        case .day: 1
        case .week: 7
        case .month: 30
        case .quarter: 90
        case .year: 365
        }
    }

    /// How old a chart may get while someone views it, in seconds.
    package var lifetime: TimeInterval {
        switch self {
        case .day: 5 * 60
        case .week: 30 * 60
        case .month, .quarter: 2 * 3_600
        case .year: 12 * 3_600
        }
    }
}

package struct CoinChart: Sendable {
    package struct Point: Sendable, Equatable {
        package let time: Date
        /// With all digits, for text.
        package let exactPrice: Decimal
        package let price: Double

        package init(time: Date, exactPrice: Decimal) {
            self.time = time
            self.exactPrice = exactPrice
            price = Double("\(exactPrice)") ?? 0
        }
    }

    package let coinId: String
    package let range: ChartRange
    package let currency: String
    /// Oldest first: every five minutes for a day, every hour for up to 90 days, every day for a year.
    package var points: [Point] = []
    package var fetchedAt: Date?
    package var isLoading = false
    package var error: APIError?
    package var nextTryAt: Date?
    package let now: Date

    package var isOld: Bool {
        fetchedAt.map { now.timeIntervalSince($0) > range.lifetime + CoinGeckoAPI.timeout } ?? false
    }
}

/// The body of `/coins/{id}/market_chart`: pairs of milliseconds and a price. Pairs that are malformed, null or not
/// above zero are skipped.
struct CoinChartResponse: Decodable {
    let points: [CoinChart.Point]

    /// Several times the size of any range.
    private static let maximumPoints = 20_000

    private enum CodingKeys: String, CodingKey { case prices }

    private struct Pair: Decodable, Sendable {
        let point: CoinChart.Point

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            let milliseconds = try values.decode(Double.self)
            let price = try values.decode(Decimal.self)
            guard milliseconds.isFinite, (0...Self.latest).contains(milliseconds), price.isFinite, price > 0
            else { throw ValidationError(field: "prices", why: "has an invalid pair") }
            point = CoinChart.Point(
                time: Date(timeIntervalSince1970: milliseconds / 1_000), exactPrice: price)
        }

        /// The year 9999 in milliseconds.
        private static let latest = 253_402_300_799_000.0
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let now = (decoder.userInfo[.now] as? Date) ?? Date()
        let pairs = try values.decode(LossyArray<Pair>.self, forKey: .prices).items
        guard pairs.count <= Self.maximumPoints else {
            throw ValidationError(field: "prices", why: "has too many pairs")
        }
        points = pairs.map(\.point).filter { !ClockSkew.clamped($0.time, now: now).wasAhead }
            .sorted { $0.time < $1.time }
    }
}
