import Foundation
import Market
import RoostSupport
import RoostWeb

/// A coin's chart as an SVG of 640 by 280 units: a line, the area below it, and round ticks for prices and times.
///
/// The line uses `Double`; the prices at the ticks and of the points are exact. Price labels are left of the line.
struct ChartDrawing: Sendable, Equatable {
    static let width = 640
    static let height = 280
    /// Longer series are thinned: each bucket keeps its lowest and highest point, and the ends stay.
    static let limit = 240
    /// The top and bottom of the price area, in units. Time labels are below it.
    static let top = 16.0
    static let bottom = 246.0
    /// The width reserved per character of a price label: ample on wide screens, barely enough on phones.
    private static let letterWidth = 14.0
    private static let maximumLeft = 160.0

    struct PriceTick: Sendable, Equatable {
        let price: Decimal
        let text: String
        /// In units from the top, with at most one decimal.
        let y: String
    }

    struct TimeTick: Sendable, Equatable {
        let time: Date
        let x: String
        let text: String
        /// The SVG text anchor, "start", "middle" or "end", which keeps the text within the drawing.
        let anchor: String
    }

    /// Where the line begins, in units from the left edge.
    let left: String
    /// The points of an SVG polyline: "0,30 2,28.4 ...".
    let line: String
    /// An SVG path: the line, closed along the bottom.
    let area: String
    let priceTicks: [PriceTick]
    let timeTicks: [TimeTick]
    /// The points of `line`, in the same number.
    let drawn: [CoinChart.Point]
    let direction: ChangeText.Direction

    /// Returns nil with fewer than two usable points.
    ///
    /// - Parameter labels: returns the labels for the tick prices
    init?(
        _ points: [CoinChart.Point], zone: TimeZone = Formats.current.zone,
        labels: ([Decimal]) -> [String] = { $0.map { _ in "" } }
    ) {
        let usable = Self.usable(points)
        guard let first = usable.first, let last = usable.last, usable.count > 1 else { return nil }
        direction =
            first.exactPrice < last.exactPrice ? .up : first.exactPrice > last.exactPrice ? .down : .flat
        drawn = Self.thinned(usable)
        let prices = usable.map(\.price)
        let ticks = Self.priceSteps(from: prices.min() ?? 0, to: prices.max() ?? 0)
        let (low, high) = (ticks.low, ticks.high)
        func y(_ price: Double) -> Double {
            let share = high > low ? (price - low) / (high - low) : 0.5
            return Self.bottom - min(max(share, 0), 1) * (Self.bottom - Self.top)
        }
        let texts = labels(ticks.prices.map(\.exact))
        let left = min(
            Double(texts.map(\.unicodeScalars.count).max() ?? 0) * Self.letterWidth, Self.maximumLeft)
        self.left = Self.number(left)
        let (start, span) = (first.time, last.time.timeIntervalSince(first.time))
        func x(_ time: Date) -> Double {
            left + time.timeIntervalSince(start) / span * (Double(Self.width) - left)
        }
        line = drawn.map { "\(Self.number(x($0.time))),\(Self.number(y($0.price)))" }
            .joined(separator: " ")
        area =
            "M\(self.left),\(Self.number(Self.bottom)) L\(line) L\(Self.width),\(Self.number(Self.bottom)) Z"
        priceTicks = zip(ticks.prices, texts).map { tick, text in
            PriceTick(price: tick.exact, text: text, y: Self.number(y(tick.drawn)))
        }
        timeTicks = Self.moments(from: start, to: last.time, zone: zone).map { time, text in
            let position = x(time)
            let anchor = position < 32 ? "start" : position > Double(Self.width) - 32 ? "end" : "middle"
            return TimeTick(time: time, x: Self.number(position), text: text, anchor: anchor)
        }
    }

    /// Sorts the points, keeps the last one per moment, and drops prices that are not positive.
    private static func usable(_ points: [CoinChart.Point]) -> [CoinChart.Point] {
        var result: [CoinChart.Point] = []
        for point in points.sorted(by: { $0.time < $1.time }) where point.price.isFinite && point.price > 0 {
            if result.last?.time == point.time { result.removeLast() }
            result.append(point)
        }
        return result
    }

    /// Returns at most `limit` points, without losing peaks.
    static func thinned(_ points: [CoinChart.Point]) -> [CoinChart.Point] {
        guard points.count > limit, let first = points.first, let last = points.last else { return points }
        let inner = points.dropFirst().dropLast()
        let buckets = (limit - 2) / 2
        var result = [first]
        for bucket in 0..<buckets {
            let start = inner.startIndex + bucket * inner.count / buckets
            let end = inner.startIndex + (bucket + 1) * inner.count / buckets
            let stretch = start..<end
            guard let low = stretch.min(by: { points[$0].price < points[$1].price }),
                let high = stretch.max(by: { points[$0].price < points[$1].price })
            else { continue }
            result += Set([low, high]).sorted().map { points[$0] }
        }
        return result + [last]
    }

