import Foundation
import Testing

@testable import RoostSimulator

@Suite struct MarketsTests {
    private let market = TestMarket(coins: 1000)

    @Test func `without a currency the answer is 422 with the recorded message`() {
        for target in ["/coins/markets", "/coins/markets?ids=bitcoin", "/coins/markets?vs_currency="] {
            let answer = market.ask(target)
            #expect(answer.status == 422)
            #expect(answer.text == #"{"error":"Missing parameter vs_currency"}"#)
        }
    }

    @Test func `an unknown currency is refused`() {
        let answer = market.ask("/coins/markets?vs_currency=doubloon")
        #expect(answer.status == 422)
        #expect(answer.text == #"{"error":"invalid vs_currency"}"#)
    }

    @Test func `a page has 100 coins by default, and never more than 250`() throws {
        #expect(try market.markets("").count == 100)
        #expect(try market.markets("per_page=1").count == 1)
        #expect(try market.markets("per_page=250").count == 250)
        #expect(try market.markets("per_page=1000").count == 250)
        #expect(try market.markets("per_page=0").count == 100)
    }

    @Test func `ids are paged like other requests: a hundred by default`() throws {
        let ids = try market.ask("/coins/list").ids.prefix(180).joined(separator: ",")
        let escaped = try #require(ids.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        #expect(try market.markets("ids=\(escaped)").count == 100)
        #expect(try market.markets("ids=\(escaped)&per_page=250").count == 180)
    }

    @Test func `pages follow each other without gaps or repetitions and end with an empty one`() throws {
        var ids: [String] = []
        for page in 1...5 {
            ids += try market.markets("per_page=250&page=\(page)").compactMap { $0.text("id") }
        }
        #expect(ids.count == 1003)
        #expect(Set(ids).count == 1003)
        #expect(try market.markets("page=9999").isEmpty)
        #expect(try market.markets("page=9223372036854775807&per_page=250").isEmpty)
    }

    @Test func `coins are sorted by market cap, ranks are in order, and the known coins come first`() throws {
        let items = try market.markets("per_page=250")
        #expect(items.prefix(2).compactMap { $0.text("id") } == ["bitcoin", "ethereum"])
        #expect(items.compactMap { $0.number("market_cap_rank") } == (1...250).map(Double.init))
        let caps = items.compactMap { $0.number("market_cap") }
        // Ranks are up to an hour older than caps.
        #expect(zip(caps, caps.dropFirst()).allSatisfy { $0 > $1 * 0.97 })
        let smallest = try market.markets("order=market_cap_asc&per_page=5")
        #expect(smallest.allSatisfy { $0.isNull("market_cap_rank") })
    }

    @Test func `unknown ids are left out with 200, and blanks and repetitions are ignored`() throws {
        let answer = market.ask("/coins/markets?vs_currency=usd&ids=no-such-coin,%20ethereum,bitcoin,bitcoin")
        #expect(answer.status == 200)
        #expect(try answer.ids == ["bitcoin", "ethereum"])
        #expect(market.ask("/coins/markets?vs_currency=usd&ids=no-such-coin").text == "[]")
    }

    @Test func `a symbol finds its largest coin, or all of them`() throws {
        #expect(try market.markets("symbols=WETH").compactMap { $0.text("id") } == ["weth"])
        #expect(try market.markets("symbols=weth&include_tokens=all").count > 2)
    }

