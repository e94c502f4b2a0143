import Foundation
import Testing

@testable import RoostSimulator

@Suite struct MarketChartTests {
    private let market = TestMarket(coins: 200)

    private func points(_ answer: SimulatedResponse, _ series: String = "prices") throws -> [[Double]] {
        let rows = try #require(try answer.object[series] as? [[NSNumber]])
        return rows.map { $0.map(\.doubleValue) }
    }

    private func chart(_ days: String, _ more: String = "") -> SimulatedResponse {
        market.ask("/coins/bitcoin/market_chart?vs_currency=usd&days=\(days)\(more)")
    }

    @Test func `one day has points every 5 minutes, up to 90 days hourly ones, and more daily ones`() throws {
        for (days, pace) in [("1", 300.0), ("2", 3600), ("90", 3600), ("91", 86_400), ("365", 86_400)] {
            let points = try points(chart(days))
            #expect((points[1][0] - points[0][0]) / 1000 == pace, "\(days)")
            let span = (points[points.count - 1][0] - points[0][0]) / 86_400_000
            #expect(abs(span - (Double(days) ?? 0)) <= 1, "\(days)")
        }
        let daily = try points(chart("90", "&interval=daily"))
        #expect(daily[1][0] - daily[0][0] == 86_400_000)
    }

    @Test func `a chart ends with the price of the markets page`() throws {
        let last = try #require(try points(chart("7")).last)
        let price = try #require(try market.coin("bitcoin", "precision=full")?.number("current_price"))
        #expect(last[0] == Double(TestMarket.moment))
        #expect(abs(last[1] - price) <= 0.5)
    }

    @Test func `caps and volumes have as many points as prices`() throws {
        let answer = chart("1")
        let count = try points(answer).count
        #expect(try points(answer, "market_caps").count == count)
        #expect(try points(answer, "total_volumes").count == count)
    }

    @Test func `beyond a year free plans get 401 with a nested body`() throws {
        for days in ["366", "max"] {
            let answer = chart(days)
            #expect(answer.status == 401)
            let error = try #require(try answer.object["error"] as? [String: Any])
            #expect((error["status"] as? [String: Any])?.number("error_code") == 10012)
        }
        let paid = market.ask("/coins/bitcoin/market_chart?vs_currency=usd&days=500", proKey: "CG-1")
        #expect(paid.status == 200)
    }

    @Test func `missing parameters and unknown coins give different errors`() {
        let noCurrency = market.ask("/coins/bitcoin/market_chart")
        #expect(noCurrency.status == 422)
        #expect(noCurrency.text == #"{"error":"Missing parameter vs_currency"}"#)
        let noDays = market.ask("/coins/bitcoin/market_chart?vs_currency=usd")
        #expect(noDays.text == #"{"error":"Missing parameter days"}"#)
        let unknown = market.ask("/coins/no-such-coin/market_chart?vs_currency=usd&days=1")
        #expect(unknown.status == 404)
        #expect(unknown.text == #"{"error":"coin not found"}"#)
    }

    @Test func `an encoded id finds its coin`() {
        let answer = market.ask("/coins/boringdao-%5Bold%5D/market_chart?vs_currency=usd&days=1")
        #expect(answer.status == 200)
    }
}