    /// Returns evenly spaced points, including the first and the last.
    static func sampled(_ points: [CoinChart.Point], limit: Int) -> [CoinChart.Point] {
        guard points.count > limit, limit > 1 else { return points }
        return (0..<limit).map { points[$0 * (points.count - 1) / (limit - 1)] }
    }

    static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        let (whole, rest) = (tenths / 10, abs(tenths % 10))
        return rest == 0 ? "\(whole)" : "\(whole).\(rest)"
    }
}

extension ChartDrawing {
    struct PriceSteps {
        let low, high: Double
        let prices: [(exact: Decimal, drawn: Double)]
    }

    /// Multiplied by ten: steps of 1, 2, 2.5 and 5.
    private static let mantissas = [10, 20, 25, 50]

    /// Returns two to six round prices in a range slightly larger than the given one.
    static func priceSteps(from lowest: Double, to highest: Double) -> PriceSteps {
        // A flat line is centred in a range of two percent.
        let isFlat = highest - lowest <= highest * 1e-9
        let padding = isFlat ? highest * 0.01 : (highest - lowest) * 0.06
        let (low, high) = (max(0, lowest - padding), highest + padding)
        let span = high - low
        guard span > 0, span.isFinite else { return PriceSteps(low: low, high: high, prices: []) }
        var exponent = Int(log10(span / 5).rounded(.down)) - 1
        var step = mantissas.first { Double($0) * pow(10, Double(exponent)) >= span / 5 }
        if step == nil { (step, exponent) = (10, exponent + 1) }
        let unit = Double(step ?? 10) * pow(10, Double(exponent))
        let (first, last) = ((low / unit).rounded(.up), (high / unit).rounded(.down))
        guard first <= last, last < 1e15, last - first < 20 else {
            return PriceSteps(low: low, high: high, prices: [])
        }
        let prices = (Int(first)...Int(last)).map { multiple in
            let exact = Decimal(
                sign: .plus, exponent: exponent, significand: Decimal(multiple * (step ?? 10)))
            return (exact, Double(multiple) * unit)
        }
        return PriceSteps(low: low, high: high, prices: prices)
    }

    private static let hourSteps = [1, 2, 3, 4, 6, 12]
    private static let daySteps = [1, 2, 7, 14]
    private static let monthSteps = [1, 2, 3, 6, 12]
    private static let maximumMoments = 6.0

    /// Returns round times in the range with their labels: hours, days or first days of months.
    static func moments(from start: Date, to end: Date, zone: TimeZone) -> [(time: Date, text: String)] {
        let hours = end.timeIntervalSince(start) / 3_600
        guard hours > 0 else { return [] }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let midnight = calendar.startOfDay(for: start)
        let times: [Date]
        let isHours: Bool
        if let step = hourSteps.first(where: { hours / Double($0) <= maximumMoments }) {
            let days = (0...3).compactMap { calendar.date(byAdding: .day, value: $0, to: midnight) }
            times = days.flatMap { day in
                stride(from: 0, to: 24, by: step).compactMap {
                    calendar.date(bySettingHour: $0, minute: 0, second: 0, of: day)
                }
            }
            isHours = true
        } else if let step = daySteps.first(where: { hours / 24 / Double($0) <= maximumMoments }) {
            times = stride(from: 0, through: Int(hours / 24) + 1, by: step).compactMap {
                calendar.date(byAdding: .day, value: $0 + 1, to: midnight)
            }
            isHours = false
        } else {
            times = months(from: midnight, to: end, calendar)
            isHours = false
        }
        return times.filter { $0 >= start && $0 <= end }.map { time in
            (
                time,
                isHours ? RelativeTime.clock(time, zone: zone) : RelativeTime.dayOfYear(time, zone: zone)
            )
        }
    }

    private static func months(from midnight: Date, to end: Date, _ calendar: Calendar) -> [Date] {
        let parts = calendar.dateComponents([.year, .month], from: midnight)
        guard let first = calendar.date(from: parts) else { return [] }
        let count = calendar.dateComponents([.month], from: first, to: end).month ?? 0
        let step = monthSteps.first { Double(count) / Double($0) <= maximumMoments } ?? count / 6
        let offset = ((parts.month ?? 1) - 1) % step
        return stride(from: step - offset, through: count, by: step).compactMap {
            calendar.date(byAdding: .month, value: $0, to: first)
        }
    }
}
