import Foundation
import Testing

@testable import RoostSimulator

@Suite struct RecordedMarketsTests {
    private func folder() throws -> RecordingsFolder {
        let old = RecordedItems.market(
            "bitcoin", price: "20277", cap: "388", updated: "2022-08-30T00:06:02.240Z")
        let new = RecordedItems.market(
            "bitcoin", price: "67291.10000000000000000001", cap: "1344", updated: "2026-02-17T15:56:31.631Z")
        let tiny = RecordedItems.market("dust", price: "8.83695e-07", cap: "null")
        let euro = RecordedItems.market("bitcoin", price: "57000.5")
        return try RecordingsFolder([
            "coins_markets_2026.json": RecordedItems.page(new, tiny),
            "vcr/HEADERS.txt": """
            200_page.json
              https://api.coingecko.com/api/v3/coins/markets?ids=bitcoin&vs_currency=usd
              status 200
              etag: W/"recorded"
              x-secret: dropped
            422_page.json
              https://api.coingecko.com/api/v3/coins/markets
              status 422
            200_dear.json
              https://api.coingecko.com/api/v3/coins/markets?vs_currency=eur
              status 200
            """,
            "vcr/200_page.json": RecordedItems.page(old),
            "vcr/422_page.json": #"{"error":"recorded words"}"#,
            "vcr/200_dear.json": RecordedItems.page(euro),
            "deep/er/ethMarkets.json": RecordedItems.page(
                RecordedItems.market("ethereum", price: "1979.310", cap: "238")),
        ])
    }

    @Test func `items of all recordings are merged, the newest of each coin wins, by market cap`() throws {
        let source = try folder().source()
        let answer = source.ask(
            "/coins/markets?vs_currency=usd&ids=dust,ethereum,bitcoin,unknown&sparkline=true")
        #expect(answer.status == 200)
        #expect(try answer.ids == ["bitcoin", "ethereum", "dust"])
    }

    @Test func `every digit is kept`() throws {
        let text = try folder().source().ask("/coins/markets?vs_currency=usd").text
        for price in ["67291.10000000000000000001", "8.83695e-07", "1979.310"] {
            #expect(text.contains(#""current_price":\#(price),"#))
        }
    }

    @Test func `an exactly recorded request gets its answer, whatever the order of parameters`()
        throws
    {
        let source = try folder().source()
        for target in [
            "/coins/markets?ids=bitcoin&vs_currency=usd", "/api/v3/coins/markets?vs_currency=usd&ids=bitcoin",
        ] {
            let answer = source.ask(target)
            #expect(answer.text.contains("20277"))
            #expect(answer.header("ETag") == "W/\"recorded\"")
            #expect(answer.header("X-Secret") == nil)
        }
    }

    @Test func `a recorded error keeps its status and message`() throws {
        let answer = try folder().source().ask("/coins/markets")
        #expect(answer.status == 422)
        #expect(answer.text == #"{"error":"recorded words"}"#)
    }

    @Test func `currencies are kept separate, and an unrecorded one is 404 with a message`() throws {
        let source = try folder().source()
        #expect(source.ask("/coins/markets?vs_currency=eur&ids=bitcoin").text.contains("57000.5"))
        let yen = source.ask("/coins/markets?vs_currency=jpy&ids=bitcoin")
        #expect(yen.status == 404)
        #expect(yen.text == #"{"error":"no recording of /coins/markets?vs_currency=jpy\u0026ids=bitcoin"}"#)
    }

    @Test func `an exact answer that lacks coins known elsewhere is not used`() throws {
        let folder = try RecordingsFolder([
            "200_coins_markets_ids_bitcoin,ethereum_vs_currency_usd.json":
                RecordedItems.page(RecordedItems.market("bitcoin", price: "1.0")),
            "coins_markets.json": RecordedItems.page(RecordedItems.market("ethereum", price: "2.0")),
        ])
        let answer = try folder.source().ask("/coins/markets?ids=bitcoin,ethereum&vs_currency=usd")
        #expect(try Set(answer.ids) == ["bitcoin", "ethereum"])
    }

