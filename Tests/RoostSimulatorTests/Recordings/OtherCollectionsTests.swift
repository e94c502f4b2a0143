import Foundation
import Testing

@testable import RoostSimulator

/// Collections that differ from Roost's in names, folders and format.
@Suite struct OtherCollectionsTests {
    private let target = "/coins/markets?vs_currency=usd&ids=a,b"

    @Test(arguments: [
        "GetMarkets.json", "x/y/z/coins_markets_top.json", "prices 2026.json", "coins-markets.page1.json",
        "usd_markets.json",
    ])
    func `market items are recognised by their content, whatever the file's name`(_ name: String) throws {
        let folder = try RecordingsFolder([name: RecordedItems.page(RecordedItems.market("a", price: "9.10"))]
        )
        #expect(try folder.source().ask(target).text.contains(#""current_price":9.10,"#))
    }

    @Test func `an item over many lines keeps its bytes`() throws {
        let item =
            "{\n  \"id\": \"a\",\n  \"symbol\": \"a\",\n  \"name\": \"A [x], {y}\",\n"
            + "  \"current_price\": 1.0E+2\n }"
        let folder = try RecordingsFolder(["m.json": "\n \t[\r\n \(item)\r\n ]\n"])
        #expect(try folder.source().ask(target).text == "[\(item)]")
    }

    @Test func `broken items among intact ones are skipped`() throws {
        let folder = try RecordingsFolder([
            "m.json": #"[{"symbol":"n","name":"N"},7,null,\#(RecordedItems.market("b")),{"id":4}]"#
        ])
        #expect(try folder.source().ask(target).ids == ["b"])
    }

    @Test func `an item without an update time loses to one with a time`() throws {
        let never = #"{"id":"a","symbol":"a","name":"A","current_price":null,"last_updated":null}"#
        let dated = RecordedItems.market("a", price: "3.30", updated: "2019-01-01T00:00:00.000Z")
        for (first, second) in [(never, dated), (dated, never)] {
            let folder = try RecordingsFolder(["1.json": "[\(first)]", "2.json": "[\(second)]"])
            #expect(try folder.source().ask(target).text == "[\(dated)]")
        }
    }

    @Test func `a headers file with other line ends and bare paths is read`() throws {
        let folder = try RecordingsFolder([
            "HEADERS.txt":
                "page.json\r\n  GET /api/v3/coins/markets?vs_currency=eur&ids=a\r\n  status 200\r\n",
            "page.json": RecordedItems.page(RecordedItems.market("a", price: "8.80")),
        ])
        let source = try folder.source()
        #expect(source.ask("/coins/markets?ids=a&vs_currency=eur").text.contains("8.80"))
        #expect(source.ask("/coins/markets?ids=a,b&vs_currency=eur").text.contains("8.80"))
        #expect(source.ask("/coins/markets?ids=a&vs_currency=usd").status == 404)
    }

    @Test func `a recorded 304 or 429 for a request is replayed with its headers`() throws {
        let folder = try RecordingsFolder([
            "HEADERS.txt": """
            429_list.json
              https://pro-api.coingecko.com/api/v3/coins/list?include_platform=true
              status 429
              retry-after: 61
              x-ratelimit-limit: 30
              server: cloudflare
            """,
            "429_list.json": #"{"status":{"error_code":429}}"#,
        ])
        let answer = try folder.source().ask("/coins/list?include_platform=true")
        #expect(answer.status == 429)
        #expect(answer.header("Retry-After") == "61")
        #expect(answer.header("X-RateLimit-Limit") == "30")
        #expect(answer.header("Server") == nil)
        #expect(answer.text == #"{"status":{"error_code":429}}"#)
    }

    @Test func `keys in the query do not keep a recorded request from being found`() throws {
        let folder = try RecordingsFolder(["200_search_trending.json": #"{"coins":[{"item":{"id":"a"}}]}"#])
        #expect(try folder.source().ask("/search/trending?x_cg_demo_api_key=CG-1").status == 200)
        #expect(try folder.source().ask("/search/trending?page=2").status == 404)
    }

    @Test func `symbols select among recorded coins`() throws {
        let folder = try RecordingsFolder([
            "m.json": RecordedItems.page(
                RecordedItems.market("a", symbol: "one"), RecordedItems.market("b", symbol: "two"))
        ])
        #expect(try folder.source().ask("/coins/markets?vs_currency=usd&symbols=TWO").ids == ["b"])
    }

    @Test func `a chart's coin is read from its file name if there is no request`() throws {
        let chart = #"{"prices":[[1,2.50]],"market_caps":[],"total_volumes":[]}"#
        let folder = try RecordingsFolder([
            "market_chart_ethereum_30.json": chart,
            "m.json": RecordedItems.page(RecordedItems.market("ethereum")),
        ])
        let source = try folder.source()
        #expect(source.ask("/coins/ethereum/market_chart?vs_currency=usd&days=30").text == chart)
        #expect(source.ask("/coins/bitcoin/market_chart?vs_currency=usd&days=30").status == 404)
    }

    @Test func `the longer of two charts of a span is returned`() throws {
        let short = #"{"prices":[[1,2]]}"#
        let long = #"{"prices":[[1,2],[3,4]]}"#
        let folder = try RecordingsFolder(["market_chart_1.json": long, "x/market_chart_1.json": short])
        #expect(try folder.source().ask("/coins/bitcoin/market_chart?vs_currency=usd&days=1").text == long)
    }

    @Test func `two currencies of a coin make one entry of the list`() throws {
        let folder = try RecordingsFolder([
            "200_coins_markets_vs_currency_eur.json": RecordedItems.page(RecordedItems.market("a")),
            "200_coins_markets_vs_currency_usd.json": RecordedItems.page(
                RecordedItems.market("a"), RecordedItems.market("b")),
        ])
        #expect(try folder.source().ask("/coins/list").ids.sorted() == ["a", "b"])
    }

    @Test func `supported currencies are replayed, or missing with a message`() throws {
        let with = try RecordingsFolder(["c.json": #"["btc","eth","usd","eur"]"#])
        let codes = try with.source().ask("/simple/supported_vs_currencies")
        #expect(codes.text == #"["btc","eth","usd","eur"]"#)
        let without = try RecordingsFolder(["m.json": RecordedItems.page(RecordedItems.market("a"))])
        #expect(try without.source().ask("/simple/supported_vs_currencies").status == 404)
        #expect(try without.source().ask("/ping").status == 200)
    }
}
