import Foundation
import Testing

@testable import RoostSimulator

/// Every oddity that UPSTREAMS.md lists must be simulated, or Roost is not tested against it.
@Suite struct OddityTests {
    private let market = TestMarket.whole

    @Test func `17,000 coins make a list of about a megabyte`() throws {
        let list = market.ask("/coins/list")
        #expect(try list.items.count == 17_000)
        #expect(try Set(list.ids).count == 17_000)
        #expect((800_000...1_300_000).contains(list.body.count))
        #expect(list.isStable)
    }

    @Test func `2,224 symbols are shared, weth by 68 coins`() throws {
        let symbols = Dictionary(grouping: try market.ask("/coins/list").items) { $0.text("symbol") ?? "" }
        #expect(symbols.count { $0.value.count > 1 } == 2224)
        #expect(symbols["weth"]?.count == 68)
        #expect(symbols["usdc"]?.count == 66)
        #expect(symbols["pepe"]?.count == 25)
    }

    @Test func `ids with blanks, brackets or only a dash exist and can be requested`() throws {
        for id in ["1move token", "boringdao-[old]", "_", "-6"] {
            #expect(try market.coin(id)?.text("id") == id)
        }
    }

    @Test func `names have emoji, CJK, zero-width spaces, quotes and markup`() throws {
        let names = try market.ask("/coins/list").items.compactMap { $0.text("name") }
        for text in [
            "🤡", "エッホ", "龙", "\u{200B}", "\u{202E}", " & ", "Biden's", "\"", "<script>", "{{{", "\u{A0}",
        ] {
            #expect(names.contains { $0.contains(text) }, "\(text)")
        }
    }

    @Test func `markup in names is escaped as CoinGecko's framework escapes it`() {
        let text = market.ask("/coins/list").text
        #expect(text.contains(#"\u003cscript\u003e"#))
        #expect(text.contains(#"Cat \u0026 Mouse"#))
        #expect(!text.contains("<"))
    }

    @Test func `some coins have no price at all`() throws {
        let ghost = try #require(try market.coin("ghost-ledger"))
        for key in [
            "current_price", "market_cap", "market_cap_rank", "price_change_percentage_24h", "last_updated",
        ] {
            #expect(ghost.isNull(key), "\(key)")
        }
    }

    @Test func `some coins cost nothing`() throws {
        let coin = try #require(try market.coin("zero-hour"))
        #expect(coin.number("current_price") == 0)
        #expect(coin.isNull("market_cap_rank"))
    }

    @Test func `small prices are written with exponents, supplies with a trailing zero`() {
        let speck = market.ask("/coins/markets?vs_currency=usd&ids=speck-of-dust").text
        #expect(speck.contains(/"current_price":\d\.\d+e-12,/))
        let dust = market.ask("/coins/markets?vs_currency=usd&ids=dust-mite").text
        #expect(dust.contains(/"current_price":\d(\.\d+)?e-05,|"current_price":0\.0001\d+,/))
        let bitcoin = market.ask("/coins/markets?vs_currency=usd&ids=bitcoin").text
        #expect(bitcoin.contains("\"circulating_supply\":19990746.0,"))
        #expect(bitcoin.contains(/"current_price":\d{5,6},/))
    }

    @Test func `a coin may be days older than the others`() throws {
        let otter = try #require(try market.coin("sleepy-otter")?.text("last_updated"))
        let bear = try #require(try market.coin("hibernating-bear")?.text("last_updated"))
        let bitcoin = try #require(try market.coin("bitcoin")?.text("last_updated"))
        #expect(otter.hasPrefix("2026-02-13"))
        #expect(bear < "2025-02")
        #expect(bitcoin.hasPrefix("2026-02-17T15:56:"))
    }

    @Test func `a coin that is no longer updated keeps its price`() throws {
        let later = TestMarket(at: TestMarket.moment + 3 * Timestamp.hour)
        let before = try market.coin("sleepy-otter", "precision=full")
        let after = try later.coin("sleepy-otter", "precision=full")
        #expect(before?.number("current_price") == after?.number("current_price"))
        #expect(before?.text("last_updated") == after?.text("last_updated"))
    }

    @Test func `changes may be null although there is a price`() throws {
        let coin = try #require(try market.coin("no-change-at-all", "price_change_percentage=24h"))
        #expect(coin.number("current_price") != nil)
        for key in [
            "price_change_24h", "price_change_percentage_24h", "price_change_percentage_24h_in_currency",
        ] {
            #expect(coin.isNull(key), "\(key)")
        }
    }

    @Test func `a sparkline may be null or empty`() throws {
        #expect(try market.coin("sparkless")?.isNull("sparkline_in_7d") == true)
        #expect(try market.coin("flat-spark")?.spark == [])
    }

    @Test func `the generated coins have oddities too`() throws {
        var items: [[String: Any]] = []
        for page in 1...69 { items += try market.markets("per_page=250&page=\(page)&sparkline=false") }
        #expect(items.count == 17_003)
        #expect(items.count { $0.isNull("current_price") } > 100)
        #expect(items.count { $0.isNull("market_cap_rank") } > 1000)
        #expect(items.count { $0.number("current_price") == 0 } > 20)
        #expect(items.count { ($0.text("last_updated") ?? "9") < "2026-02-16" } > 200)
        #expect(items.count { ($0.number("current_price") ?? 1) < 1e-4 } > 3000)
        #expect(items.allSatisfy { ($0.number("current_price") ?? 0) >= 0 })
    }
}