    @Test func `pages have their size`() throws {
        let items = (0..<130).map { RecordedItems.market("coin-\($0)", cap: "\(1000 - $0)") }
        let folder = try RecordingsFolder(["coins_markets_130.json": "[\(items.joined(separator: ","))]"])
        let source = try folder.source()
        #expect(try source.ask("/coins/markets?vs_currency=usd").ids.count == 100)
        #expect(try source.ask("/coins/markets?vs_currency=usd&page=2").ids.first == "coin-100")
        #expect(try source.ask("/coins/markets?vs_currency=usd&per_page=250").ids.count == 130)
    }

    @Test func `a currency is read from a file name, but a coin's symbol is not a currency`() throws {
        let folder = try RecordingsFolder([
            "coins_markets_btc_2026.json": RecordedItems.page(
                RecordedItems.market("bitcoin", price: "67291")),
            "coins_markets_eur_2026.json": RecordedItems.page(
                RecordedItems.market("bitcoin", price: "57000")),
        ])
        let source = try folder.source()
        #expect(source.ask("/coins/markets?vs_currency=usd").text.contains("67291"))
        #expect(source.ask("/coins/markets?vs_currency=eur").text.contains("57000"))
        #expect(source.ask("/coins/markets?vs_currency=btc").status == 404)
    }
}

@Suite struct RecordedListTests {
    private let market = RecordedItems.page(
        RecordedItems.market("newcomer", symbol: "new", name: "New & Shiny"))
    private let long = #"[{"id":"a","symbol":"a","name":"A"},{"id":"b","symbol":"b","name":"S\u0026P"}]"#

    @Test func `the longest list is followed by the coins that only have prices`() throws {
        let folder = try RecordingsFolder([
            "coins_list_old.json": #"[{"id":"a","symbol":"a","name":"Old"}]"#, "coins_list_new.json": long,
            "coins_markets.json": market,
        ])
        let list = try folder.source().ask("/coins/list")
        #expect(
            list.text == long.dropLast() + #",{"id":"newcomer","symbol":"new","name":"New \u0026 Shiny"}]"#)
        #expect(list.isStable)
    }

    @Test func `an old list that was recorded exactly does not hide newer coins`() throws {
        let folder = try RecordingsFolder([
            "200_coins_list.json": #"[{"id":"a","symbol":"a","name":"Old"}]"#, "coins_list_2026.json": long,
        ])
        #expect(try folder.source().ask("/coins/list").ids == ["a", "b"])
    }

