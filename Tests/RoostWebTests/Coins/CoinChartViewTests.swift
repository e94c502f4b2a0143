import Foundation
import HTMLTemplates
import Testing

@testable import Market
@testable import MarketWeb
@testable import RoostSupport

@Suite struct CoinChartViewTests {
    private let now = Date(timeIntervalSince1970: 1_763_631_660)

    private func page(
        _ range: ChartRange = .week, points: Int = 169, fetchedAt: Date? = .distantPast,
        error: APIError? = nil
    ) -> String {
        let step = Double(range.days) * 86_400 / Double(max(1, points - 1))
        let chart = CoinChart(
            coinId: "a b", range: range, currency: "usd",
            points: (0..<points).map {
                CoinChart.Point(
                    time: now - Double(points - 1 - $0) * step, exactPrice: Decimal(60_000 + $0))
            },
            fetchedAt: fetchedAt == .distantPast ? now - 60 : fetchedAt, error: error, now: now)
        let live = CoinLiveView(
            .init(id: "a b", name: "Coin <b>", symbol: "c&"), quote: nil, notes: [], isOld: false,
            freshness: .sample, chart: CoinChartView(chart, path: "a%20b", zone: .gmt), totals: nil,
            currency: "usd", now: now)
        return rendered(live)
    }

    @Test func `the ranges are links, and the selected one is marked`() {
        let text = page(.month, points: 721)
        for range in ChartRange.allCases {
            #expect(text.contains("href=\"/coins/a%20b?range=\(range.rawValue)\""))
        }
        #expect(text.contains(/range=30d" aria-label="30 days" aria-current="true"/))
        #expect(text.components(separatedBy: "aria-current").count == 2)
    }

    @Test func `the page gives its script each drawn point with its price`() throws {
        let text = page()
        let points = try #require(text.firstMatch(of: /data-chart="([^"]*)"/)).output.1.split(separator: "|")
        let line = try #require(text.firstMatch(of: /<polyline points="([^"]*)"/)).output.1.split(
            separator: " ")
        #expect(points.count == 169 && line.count == 169)
        #expect(points.first == "1763026860 $60,000.00")
        #expect(points.last == "1763631660 $60,168.00")
    }

    @Test func `the drawing's text alternative describes how the price moved`() {
        #expect(
            page().contains(
                "aria-label=\"Price over 7 days: from $60,000.00 to $60,168.00, lowest $60,000.00, highest $60,168.00\""
            ))
    }

    @Test func `the table below it has thirty rows, the latest first`() throws {
        let text = page()
        let rows = text.components(separatedBy: "<tr><th scope=\"row\">").dropFirst()
        #expect(rows.count == CoinChartView.rowLimit)
        #expect(rows.first?.contains("datetime=\"2025-11-20T09:41:00Z\"") == true)
        #expect(rows.first?.contains("$60,168.00") == true)
        #expect(rows.last?.contains("$60,000.00") == true)
    }

    @Test(arguments: [(ChartRange.day, 289), (.week, 169), (.year, 366)])
    func `each time below the line can be converted to the user's time zone`(
        range: ChartRange, points: Int
    ) throws {
        let axis = page(range, points: points).matches(of: /<text[^>]* data-time="(\d+)">[^<]+<\/text>/)
        #expect(axis.count > 2)
        let times = try axis.map { try #require(TimeInterval($0.output.1)) }
        #expect(
            times.allSatisfy {
                (now - Double(range.days) * 86_400...now).contains(Date(timeIntervalSince1970: $0))
            })
    }

    @Test func `daily points have no time of day`() {
        let text = page(.year, points: 366)
        #expect(text.contains(" data-daily>"))
        #expect(text.contains("<time data-day datetime=") && !text.contains("data-short"))
    }

    @Test func `a chart that is still loading says so and reserves its space`() {
        let text = page(points: 0, fetchedAt: nil)
        #expect(text.contains("class=\"chart-none\">Loading the chart…<noscript>"))
        #expect(!text.contains("data-chart") && !text.contains("chart-table"))
    }

    @Test func `a failed refresh keeps the chart, with its age and the reason`() {
        let text = page(error: .serverError(statusCode: 503))
        #expect(text.contains("data-chart"))
        #expect(text.contains("freshness-stale"))
        #expect(text.contains("action=\"/coins/a%20b/refresh?range=7d\""))
    }
}
