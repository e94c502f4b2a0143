import Foundation
import Testing

@testable import Market
@testable import RoostSupport
@testable import TextFormats

/// Charts: fetched when somebody looks, as old as their range allows, and never at the prices' expense.
@Suite struct CoinChartServiceTests {
    private func chartRequests(_ fixture: ServicesFixture) -> [ScriptedUpstream.Request] {
        fixture.upstream.requests.filter { $0.path.hasSuffix("/market_chart") }
    }

    private func with(
        plan: CoinGeckoPlan = .keyless, _ body: (ServicesFixture, CoinChartService) async throws -> Void
    ) async throws {
        try await withServices(plan: plan) { fixture in
            answer(fixture)
            try await body(fixture, fixture.services.charts)
        }
    }

    /// Answers with these pairs, as JSON writes them.
    private func answer(
        _ fixture: ServicesFixture,
        _ pairs: String = "[1794308400000,64000.5],[1794312000000,64250.123456789012345]"
    ) {
        fixture.upstream.turn { _ in
            .init(body: #"{"prices":[\#(pairs)],"market_caps":[],"total_volumes":[]}"#)
        }
    }

    private func look(_ charts: CoinChartService, _ coin: String = "bitcoin", _ range: ChartRange = .day)
        -> CoinChart
    {
        charts.chart(of: coin, range: range, in: "usd")
    }

    @Test func `nothing is asked until somebody looks, and a chart without points says nothing of an error`()
        async throws
    {
        try await with { fixture, charts in
            let chart = look(charts)
            await charts.runUntilIdle()
            #expect(chartRequests(fixture).isEmpty)
            #expect(chart.points.isEmpty && chart.fetchedAt == nil)
            #expect(!chart.isLoading && chart.error == nil && !chart.isOld)
        }
    }

    @Test func `a chart comes with its points to the last digit, oldest first, and is told of`() async throws
    {
        try await with { fixture, charts in
            let before = fixture.services.feed.version(of: [Topic.chart("bitcoin")])
            charts.want("bitcoin", .day, in: "USD")
            #expect(look(charts).isLoading)
            await charts.runUntilIdle()
            let chart = look(charts)
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
    func `a chart is asked for again at the age that its range allows, and not before`(
        range: ChartRange, days: String, lifetime: Double
    ) async throws {
        try await with { fixture, charts in
            charts.want("bitcoin", range, in: "eur")
            await charts.runUntilIdle()
            let request = try #require(chartRequests(fixture).first)
            #expect(request.path == "/coins/bitcoin/market_chart")
            #expect(request.query["days"] == days && request.query["vs_currency"] == "eur")
            #expect(request.query["precision"] == "full")
            fixture.clock.advance(lifetime - 1)
            charts.want("bitcoin", range, in: "eur")
            await charts.runUntilIdle()
            #expect(chartRequests(fixture).count == 1)
            fixture.clock.advance(1)
            charts.want("bitcoin", range, in: "eur")
            await charts.runUntilIdle()
            #expect(chartRequests(fixture).count == 2)
        }
    }

    @Test func `an odd id is percent-encoded`() async throws {
        try await with { fixture, charts in
            charts.want("1move token/..", .day, in: "usd")
            await charts.runUntilIdle()
            #expect(
                chartRequests(fixture).first?.target.contains("/coins/1move%20token%2F../market_chart")
                    == true)
        }
    }

    @Test func `many who look at one chart cost one request`() async throws {
        try await with { fixture, charts in
            for _ in 0..<50 { charts.want("bitcoin", .day, in: "usd") }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<5 { group.addTask { await charts.runUntilIdle() } }
            }
            #expect(chartRequests(fixture).count == 1)
        }
    }

    @Test func `while CoinGecko is silent a chart is shown with its age, the reason and the next try`()
        async throws
    {
        try await with { fixture, charts in
            charts.want("bitcoin", .day, in: "usd")
            await charts.runUntilIdle()
            let fetched = fixture.clock.now
            fixture.upstream.turn { _ in .init(status: 503, body: "<html>busy</html>") }
            fixture.clock.advance(400)
            charts.want("bitcoin", .day, in: "usd")
            await charts.runUntilIdle()
            let chart = look(charts)
            #expect(chart.points.count == 2 && chart.fetchedAt == fetched && chart.isOld)
            #expect(chart.error == .serverError(statusCode: 503) && !chart.isLoading)
            #expect(chart.nextTryAt.map { $0 > fixture.clock.now } == true)
            answer(fixture)
            fixture.clock.advance(20)
            charts.want("bitcoin", .day, in: "usd")
            await charts.runUntilIdle()
            #expect(look(charts).error == nil && look(charts).fetchedAt == fixture.clock.now)
        }
    }

    @Test func `a coin that CoinGecko does not know has a reason and is left alone for a while`() async throws
    {
        try await with { fixture, charts in
            fixture.upstream.turn { _ in .init(status: 404, body: #"{"error":"coin not found"}"#) }
            charts.want("nonsense", .day, in: "usd")
            await charts.runUntilIdle()
            charts.want("nonsense", .day, in: "usd")
            await charts.runUntilIdle()
            #expect(look(charts, "nonsense").error == .invalidResponse(statusCode: 404))
            #expect(chartRequests(fixture).count == 1)
        }
    }

    @Test(arguments: ["", "[]", #"{"prices":7}"#, #"{"prices":{"1":2}}"#, #"{"market_caps":[]}"#, "<html>"])
    func `an answer that is no chart is refused, and the old points stay`(body: String) async throws {
        try await with { fixture, charts in
            charts.want("bitcoin", .day, in: "usd")
            await charts.runUntilIdle()
            fixture.upstream.turn { _ in .init(body: body) }
            fixture.clock.advance(301)
            charts.want("bitcoin", .day, in: "usd")
            await charts.runUntilIdle()
            #expect(look(charts).error == .invalidResponse(statusCode: 200))
            #expect(look(charts).points.count == 2)
        }
    }

    @Test func `pairs that make no sense are left out, the others are put in order`() async throws {
        try await with { fixture, charts in
            let later = Int(TestClock.start.timeIntervalSince1970 + 86_400) * 1_000
            answer(
                fixture,
                """
                [1794311700000,5.5],[1794311400000,4],[1,null],["x",2],[2,0],[3,-1],[],[4],7,null,
                [-5,1],[1e300,2],[\(later),9]
                """)
            charts.want("bitcoin", .day, in: "usd")
            await charts.runUntilIdle()
            #expect(look(charts).points.map(\.exactPrice) == [4, Decimal(string: "5.5")])
        }
    }

    @Test func `a coin without any price has a chart without points, and no error`() async throws {
        try await with { fixture, charts in
            answer(fixture, "")
            charts.want("bitcoin", .day, in: "usd")
            await charts.runUntilIdle()
            let chart = look(charts)
            #expect(chart.points.isEmpty && chart.fetchedAt == fixture.clock.now && chart.error == nil)
        }
    }

    @Test(arguments: [(8_000, 0), (7_999, 1)])
    func `the last fifth of a counted month is kept for prices`(used: Int, requests: Int) async throws {
        try await with(plan: .demo) { fixture, charts in
            try fixture.change(
                "INSERT INTO upstream_calls (source, month, calls) VALUES ('demo', '2026-11', \(used))")
            charts.want("bitcoin", .day, in: "usd")
            await charts.runUntilIdle()
            #expect(chartRequests(fixture).count == requests)
            charts.want("ethereum", .day, in: "usd")
            fixture.clock.advance(10)
            await charts.runUntilIdle()
            #expect(chartRequests(fixture).count == requests)
            let december = try #require(ISO8601.parse("2026-12-01T00:00:00Z"))
            #expect(look(charts, "ethereum").error == .rateLimited(resetDate: december))
            #expect(try fixture.sql(Int.self, "SELECT calls FROM upstream_calls") == [used + requests])
            // Prices are still asked for.
            fixture.upstream.turn(to: fixture.script.answer)
            fixture.prices.want(["bitcoin"])
            await fixture.prices.runUntilIdle()
            #expect(fixture.prices.snapshot.board["bitcoin"] != nil)
        }
    }

    @Test func `what CoinGecko asked for holds for the prices too, and a reader is told to wait`()
        async throws
    {
        try await with { fixture, charts in
            fixture.upstream.turn { _ in .init(status: 429, headers: ["Retry-After: 119"]) }
            charts.want("bitcoin", .day, in: "usd")
            await charts.runUntilIdle()
            let until = fixture.clock.now + 119
            #expect(charts.retry("bitcoin", .day, in: "usd") == .mustWait(until: until))
            #expect(fixture.prices.retry() == .mustWait(until: until))
            fixture.clock.advance(119)
            answer(fixture)
            #expect(charts.retry("bitcoin", .day, in: "usd") == .started)
            #expect(look(charts).isLoading)
            await charts.runUntilIdle()
            #expect(look(charts).points.count == 2)
        }
    }

    @Test func `a click through all ranges does not use up the minute`() async throws {
        try await with { fixture, charts in
            for range in ChartRange.allCases { charts.want("bitcoin", range, in: "usd") }
            await charts.runUntilIdle()
            #expect(chartRequests(fixture).count == 1)
            for _ in 1...4 {
                fixture.clock.advance(CoinGeckoPlan.keyless.chartSpacing)
                await charts.runUntilIdle()
            }
            #expect(Set(chartRequests(fixture).map { $0.query["days"] }) == ["1", "7", "30", "90", "365"])
        }
    }

    @Test func `an open page keeps its chart fresh, and one that was left behind is let go`() async throws {
        try await with { fixture, charts in
            charts.want("bitcoin", .day, in: "usd")
            await charts.runUntilIdle()
            // The page is rendered again when it hears of the chart.
            fixture.clock.advance(1)
            _ = look(charts)
            func poll(_ times: Int) async {
                for _ in 0..<times {
                    fixture.clock.advance(30)
                    charts.keepWatching("bitcoin")
                    await charts.runUntilIdle()
                }
            }
            await poll(11)
            #expect(chartRequests(fixture).count == 2)
            // No page looked since that refresh.
            await poll(30)
            #expect(chartRequests(fixture).count == 2)
        }
    }

    @Test func `a hundred charts are held, and the one looked at longest ago goes`() async throws {
        try await with { fixture, charts in
            for coin in ["bitcoin", "ethereum"] {
                charts.want(coin, .day, in: "usd")
                await charts.runUntilIdle()
                fixture.clock.advance(3)
            }
            _ = look(charts, "bitcoin")
            for number in 1..<CoinChartService.maximumCharts {
                charts.want("coin-\(number)", .day, in: "usd")
            }
            #expect(charts.count == CoinChartService.maximumCharts)
            #expect(look(charts, "bitcoin").points.count == 2)
            #expect(look(charts, "ethereum").points.isEmpty)
        }
    }

    @Test func `a clock that is set moves a chart's age along`() async throws {
        try await with { fixture, charts in
            charts.want("bitcoin", .day, in: "usd")
            await charts.runUntilIdle()
            fixture.clock.jump(86_400)
            #expect(look(charts).fetchedAt == fixture.clock.now && !look(charts).isOld)
        }
    }

    @Test(arguments: ["bitcoin", "1move token", "a,b", "boringdao-[old]", "-4"])
    func `a chart's topic names its coin, whatever signs its id has`(id: String) {
        let topic = Topic.chart(id)
        #expect(!topic.contains(" ") && !topic.contains(","))
        #expect(Topic.coin(ofChart: topic) == id)
    }

    @Test(arguments: ["chart/", "chart/%20", "chart/a b", "chart/%zz", "charts/bitcoin", "prices"])
    func `other names are no chart's topic`(name: String) {
        #expect(Topic.coin(ofChart: name) == nil)
    }
}