    @Test func `a list is made from prices alone, and not from nothing`() throws {
        let prices = try RecordingsFolder(["coins_markets.json": market])
        #expect(try prices.source().ask("/coins/list").ids == ["newcomer"])
        let pong = try RecordingsFolder(["200_ping.json": #"{"gecko_says":"moo"}"#])
        #expect(try pong.source().ask("/coins/list").status == 404)
        #expect(try pong.source().ask("/ping").text.contains("moo"))
    }
}

@Suite struct RecordedOtherTests {
    @Test func `searches find recorded results and coins known from prices, by rank`() throws {
        let hit =
            #"{"id":"dogecoin","name":"Dogecoin","symbol":"DOGE","market_cap_rank":10}"#
        let folder = try RecordingsFolder([
            "Search.json": #"{"coins":[\#(hit)],"exchanges":[],"icos":[],"categories":[],"nfts":[]}"#,
            "coins_markets.json": RecordedItems.page(
                RecordedItems.market("dogwifhat", symbol: "wif", name: "dogwifhat", rank: "4"),
                RecordedItems.market("cat", name: "Cat")),
        ])
        let answer = try folder.source().ask("/search?query=DOG")
        let coins = try #require(try answer.object["coins"] as? [[String: Any]])
        #expect(coins.map { $0.text("id") } == ["dogwifhat", "dogecoin"])
        #expect(coins[0].text("symbol") == "WIF")
        #expect(answer.text.contains(hit))
    }

    @Test func `a completely recorded search is replayed`() throws {
        let body =
            #"{"coins":[{"id":"ethereum","name":"Ethereum","symbol":"ETH","market_cap_rank":2}],"nfts":[1]}"#
        let folder = try RecordingsFolder(["search_ether_2024-01.json": body])
        #expect(try folder.source().ask("/search?query=ether").text == body)
        #expect(try folder.source().ask("/search?query=zzz").text.hasPrefix(#"{"coins":[],"#))
    }

    @Test func `simple prices come from market items first`() throws {
        let folder = try RecordingsFolder([
            "coins_markets.json": RecordedItems.page(RecordedItems.market("bitcoin", price: "67291.10")),
            "jkorf_GetPrices.json": #"{"ethereum":{"usd":1498.640},"bitcoin":{"usd":1,"eur":2.50}}"#,
        ])
        let source = try folder.source()
        #expect(
            source.ask("/simple/price?ids=bitcoin,ethereum,none&vs_currencies=usd,eur,xyz").text
                == #"{"bitcoin":{"usd":67291.10,"eur":2.50},"ethereum":{"usd":1498.640}}"#)
        #expect(source.ask("/simple/price").status == 422)
        #expect(source.ask("/simple/price?ids=bitcoin").status == 422)
    }

    @Test func `charts are found by coin and days`() throws {
        let chart = #"{"prices":[[1,2.50]],"market_caps":[],"total_volumes":[]}"#
        let folder = try RecordingsFolder([
            "market_chart_1_max.json": #"{"1":\#(chart),"max":{"prices":[[0,1]]}}"#,
            "200_coins_ethereum_market_chart_days_7_vs_currency_usd.json": chart,
        ])
        let source = try folder.source()
        #expect(source.ask("/coins/bitcoin/market_chart?vs_currency=usd&days=1").text == chart)
        #expect(source.ask("/coins/bitcoin/market_chart?vs_currency=usd&days=max").text.contains("[0,1]"))
        #expect(
            source.ask("/coins/ethereum/market_chart?vs_currency=usd&days=7&precision=full").text == chart)
        #expect(source.ask("/coins/bitcoin/market_chart?vs_currency=usd&days=30").status == 404)
    }

    @Test func `the bodies of errors are read from the folder`() throws {
        let folder = try RecordingsFolder([
            "ping.json": #"{"gecko_says":"x"}"#, "200_ping.json": #"{"gecko_says":"x"}"#,
            "errors/429_rate.json": "rated", "errors/429_slow.txt": "slow", "errors/500_x.json": "broken",
            "errors/429_headers.txt": "HTTP 429\nretry-after: 119\n", "errors/cloudflare_1015.txt": "ray",
            "errors/403_agent.json": "who", "errors/404_coin.json": "where",
            "errors/422_missing_ids.json": "which",
            "errors/422_missing_vs_currency.json": "what",
        ])
        let errors = try folder.source().errors
        #expect(
            errors.rateLimited == "rated" && errors.throttled == "slow" && errors.internalError == "broken")
        #expect(errors.missingUserAgent == "who" && errors.coinNotFound == "where" && errors.blocked == "ray")
        #expect(errors.missingIDs == "which" && errors.missingCurrency == "what")
    }

    @Test func `broken and unrelated files are skipped`() throws {
        let folder = try RecordingsFolder([
            "coins_markets_cut.json": #"[{"id":"bitcoin","symbol":"btc","name":"#,
            "github/repos.json": #"[{"id":"x","symbol":"y","name":"z","current_price":1}]"#,
            "issues.json": #"[{"id":5,"title":"no coin"}]"#, "note.txt": "hello",
            "coins_markets.json": RecordedItems.page(RecordedItems.market("dai")),
        ])
        #expect(try folder.source().ask("/coins/markets?vs_currency=usd").ids == ["dai"])
    }

    @Test func `unusable folders are refused with a message`() throws {
        #expect(throws: RecordingsError.notAFolder("/nowhere/at/all")) {
            try Recordings(directory: "/nowhere/at/all")
        }
        let empty = try RecordingsFolder(["note.md": "nothing"])
        #expect(throws: RecordingsError.empty(empty.path)) { try Recordings(directory: empty.path) }
        let foreign = try RecordingsFolder(["issues.json": #"[{"id":5,"title":"no coin"}]"#])
        #expect(throws: RecordingsError.noCoinGecko(foreign.path)) { try foreign.source() }
        #expect("\(RecordingsError.empty("/x"))" == "the folder /x holds no recorded answers (.json)")
    }
}
