import Foundation
import Testing

@testable import RoostSimulator

@Suite struct DeterminismTests {
    private let targets = [
        "/coins/list", "/coins/markets?vs_currency=eur&per_page=250&sparkline=true", "/search?query=inu",
        "/simple/price?ids=bitcoin&vs_currencies=usd", "/coins/ethereum/market_chart?vs_currency=usd&days=1",
    ]

    @Test func `the same seed and time give the same bytes`() {
        let (one, other) = (TestMarket(coins: 900), TestMarket(coins: 900))
        for target in targets {
            #expect(one.ask(target) == other.ask(target), "\(target)")
        }
    }

    @Test func `another seed makes another market with the same leading coins`() throws {
        let (one, other) = (TestMarket(seed: 1, coins: 900), TestMarket(seed: 2, coins: 900))
        #expect(one.ask("/coins/list").body != other.ask("/coins/list").body)
        let first = try one.coin("bitcoin")
        let second = try other.coin("bitcoin")
        #expect(first?.number("current_price") != second?.number("current_price"))
        #expect(first?.text("name") == "Bitcoin" && second?.text("name") == "Bitcoin")
    }

    @Test func `earlier requests do not change an answer`() {
        let (one, other) = (TestMarket(coins: 300), TestMarket(coins: 300))
        for target in targets.reversed() { _ = other.ask(target) }
        #expect(one.ask(targets[1]) == other.ask(targets[1]))
    }

    @Test func `prices are constant within a step and change with the next one`() throws {
        let step = 20_000
        let begin = TestMarket.moment / step * step
        let target = "/coins/markets?vs_currency=usd&per_page=250&precision=full"
        let now = TestMarket(step: step, at: begin, coins: 300).ask(target)
        #expect(TestMarket(step: step, at: begin + step - 1, coins: 300).ask(target) == now)
        let next = TestMarket(step: step, at: begin + step, coins: 300).ask(target)
        #expect(next.body != now.body)
        #expect(next.header("ETag") != now.header("ETag"))
    }

    @Test func `a step changes a price by some tenths of a percent at most`() throws {
        let step = 20_000
        var largest = 0.0
        var before: [String: Double] = [:]
        for number in 0..<30 {
            let market = TestMarket(step: step, at: TestMarket.moment + number * step, coins: 250)
            for item in try market.markets("per_page=250&precision=full") {
                guard let id = item.text("id"), let price = item.number("current_price"), price > 0 else {
                    continue
                }
                if let last = before[id] { largest = max(largest, abs(price / last - 1)) }
                before[id] = price
            }
        }
        #expect(largest > 0.0005)
        #expect(largest < 0.01)
    }

    @Test func `every endpoint of CoinGecko's is answered under api v3 and at the root`() {
        let market = TestMarket(coins: 300)
        for target in targets + ["/ping"] {
            #expect(market.ask("/api/v3" + target) == market.ask(target), "\(target)")
            #expect(market.ask(target).status == 200, "\(target)")
        }
    }

    @Test func `times after 2038 and before 2000 work`() throws {
        for moment in [946_000_000_000, 4_102_444_800_000] {
            let item = try #require(try TestMarket(at: moment, coins: 200).coin("bitcoin"))
            #expect((item.number("current_price") ?? 0) > 10_000)
        }
    }

    @Test func `after an hour the sparkline has advanced by a point`() throws {
        let before = TestMarket(seed: 11, coins: 200)
        let after = TestMarket(seed: 11, at: TestMarket.moment + Timestamp.hour, coins: 200)
        let old = try #require(try before.coin("bitcoin")?.spark)
        let new = try #require(try after.coin("bitcoin")?.spark)
        #expect(Array(old.dropFirst()) == Array(new.dropLast()))
    }
}
