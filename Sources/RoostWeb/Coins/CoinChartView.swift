import Foundation
import Market
import TextFormats

/// A coin's chart over one of the ranges: the drawing, what is read of it, and how old it is.
struct CoinChartView: Sendable {
    /// So many rows has the table behind the drawing.
    static let rowLimit = 30

    let ranges: [RangeLink]
    let drawing: DrawnChart?
    let rows: [ChartRow]
    let freshness: FreshnessView
    let isLoading: Bool
    let rangeName: String

    /// - Parameter path: of the coin, as one segment of an address
    init(_ chart: CoinChart, path: String, zone: TimeZone = .current) {
        ranges = ChartRange.allCases.map {
            RangeLink(range: $0, isChosen: $0 == chart.range, address: "/coins/\(path)?range=\($0.rawValue)")
        }
        rangeName = chart.range.words
        drawing = ChartDrawing(
            chart.points, zone: zone, labels: { AmountText.axis($0, currency: chart.currency) }
        ).map { DrawnChart($0, chart) }
        rows = ChartDrawing.sampled(chart.points, limit: Self.rowLimit).reversed().map {
            ChartRow(point: $0, currency: chart.currency, isDaily: chart.range == .year)
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

    var isNone: Bool { drawing == nil }
    var hasTable: Bool { !rows.isEmpty }
}

/// A range as a link above the chart.
struct RangeLink {
    let range: ChartRange
    let isChosen: Bool
    let address: String
}

/// The drawing with the words at its axes.
struct DrawnChart: Sendable {
    let drawing: ChartDrawing
    let priceTicks: [PriceLabel]
    let timeTicks: [TimeLabel]
    /// "Price over 7 days: from $60,000.00 to $63,919.00, between ... and ...".
    let summary: String
    /// What a script reads out: "SECONDS PRICE|SECONDS PRICE ...", as many as the line has places.
    let points: String
    let isDaily: Bool

    init(_ drawing: ChartDrawing, _ chart: CoinChart) {
        func text(_ price: Decimal?) -> String {
            price.flatMap { PriceText($0, currency: chart.currency)?.text } ?? "–"
        }
        self.drawing = drawing
        priceTicks = drawing.priceTicks.map { PriceLabel(left: drawing.left, y: $0.y, text: $0.text) }
        timeTicks = drawing.timeTicks.enumerated().map { place, tick in
            TimeLabel(tick: tick, isEveryOther: place % 2 == 1)
        }
        let prices = drawing.drawn.map(\.exactPrice)
        summary =
            "Price over \(chart.range.words): from \(text(prices.first)) to \(text(prices.last)), "
            + "lowest \(text(prices.min())), highest \(text(prices.max()))"
        points = drawing.drawn.map { point in
            "\(Int(point.time.timeIntervalSince1970)) \(text(point.exactPrice))"
        }.joined(separator: "|")
        isDaily = chart.range == .year
    }

    var direction: ChangeText.Direction { drawing.direction }
    var line: String { drawing.line }
    var area: String { drawing.area }

    struct PriceLabel: Sendable {
        /// Where its line begins.
        let left, y, text: String
        var labelText: String { text }
    }

    struct TimeLabel: Sendable {
        let tick: ChartDrawing.TimeTick
        let isEveryOther: Bool
        var labelText: String { tick.text }
        /// Hours and days are those of the reader's zone where scripts run.
        var labelTime: Int { Int(tick.time.timeIntervalSince1970) }
    }
}

/// A row of the table behind the chart.
struct ChartRow: Sendable {
    let point: CoinChart.Point
    let currency: String
    let isDaily: Bool

    var rowTime: String { ISO8601.seconds(point.time) }
    var rowDay: String { RelativeTime.day(point.time) }
    var rowClock: String { RelativeTime.clock(point.time) }
    var hasClock: Bool { !isDaily }
    var rowPrice: String { PriceText(point.exactPrice, currency: currency)?.text ?? "–" }
    var rowFull: String { PriceText(point.exactPrice, currency: currency)?.full ?? "" }
}

extension ChartRange {
    /// "24 h"
    var short: String {
        switch self {
        case .day: "24 h"
        case .week: "7 d"
        case .month: "30 d"
        case .quarter: "90 d"
        case .year: "1 y"
        }
    }

    /// As a voice reads it: "7 days".
    var words: String {
        switch self {
        case .day: "24 hours"
        case .year: "1 year"
        default: "\(days) days"
        }
    }
}
