import Foundation
import TestSupport
import Testing

@testable import Market
@testable import RoostSupport
@testable import TextFormats

/// Charts are fetched when someone looks, as often as their range allows, and never at the expense of prices.
@Suite struct CoinChartServiceTests {
    private func chartRequests(_ fixture: ServicesFixture) -> [ScriptedUpstream.Request] {
        fixture.upstream.requests.filter { $0.path.hasSuffix("/market_chart") }
    }

    private func with(
        plan: CoinGeckoPlan = .keyless, _ body: (ServicesFixture, CoinChartService) async throws -> Void
    ) async throws {
        try await withServices(plan: plan) { fixture in
            answer(fixture)
            try await body(fixture, fixture.services.market.charts)
        }
    }

    /// Answers with these pairs, written as in JSON.
    private func answer(
        _ fixture: ServicesFixture,
        _ pairs: String = "[1794308400000,64000.5],[1794312000000,64250.123456789012345]"
    ) {
        fixture.upstream.turn { _ in
            .init(body: #"{"prices":[\#(pairs)],"market_caps":[],"total_volumes":[]}"#)
        }
    }

    private func view(_ charts: CoinChartService, _ coin: String = "bitcoin", _ range: ChartRange = .day)
        -> CoinChart
    {
        charts.chart(of: coin, range: range, in: "usd")
    }

    @Test func `a chart is requested only when someone looks, and an empty chart is not an error`()
        async throws
    {
        try await with { fixture, charts in
            let chart = view(charts)
            await charts.runUntilIdle()
            #expect(chartRequests(fixture).isEmpty)
            #expect(chart.points.isEmpty && chart.fetchedAt == nil)
            #expect(!chart.isLoading && chart.error == nil && !chart.isOld)
        }
    }

    @Test func `a chart has exact points, oldest first, and is published`() async throws {
        try await with { fixture, charts in
            let before = fixture.services.feed.version(of: [Topic.chart("bitcoin")])
            charts.watch("bitcoin", .day, in: "USD")
            #expect(view(charts).isLoading)
            await charts.runUntilIdle()
            let chart = view(charts)
            #expect(chart.points.map(\.exactPrice.description) == ["64000.5", "64250.123456789012345"])
            #expect(chart.points.map(\.price) == [64_000.5, 64_250.123456789012345])
            #expect(chart.points.last?.time == TestClock.start)
            #expect(chart.fetchedAt == fixture.clock.now && !chart.isLoading && chart.error == nil)
            #expect(chart.nextTryAt == fixture.clock.now + 300)
            #expect(fixture.services.feed.version(of: [Topic.chart("bitcoin")]) > before)
        }
    }

    @Test(arguments: [
        (ChartRange.day, "1", 300.0), (.week, "7", 1_800), (.month, "30", 7_200), (.quarter, "90", 7_200),
        (.year, "365", 43_200),
    ])
    func `a chart is requested again at the age that its range allows, and not earlier`(
        range: ChartRange, days: String, lifetime: Double
    ) async throws {
        try await with { fixture, charts in
            charts.watch("bitcoin", range, in: "eur")
            await charts.runUntilIdle()
            let request = try #require(chartRequests(fixture).first)
            #expect(request.path == "/coins/bitcoin/market_chart")
            #expect(request.query["days"] == days && request.query["vs_currency"] == "eur")
            #expect(request.query["precision"] == "full")
            fixture.clock.advance(lifetime - 1)
            charts.watch("bitcoin", range, in: "eur")
            await charts.runUntilIdle()
            #expect(chartRequests(fixture).count == 1)
            fixture.clock.advance(1)
            charts.watch("bitcoin", range, in: "eur")
            await charts.runUntilIdle()
            #expect(chartRequests(fixture).count == 2)
        }
    }

    @Test func `an odd id is percent-encoded`() async throws {
        try await with { fixture, charts in
            charts.watch("1move token/..", .day, in: "usd")
            await charts.runUntilIdle()
            #expect(
                chartRequests(fixture).first?.target.contains("/coins/1move%20token%2F../market_chart")
                    == true)
        }
    }

