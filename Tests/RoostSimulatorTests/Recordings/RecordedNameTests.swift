import Testing

@testable import RoostSimulator

@Suite struct RecordedNameTests {
    @Test(arguments: [
        ("200_coins_markets_ids_bitcoin_vs_currency_usd.json", "/coins/markets?ids=bitcoin&vs_currency=usd"),
        (
            "200_coins_markets_ids_bitcoin_SPethereum_vs_currency_eth.json",
            "/coins/markets?ids=bitcoin,%20ethereum&vs_currency=eth"
        ),
        ("422_coins_markets.json", "/coins/markets"),
        (
            "coins_markets_vs_currency_usd_order_market_cap_desc_per_page_100_page_2.json",
            "/coins/markets?vs_currency=usd&order=market_cap_desc&per_page=100&page=2"
        ),
        (
            "200_simple_price_ids_bitcoin_vs_currencies_eth.json",
            "/simple/price?ids=bitcoin&vs_currencies=eth"
        ),
        (
            "200_coins_bitcoin_market_chart_days_90_interval_daily_vs_currency_usd.json",
            "/coins/bitcoin/market_chart?days=90&interval=daily&vs_currency=usd"
        ),
        ("200_search_trending.json", "/search/trending"),
        ("search_bitcoin_2023-11.json", "/search?query=bitcoin"),
        ("search_shiba_inu.json", "/search?query=shiba%20inu"),
        ("deep/er/422_coins_bitcoin_market_chart.json", "/coins/bitcoin/market_chart"),
    ])
    func `a file name that spells out a request is read as one`(_ name: String, _ target: String) {
        #expect(RecordedName(path: name).target == target)
    }

    @Test(arguments: [
        "coins_list_2025-03_17185.json", "coins_list.json", "coins_markets_250_2022-08-29.json",
        "search.json",
        "coins_markets_btc_sparkline_2026-02-17.json", "jkorf_GetMarkets.json", "coins_id_market_chart.json",
        "market_chart_1_7_30_365_max_2023-11-29.json",
    ])
    func `a descriptive file name is not read as a request`(_ name: String) {
        #expect(RecordedName(path: name).target == nil)
        #expect(RecordedName(path: name).status == nil)
    }

    @Test func `errors are recognised by their folder or status`() {
        #expect(RecordedName(path: "x/errors/cloudflare_1015.txt").isError)
        #expect(RecordedName(path: "429_throttled.txt").isError)
        #expect(!RecordedName(path: "422_coins_markets.json").isError)
        #expect(!RecordedName(path: "200_coins_list.json").isError)
    }

    @Test func `a headers file has requests, statuses and headers`() {
        let exchanges = RecordedExchange.parse(
            """
            one.json
              https://api.coingecko.com/api/v3/ping
              status 200 recorded Sat, 15 May 2021 15:34:55 GMT
              etag: W/"1:2"
              Cache-Control:no-cache
            two words.json
            \tGET /api/v3/coins/list?include_platform=true
            \tstatus 429
            \tretry-after: 61
            orphan.json
              status 200
            """)
        #expect(exchanges.keys.sorted() == ["one.json", "two words.json"])
        #expect(exchanges["one.json"]?.target == "https://api.coingecko.com/api/v3/ping")
        #expect(
            exchanges["one.json"]?.headers == [
                .init("etag", "W/\"1:2\""), .init("Cache-Control", "no-cache"),
            ])
        #expect(exchanges["two words.json"]?.status == 429)
        #expect(exchanges["two words.json"]?.target == "/api/v3/coins/list?include_platform=true")
    }
}
