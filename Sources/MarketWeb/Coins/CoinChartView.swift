import Foundation
import Market
import RoostSupport
import RoostWeb
import TextFormats

struct CoinChartView: Sendable {
    static let rowLimit = 30

    let ranges: [RangeLink]
    let drawing: DrawnChart?
    let rows: [ChartRow]
    let freshness: FreshnessView
    let isLoading: Bool
    let rangeName: String

    /// - Parameter path: the coin's path segment
    init(_ chart: CoinChart, path: String, zone: TimeZone = Formats.current.zone) {
        ranges = ChartRange.allCases.map {
            RangeLink(range: $0, isChosen: $0 == chart.range, address: "/coins/\(path)?range=\($0.rawValue)")
        }
        rangeName = chart.range.longName
        drawing = ChartDrawing(
            chart.points, zone: zone, labels: { AmountText.axis($0, currency: chart.currency) }
        ).map { DrawnChart($0, chart) }
        rows = ChartDrawing.sampled(chart.points, limit: Self.rowLimit).reversed().map {
            ChartRow($0, currency: chart.currency, isDaily: chart.range == .year)
        }
        isLoading = chart.fetchedAt == nil && chart.error == nil
        let state: FreshnessView.State =
            if chart.fetchedAt == nil {
                chart.error == nil ? .loading : .stale
            } else if chart.isOld || chart.error != nil { .stale } else { .live }
        freshness = FreshnessView(
            state: state, updatedAt: chart.fetchedAt, nextAt: chart.nextTryAt,
            reason: chart.error?.message(source: PriceRefresher.source),
            suggestion: chart.error?.recoverySuggestion,
            retry: "/coins/\(path)/refresh?range=\(chart.range.rawValue)", isTrying: chart.isLoading,
            source: PriceRefresher.source, now: chart.now)
    }

    var isEmpty: Bool { drawing == nil }
    var hasTable: Bool { !rows.isEmpty }
}

struct RangeLink {
    let range: ChartRange
    let isChosen: Bool
    let address: String
}

struct DrawnChart: Sendable {
    let drawing: ChartDrawing
    let priceTicks: [PriceLabel]
    let timeTicks: [TimeLabel]
    /// "Price over 7 days: from $60,000.00 to $63,919.00, lowest ..., highest ...".
    let summary: String
    /// The points for scripts: "SECONDS PRICE|SECONDS PRICE ...", one for each point of the line.
    let points: String
    let isDaily: Bool

    init(_ drawing: ChartDrawing, _ chart: CoinChart) {
        func text(_ point: CoinChart.Point?) -> String {
            point.flatMap { PriceText($0.exactPrice, currency: chart.currency)?.text } ?? "–"
        }
        self.drawing = drawing
        priceTicks = drawing.priceTicks.map { PriceLabel(left: drawing.left, y: $0.y, text: $0.text) }
        timeTicks = drawing.timeTicks.enumerated().map { index, tick in
            TimeLabel(tick: tick, isEveryOther: index % 2 == 1)
        }
        let drawn = drawing.drawn
        let lowest = drawn.min { $0.price < $1.price }
        let highest = drawn.max { $0.price < $1.price }
        summary =
            "Price over \(chart.range.longName): from \(text(drawn.first)) to \(text(drawn.last)), "
            + "lowest \(text(lowest)), highest \(text(highest))"
        points = drawn.map { "\(Int($0.time.timeIntervalSince1970)) \(text($0))" }.joined(separator: "|")
        isDaily = chart.range == .year
    }

    struct PriceLabel: Sendable {
        let left, y, text: String
    }

    struct TimeLabel: Sendable {
        let tick: ChartDrawing.TimeTick
        let isEveryOther: Bool
        /// In Unix seconds. A script converts the labels to the reader's time zone.
        var labelTime: Int { Int(tick.time.timeIntervalSince1970) }
    }
}

struct ChartRow: Sendable {
    private let time: Date
    private let price: PriceText?
    private let isDaily: Bool

    init(_ point: CoinChart.Point, currency: String, isDaily: Bool) {
        time = point.time
        price = PriceText(point.exactPrice, currency: currency)
        self.isDaily = isDaily
    }

    var rowTime: String { ISO8601.seconds(time) }
    var rowDay: String { RelativeTime.day(time) }
    var rowClock: String { RelativeTime.clock(time) }
    var hasClock: Bool { !isDaily }
    var rowPrice: String { price?.text ?? "–" }
    var rowFull: String { price?.full ?? "" }
}

extension ChartRange {
    var short: String {
        switch self {
        case .day: "24 h"
        case .week: "7 d"
        case .month: "30 d"
        case .quarter: "90 d"
        case .year: "1 y"
        }
    }

    /// Written out for screen readers: "7 days".
    var longName: String {
        switch self {
        case .day: "24 hours"
        case .year: "1 year"
        default: "\(days) days"
        }
    }
}
