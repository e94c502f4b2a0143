import Foundation
import Testing

@testable import Market
@testable import MarketWeb

@Suite struct ChartDrawingTests {
    /// 20 November 2025, 09:41 UTC.
    private let start = Date(timeIntervalSince1970: 1_763_631_660)
    private let utc = TimeZone.gmt

    private func points(_ prices: [String], every seconds: TimeInterval = 3_600) throws -> [CoinChart.Point] {
        try prices.enumerated().map { index, price in
            CoinChart.Point(
                time: start + Double(index) * seconds, exactPrice: try #require(Decimal(string: price)))
        }
    }

    private func walk(_ count: Int, every seconds: TimeInterval) -> [CoinChart.Point] {
        (0..<count).map { index in
            CoinChart.Point(
                time: start + Double(index) * seconds,
                exactPrice: Decimal(60_000 + (index * 7_919) % 4_001))
        }
    }

    private func drawing(_ prices: String..., every seconds: TimeInterval = 3_600) throws -> ChartDrawing {
        try #require(ChartDrawing(try points(prices, every: seconds), zone: utc))
    }

    @Test func `the line spans the drawing, with higher prices higher up`() throws {
        let coordinates = try drawing("100", "200", "150").line.split(separator: " ").map {
            $0.split(separator: ",").compactMap { Double($0) }
        }
        #expect(coordinates.map(\.first) == [0, 320, 640])
        let heights = try coordinates.map { try #require($0.last) }
        #expect(heights[1] < heights[2] && heights[2] < heights[0])
        #expect(heights.allSatisfy { (16...246).contains($0) })
    }

    @Test func `the line begins to the right of the longest price label`() throws {
        let chart = try #require(
            ChartDrawing(try points(["100", "200"]), zone: utc, labels: { $0.map { "$\($0)" } }))
        let longest = chart.priceTicks.map(\.text.count).max() ?? 0
        let left = try #require(Double(chart.left))
        #expect(longest > 2 && left >= 7 * Double(longest) && left < 160)
        #expect(chart.line.hasPrefix("\(chart.left),") && chart.line.contains(" 640,"))
        #expect(chart.area.hasPrefix("M\(chart.left),246 L"))
        let endless = try #require(
            ChartDrawing(
                try points(["1", "2"]), zone: utc,
                labels: { $0.map { _ in String(repeating: "9", count: 99) } }))
        #expect(endless.left == "160")
    }

    @Test func `the area is closed along the bottom`() throws {
        let chart = try drawing("100", "200")
        #expect(chart.area == "M0,246 L\(chart.line) L640,246 Z")
    }

    @Test func `the direction compares the last price with the first`() throws {
        #expect(try drawing("1", "9", "2").direction == .up)
        #expect(try drawing("2", "9", "1").direction == .down)
        #expect(try drawing("2", "9", "2").direction == .flat)
    }

    @Test(arguments: [[], ["1"], ["0", "-1", "2"]])
    func `fewer than two positive prices make no chart`(prices: [String]) throws {
        #expect(ChartDrawing(try points(prices), zone: utc) == nil)
    }

    @Test func `prices are sorted by time, and duplicates of one moment are merged`() throws {
        let mixed = try points(["1", "2", "3"])
        let twice = CoinChart.Point(time: mixed[2].time, exactPrice: 3)
        let drawn = try #require(ChartDrawing([mixed[2], mixed[0], twice, mixed[1]], zone: utc)).drawn
        #expect(drawn == mixed)
    }

    @Test(arguments: [
        (["60000", "69863"], ["60000", "62500", "65000", "67500", "70000"]),
        (["1.02", "1.09"], ["1.02", "1.04", "1.06", "1.08"]),
        (["0.0000081", "0.0000083"], ["0.0000081", "0.00000815", "0.0000082", "0.00000825", "0.0000083"]),
    ])
    func `price ticks are round numbers, exact to the last digit`(
        prices: [String], ticks: [String]
    ) throws {
        let chart = try #require(ChartDrawing(try points(prices), zone: utc))
        #expect(chart.priceTicks.map(\.price) == ticks.map { Decimal(string: $0) })
    }

