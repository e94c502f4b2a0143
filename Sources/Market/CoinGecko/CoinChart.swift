package import Foundation
package import RoostSupport
import TextFormats

/// The spans of time that a coin's chart can show.
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

    /// How old the chart may grow while somebody looks at it, in seconds.
    package var lifetime: TimeInterval {
        switch self {
        case .day: 5 * 60
        case .week: 30 * 60
        case .month, .quarter: 2 * 3_600
        case .year: 12 * 3_600
        }
    }
}

/// A coin's prices over a span of time, as far as they are here.
package struct CoinChart: Sendable {
    package struct Point: Sendable, Equatable {
        package let time: Date
        /// To the last digit, for all that is read.
        package let exactPrice: Decimal
        /// For drawing only.
        package let price: Double

        package init(time: Date, exactPrice: Decimal) {
            self.time = time
            self.exactPrice = exactPrice
            price = Double("\(exactPrice)") ?? 0
        }
    }

    package let coinId: String
    package let range: ChartRange
    /// CoinGecko's code in lower case.
    package let currency: String
    /// Oldest first: of a day every five minutes, of up to 90 days every hour, of a year every day.
    package let points: [Point]
    /// When the points came; nil before the first.
    package let fetchedAt: Date?
    package let isLoading: Bool
    /// Why the last try failed; the points stay, with their age.
    package let error: APIError?
    package let nextTryAt: Date?
    package let now: Date

    package init(
        coinId: String, range: ChartRange, currency: String, points: [Point] = [], fetchedAt: Date? = nil,
        isLoading: Bool = false, error: APIError? = nil, nextTryAt: Date? = nil, now: Date
    ) {
        self.coinId = coinId
        self.range = range
        self.currency = currency
        self.points = points
        self.fetchedAt = fetchedAt
        self.isLoading = isLoading
        self.error = error
        self.nextTryAt = nextTryAt
        self.now = now
    }

    /// True where the points are older than their range allows: to be shown with their age.
    package var isOld: Bool {
        fetchedAt.map { now.timeIntervalSince($0) > range.lifetime + CoinGeckoAPI.timeout } ?? false
    }
}

/// The body of `/coins/{id}/market_chart`: pairs of milliseconds and a price. Pairs that are malformed, null or not above
/// zero are left out.
struct CoinChartResponse: Decodable {
    let points: [CoinChart.Point]

    /// Several times what any range has.
    private static let maximumPoints = 20_000

    private enum CodingKeys: String, CodingKey { case prices }

    private struct Pair: Decodable, Sendable {
        let point: CoinChart.Point

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            let milliseconds = try values.decode(Double.self)
            let price = try values.decode(Decimal.self)
            guard milliseconds.isFinite, (0...Self.latest).contains(milliseconds), price.isFinite, price > 0
            else { throw ValidationError(field: "prices", why: "has an impossible pair") }
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
