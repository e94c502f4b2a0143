import Foundation
import Testing

@testable import Market
@testable import TextFormats

@Suite struct MarketQuoteTests {
    private func quote(_ extra: String) throws -> MarketQuote {
        let json = """
            {"id":"a","symbol":"b","name":"c","current_price":5,"last_updated":"2024-04-07T16:49:31Z"\(extra)}
            """
        return try JSONDecoder().decode(MarketQuote.self, from: Data(json.utf8))
    }

    @Test func `a coin has its rank and sparkline`() throws {
        let quote = try quote(#","market_cap_rank":7,"sparkline_in_7d":{"price":[1.5,2,3.25]}"#)
        #expect(quote.coin.id == "a")
        #expect(quote.rank == 7)
        #expect(quote.sparkline == [1.5, 2, 3.25])
    }

    @Test(arguments: [
        "", #","market_cap_rank":null,"sparkline_in_7d":null"#, #","sparkline_in_7d":{}"#,
        #","sparkline_in_7d":{"price":null}"#, #","sparkline_in_7d":{"price":[null,null]}"#,
        #","market_cap_rank":"first","sparkline_in_7d":[1]"#, #","sparkline_in_7d":{"price":["x"]}"#,
    ])
    func `a missing or malformed rank or sparkline does not cost a coin its price`(extra: String) throws {
        let quote = try quote(extra)
        #expect(quote.coin.currentPrice == 5)
        #expect(quote.rank == nil && quote.sparkline.isEmpty)
    }

    @Test func `gaps in a sparkline are skipped`() throws {
        #expect(try quote(#","sparkline_in_7d":{"price":[1,null,3]}"#).sparkline == [1, 3])
    }

    @Test(arguments: [1, 55, 56, 57, 111, 168, 2_000])
    func `a long sparkline keeps its first and last points and its order`(count: Int) throws {
        let points = (0..<count).map { "\($0)" }.joined(separator: ",")
        let sparkline = try quote(#","sparkline_in_7d":{"price":[\#(points)]}"#).sparkline
        #expect(sparkline.count == min(count, MarketQuote.pointLimit))
        #expect(sparkline.first == 0 && sparkline.last == Double(count - 1))
        #expect(sparkline == sparkline.sorted() && Set(sparkline).count == sparkline.count)
    }

    @Test func `the market's numbers are exact to the last digit`() throws {
        let quote = try quote(
            """
            ,"price_change_percentage_1h_in_currency":0.5823392426906319,
            "price_change_percentage_7d_in_currency":-4.042267423689584,"market_cap":1555886872303.01,
            "total_volume":33235034316,"high_24h":5.506e-09,"low_24h":5.249e-09,
            "circulating_supply":1.5927839465879376e+17,"total_supply":20030843.0,"max_supply":0.0,
            "ath":126080,"ath_change_percentage":-38.39571,"ath_date":"2025-10-06T18:57:42.558Z"
            """)
        #expect(quote.change1h?.description == "0.5823392426906319")
        #expect(quote.change7d?.description == "-4.042267423689584")
        #expect(quote.marketCap?.description == "1555886872303.01")
        #expect(quote.volume24h == 33_235_034_316)
        #expect(quote.high24h?.description == "0.000000005506")
        #expect(quote.low24h?.description == "0.000000005249")
        #expect(quote.circulatingSupply?.description == "159278394658793760")
        #expect(quote.totalSupply == 20_030_843 && quote.maxSupply == 0)
        #expect(quote.allTimeHigh == 126_080)
        #expect(quote.allTimeHighChange?.description == "-38.39571")
        #expect(quote.allTimeHighDate == ISO8601.parse("2025-10-06T18:57:42.558Z"))
    }

    @Test(arguments: ["\"a lot\"", "null", "[]", "{}", "true", "-1"])
    func `a malformed number next to the price does not cost the coin its price`(value: String) throws {
        let keys = [
            "market_cap", "total_volume", "high_24h", "low_24h", "circulating_supply", "total_supply",
            "max_supply", "ath", "ath_date", "image",
        ]
        let quote = try quote(keys.map { ",\"\($0)\":\(value)" }.joined())
        #expect(quote.coin.currentPrice == 5)
        let values = [
            quote.marketCap, quote.volume24h, quote.high24h, quote.low24h, quote.circulatingSupply,
            quote.totalSupply, quote.maxSupply, quote.allTimeHigh,
        ]
        #expect(values.allSatisfy { $0 == nil })
        #expect(quote.allTimeHighDate == nil && quote.imageURL == nil)
    }

    @Test func `a malformed change does not cost the coin its price`() throws {
        let keys = ["price_change_percentage_1h_in_currency", "price_change_percentage_7d_in_currency"]
        let quote = try quote(keys.map { ",\"\($0)\":\"up\"" }.joined())
        #expect(quote.coin.currentPrice == 5 && quote.change1h == nil && quote.change7d == nil)
    }

    @Test(arguments: [
        "http://coin-images.coingecko.com/coins/images/1/large/bitcoin.png", "javascript:alert(1)", "",
        "missing_large.png", "https://coin-images.coingecko.com/a b.png", "//assets.coingecko.com/1.png",
        "https://assets.coingecko.com/" + String(repeating: "a", count: 3_000),
    ])
    func `a logo address that is not HTTPS is dropped`(url: String) throws {
        #expect(try quote(#","image":"\#(url)""#).imageURL == nil)
    }

    @Test func `a quote with an invalid coin is refused`() {
        #expect(throws: ValidationError(field: "id", why: "is empty")) {
            let json = #"{"id":"","symbol":"b","name":"c","last_updated":"2024-04-07T16:49:31Z"}"#
            _ = try JSONDecoder().decode(MarketQuote.self, from: Data(json.utf8))
        }
    }
}