    @Test func `a sparkline has 168 hourly points that agree with the price and the changes`() throws {
        // At the full hour the last point is the price itself.
        let moment = TestMarket.moment / Timestamp.hour * Timestamp.hour
        let precise = TestMarket(at: moment, coins: 200)
        let item = try #require(
            try precise.coin("solana", "sparkline=true&precision=full&price_change_percentage=1h,24h"))
        let spark = try #require(item.spark)
        let price = try #require(item.number("current_price"))
        #expect(spark.count == 168)
        #expect(spark.last == price)
        let day = try #require(item.number("price_change_percentage_24h_in_currency"))
        #expect(abs(day - (price / spark[143] - 1) * 100) < 1e-9)
        let hour = try #require(item.number("price_change_percentage_1h_in_currency"))
        #expect(abs(hour - (price / spark[166] - 1) * 100) < 1e-9)
        #expect(abs(try #require(item.number("price_change_24h")) - (price - spark[143])) < 1e-9)
        #expect(item.number("high_24h") == spark.suffix(25).max())
        #expect(item.number("low_24h") == spark.suffix(25).min())
    }

    @Test func `sparkline and windows are included only if requested`() throws {
        let plain = try #require(try market.coin("bitcoin", ""))
        #expect(plain["sparkline_in_7d"] == nil)
        #expect(!plain.keys.contains { $0.hasSuffix("_in_currency") })
        let requested = try #require(try market.coin("bitcoin", "price_change_percentage=1h,%207d,99y"))
        #expect(
            requested.keys.filter { $0.hasSuffix("_in_currency") }.sorted() == [
                "price_change_percentage_1h_in_currency", "price_change_percentage_7d_in_currency",
            ])
    }

    @Test func `an item has the recorded fields in the recorded order`() throws {
        let answer = market.ask("/coins/markets?vs_currency=usd&ids=bitcoin")
        let item = try #require(RawJSON(answer.body[...])?.elements?.first?.members)
        #expect(
            item.map(\.key) == [
                "id", "symbol", "name", "image", "current_price", "market_cap", "market_cap_rank",
                "fully_diluted_valuation", "total_volume", "high_24h", "low_24h", "price_change_24h",
                "price_change_percentage_24h", "market_cap_change_24h", "market_cap_change_percentage_24h",
                "circulating_supply", "total_supply", "max_supply", "ath", "ath_change_percentage",
                "ath_date", "atl",
                "atl_change_percentage", "atl_date", "roi", "last_updated",
            ])
    }

    @Test func `other currencies differ by a fixed rate`() throws {
        let usd = try #require(try market.coin("litecoin", "precision=full")?.number("current_price"))
        for (code, low, high) in [
            ("eur", 0.5, 1.0), ("gbp", 0.5, 1.0), ("jpy", 100, 200), ("btc", 1e-6, 1e-4),
        ] {
            let answer = market.ask("/coins/markets?vs_currency=\(code)&ids=litecoin&precision=full")
            let price = try #require(try answer.items.first?.number("current_price"))
            #expect((low...high).contains(price / usd), "\(code)")
        }
        #expect(market.ask("/coins/markets?vs_currency=EUR&ids=litecoin").status == 200)
    }

    @Test func `full precision has more digits than the default`() {
        let usual = market.ask("/coins/markets?vs_currency=usd&ids=solana").text
        let full = market.ask("/coins/markets?vs_currency=usd&ids=solana&precision=full").text
        #expect(usual.contains(/"current_price":\d+\.\d{1,4},/))
        #expect(full.contains(/"current_price":\d+\.\d{8,},/))
    }

    @Test func `a logo is at CoinGecko's host, or at the simulator's for a request over HTTP`()
        async throws
    {
        let image = try market.coin("ethereum")?.text("image")
        #expect(image == "https://coin-images.coingecko.com/coins/images/2/large/coin.png?1696501400")
        try await RunningSimulator.run { running in
            let answer = await running.client.get("/api/v3/coins/markets?vs_currency=usd&ids=ethereum")
            let path = "/coins/images/2/large/coin.png?1696501400"
            #expect(answer.text.contains("\"image\":\"\(running.simulator.url)\(path)\""))
            let logo = await running.client.get(path)
            #expect(logo.status == 200 && logo.header("Content-Type") == "image/png")
            #expect(logo.body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            #expect(await running.client.get("/coins/images/2/huge/coin.png").status == 404)
        }
    }

    @Test func `a logo needs no key`() async throws {
        var configuration = RunningSimulator.small
        configuration.keys = SimulatorKeys(pro: "CG-1")
        try await RunningSimulator.run(configuration) { running in
            #expect(await running.client.get("/api/v3/ping").status == 401)
            #expect(await running.client.get("/coins/images/1/large/coin.png").status == 200)
        }
    }

    @Test func `the answer has the recorded headers`() {
        let answer = market.ask("/coins/markets?vs_currency=usd")
        #expect(answer.header("content-type") == "application/json; charset=utf-8")
        #expect(answer.header("cache-control") == "max-age=30, public, must-revalidate, s-maxage=60")
        #expect(answer.header("etag")?.wholeMatch(of: /W\/"[0-9a-f]{32}"/) != nil)
        #expect(market.ask("/coins/markets").header("cache-control") == "no-cache")
    }
}