    @Test(arguments: [
        ["5", "5", "5"], ["0.000000000000000012", "0.000000000000000013"], ["1", "1000000"],
        ["123456789012345.67", "123456789012999"], ["94318.27", "94318.28"],
    ])
    func `any span has two to seven ticks within the drawing, in order`(prices: [String]) throws {
        let chart = try #require(ChartDrawing(try points(prices), zone: utc))
        #expect((2...7).contains(chart.priceTicks.count))
        let heights = try chart.priceTicks.map { try #require(Double($0.y)) }
        #expect(heights == heights.sorted(by: >))
        #expect(heights.allSatisfy { (16...246).contains($0) })
        #expect(Set(chart.priceTicks.map(\.price)).count == chart.priceTicks.count)
    }

    @Test func `a flat line is between the top and the bottom edge`() throws {
        let heights = try drawing("5", "5").line.split(separator: " ").compactMap {
            $0.split(separator: ",").last.flatMap { Double($0) }
        }
        #expect(heights == [131, 131])
    }

    @Test func `a day has ticks at round hours`() throws {
        let chart = try #require(ChartDrawing(walk(289, every: 300), zone: utc))
        #expect(chart.timeTicks.map(\.text) == ["12:00", "16:00", "20:00", "00:00", "04:00", "08:00"])
    }

    @Test(arguments: [
        (7, ["21 Nov", "23 Nov", "25 Nov", "27 Nov"]),
        (30, ["21 Nov", "28 Nov", "5 Dec", "12 Dec", "19 Dec"]),
        (90, ["1 Dec", "1 Jan", "1 Feb"]), (365, ["1 Jan", "1 Mar", "1 May", "1 Jul", "1 Sep", "1 Nov"]),
    ])
    func `longer ranges have ticks at days and months`(days: Int, texts: [String]) throws {
        let chart = try #require(ChartDrawing(walk(days + 1, every: 86_400), zone: utc))
        #expect(chart.timeTicks.map(\.text) == texts)
    }

    @Test func `hours and days are those of the time zone`() throws {
        let zone = try #require(TimeZone(secondsFromGMT: 5 * 3_600 + 1_800))
        let chart = try #require(ChartDrawing(walk(289, every: 300), zone: zone))
        #expect(chart.timeTicks.first?.text == "16:00")
        #expect(chart.timeTicks.first?.time == start + 2_940)
    }

    @Test func `a label at an edge stays within the drawing`() throws {
        let chart = try #require(ChartDrawing(walk(8, every: 86_400), zone: utc))
        for tick in chart.timeTicks {
            let x = try #require(Double(tick.x))
            #expect(tick.anchor == (x < 32 ? "start" : x > 608 ? "end" : "middle"))
        }
    }

    @Test func `a long range is thinned out and keeps its first, last, lowest and highest prices`() throws {
        var all = walk(2_161, every: 3_600)
        all[1_000] = CoinChart.Point(time: all[1_000].time, exactPrice: 1)
        all[1_500] = CoinChart.Point(time: all[1_500].time, exactPrice: 900_000)
        let drawn = try #require(ChartDrawing(all, zone: utc)).drawn
        #expect(drawn.count <= ChartDrawing.limit && drawn.count > ChartDrawing.limit / 2)
        #expect(drawn.first == all.first && drawn.last == all.last)
        #expect(drawn.contains(all[1_000]) && drawn.contains(all[1_500]))
        #expect(drawn.map(\.time) == drawn.map(\.time).sorted())
    }

    @Test func `the line has as many points as the readable prices`() throws {
        let chart = try #require(ChartDrawing(walk(721, every: 3_600), zone: utc))
        #expect(chart.line.split(separator: " ").count == chart.drawn.count)
    }

    @Test func `a table has at most the given number of rows, including the first and the last`() throws {
        let all = walk(289, every: 300)
        let rows = ChartDrawing.sampled(all, limit: 30)
        #expect(rows.count == 30 && rows.first == all.first && rows.last == all.last)
        #expect(ChartDrawing.sampled(Array(all.prefix(12)), limit: 30).count == 12)
    }

    @Test func `its text needs no escaping`() throws {
        let chart = try #require(ChartDrawing(walk(289, every: 300), zone: utc))
        #expect((chart.line + chart.area).allSatisfy { "0123456789.,-MLZ ".contains($0) })
    }
}