    @Test func `while CoinGecko does not answer a chart shows its age, the reason and the next retry`()
        async throws
    {
        try await with { fixture, charts in
            charts.watch("bitcoin", .day, in: "usd")
            await charts.runUntilIdle()
            let fetched = fixture.clock.now
            fixture.upstream.turn { _ in .init(status: 503, body: "<html>busy</html>") }
            fixture.clock.advance(400)
            charts.watch("bitcoin", .day, in: "usd")
            await charts.runUntilIdle()
            let chart = view(charts)
            #expect(chart.points.count == 2 && chart.fetchedAt == fetched && chart.isOld)
            #expect(chart.error == .serverError(statusCode: 503) && !chart.isLoading)
            #expect(chart.nextTryAt.map { $0 > fixture.clock.now } == true)
            answer(fixture)
            fixture.clock.advance(20)
            charts.watch("bitcoin", .day, in: "usd")
            await charts.runUntilIdle()
            #expect(view(charts).error == nil && view(charts).fetchedAt == fixture.clock.now)
        }
    }

    @Test func `a coin unknown to CoinGecko gets a reason and is not requested again for a while`()
        async throws
    {
        try await with { fixture, charts in
            fixture.upstream.turn { _ in .init(status: 404, body: #"{"error":"coin not found"}"#) }
            charts.watch("nonsense", .day, in: "usd")
            await charts.runUntilIdle()
            charts.watch("nonsense", .day, in: "usd")
            await charts.runUntilIdle()
            #expect(view(charts, "nonsense").error == .invalidResponse(statusCode: 404))
            #expect(chartRequests(fixture).count == 1)
        }
    }

    @Test(arguments: ["", "[]", #"{"prices":7}"#, #"{"prices":{"1":2}}"#, #"{"market_caps":[]}"#, "<html>"])
    func `a malformed chart is refused, and the old points stay`(body: String) async throws {
        try await with { fixture, charts in
            charts.watch("bitcoin", .day, in: "usd")
            await charts.runUntilIdle()
            fixture.upstream.turn { _ in .init(body: body) }
            fixture.clock.advance(301)
            charts.watch("bitcoin", .day, in: "usd")
            await charts.runUntilIdle()
            #expect(view(charts).error == .invalidResponse(statusCode: 200))
            #expect(view(charts).points.count == 2)
        }
    }

    @Test func `invalid points are skipped, and the others are sorted`() async throws {
        try await with { fixture, charts in
            let later = Int(TestClock.start.timeIntervalSince1970 + 86_400) * 1_000
            answer(
                fixture,
                """
                [1794311700000,5.5],[1794311400000,4],[1,null],["x",2],[2,0],[3,-1],[],[4],7,null,
                [-5,1],[1e300,2],[\(later),9]
                """)
            charts.watch("bitcoin", .day, in: "usd")
            await charts.runUntilIdle()
            #expect(view(charts).points.map(\.exactPrice) == [4, Decimal(string: "5.5")])
        }
    }

    @Test func `a coin without prices has an empty chart and no error`() async throws {
        try await with { fixture, charts in
            answer(fixture, "")
            charts.watch("bitcoin", .day, in: "usd")
            await charts.runUntilIdle()
            let chart = view(charts)
            #expect(chart.points.isEmpty && chart.fetchedAt == fixture.clock.now && chart.error == nil)
        }
    }

    @Test(arguments: [(8_000, 0), (7_999, 1)])
    func `the last fifth of a counted month is reserved for prices`(used: Int, requests: Int) async throws {
        try await with(plan: .demo) { fixture, charts in
            try fixture.change(
                "INSERT INTO upstream_calls (source, month, calls) VALUES ('demo', '2026-11', \(used))")
            charts.watch("bitcoin", .day, in: "usd")
            await charts.runUntilIdle()
            #expect(chartRequests(fixture).count == requests)
            charts.watch("ethereum", .day, in: "usd")
            fixture.clock.advance(10)
            await charts.runUntilIdle()
            #expect(chartRequests(fixture).count == requests)
            let december = try #require(ISO8601.parse("2026-12-01T00:00:00Z"))
            #expect(view(charts, "ethereum").error == .rateLimited(resetDate: december))
            #expect(try fixture.sql(Int.self, "SELECT calls FROM upstream_calls") == [used + requests])
            // Prices are still requested.
            fixture.upstream.turn(to: fixture.script.answer)
            fixture.prices.watch(["bitcoin"])
            await fixture.prices.runUntilIdle()
            #expect(fixture.prices.snapshot.table["bitcoin"] != nil)
        }
    }

    @Test func `CoinGecko's wait for a chart applies to prices too, and a reader is told to wait`()
        async throws
    {
        try await with { fixture, charts in
            fixture.upstream.turn { _ in .init(status: 429, headers: ["Retry-After: 119"]) }
            charts.watch("bitcoin", .day, in: "usd")
            await charts.runUntilIdle()
            let until = fixture.clock.now + 119
            #expect(charts.retry("bitcoin", .day, in: "usd") == .mustWait(until: until))
            #expect(fixture.prices.retry() == .mustWait(until: until))
            fixture.clock.advance(119)
            answer(fixture)
            #expect(charts.retry("bitcoin", .day, in: "usd") == .started)
            #expect(view(charts).isLoading)
            await charts.runUntilIdle()
            #expect(view(charts).points.count == 2)
        }
    }

    @Test func `clicking through all ranges does not use up the minute's calls`() async throws {
        try await with { fixture, charts in
            for range in ChartRange.allCases { charts.watch("bitcoin", range, in: "usd") }
            await charts.runUntilIdle()
            #expect(chartRequests(fixture).count == 1)
            for _ in 1...4 {
                fixture.clock.advance(CoinGeckoPlan.keyless.chartSpacing)
                await charts.runUntilIdle()
            }
            #expect(Set(chartRequests(fixture).map { $0.query["days"] }) == ["1", "7", "30", "90", "365"])
        }
    }

    @Test func `an open page keeps its chart fresh, and a closed one lets it expire`() async throws {
        try await with { fixture, charts in
            charts.watch("bitcoin", .day, in: "usd")
            await charts.runUntilIdle()
            // The page is rendered again when the chart is published.
            fixture.clock.advance(1)
            _ = view(charts)
            func poll(_ times: Int) async {
                for _ in 0..<times {
                    fixture.clock.advance(30)
                    charts.keepWatching("bitcoin")
                    await charts.runUntilIdle()
                }
            }
            await poll(11)
            #expect(chartRequests(fixture).count == 2)
            // No page was rendered since that refresh.
            await poll(30)
            #expect(chartRequests(fixture).count == 2)
        }
    }

    @Test func `at most a hundred charts are cached, and the least recently viewed is dropped`() async throws
    {
        try await with { fixture, charts in
            for coin in ["bitcoin", "ethereum"] {
                charts.watch(coin, .day, in: "usd")
                await charts.runUntilIdle()
                fixture.clock.advance(3)
            }
            _ = view(charts, "bitcoin")
            for number in 1..<CoinChartService.maximumCharts {
                charts.watch("coin-\(number)", .day, in: "usd")
            }
            #expect(charts.count == CoinChartService.maximumCharts)
            #expect(view(charts, "bitcoin").points.count == 2)
            #expect(view(charts, "ethereum").points.isEmpty)
        }
    }

    @Test func `a clock change shifts a chart's age`() async throws {
        try await with { fixture, charts in
            charts.watch("bitcoin", .day, in: "usd")
            await charts.runUntilIdle()
            fixture.clock.jump(86_400)
            #expect(view(charts).fetchedAt == fixture.clock.now && !view(charts).isOld)
        }
    }

    @Test(arguments: ["bitcoin", "1move token", "a,b", "boringdao-[old]", "-4"])
    func `a chart's topic names its coin, whatever characters its id has`(id: String) {
        let topic = Topic.chart(id)
        #expect(!topic.contains(" ") && !topic.contains(","))
        #expect(Topic.coin(ofChart: topic) == id)
    }

    @Test(arguments: ["chart/", "chart/%20", "chart/a b", "chart/%zz", "charts/bitcoin", "prices"])
    func `other names are not chart topics`(name: String) {
        #expect(Topic.coin(ofChart: name) == nil)
    }
}
