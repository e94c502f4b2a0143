import Foundation
import TestSupport
import Testing

@testable import Market
@testable import RoostSupport

/// Money is `Decimal` from the JSON token on: `JSONDecoder` must not pass it through a `Double`.
@Suite struct ExactDecimalTests {
    private func price(_ token: String) throws -> Decimal? {
        let json = """
            {"id":"a","symbol":"b","name":"c","current_price":\(token),"last_updated":"2026-05-18T12:49:21Z"}
            """
        return try JSONDecoder().decode(Coin.self, from: Data(json.utf8)).currentPrice
    }

    @Test(arguments: [
        ("1.2e-08", "0.000000012"), ("8.199e-05", "0.00008199"), ("19990746.0", "19990746"),
        ("0.00001234567890123456789", "0.00001234567890123456789"), ("0.1", "0.1"), ("67291", "67291"),
        ("1.223E-9", "0.000000001223"), ("123456789.123456789123456789", "123456789.123456789123456789"),
        ("5.494e-09", "0.000000005494"), ("20277.350000000002", "20277.350000000002"),
    ])
    func `a price is decoded to its last digit`(token: String, digits: String) throws {
        let price = try #require(try price(token))
        #expect(price == Decimal(string: digits))
        #expect(price.description == digits)
    }

    private static let recordedMarkets = [
        "coins_markets_250_2022-08-29.json", "coins_markets_btc_sparkline_2026-02-17.json",
        "oas_2026/coins_markets.json", "jkorf_GetMarkets.json",
        "vcr_2021/200_coins_markets_ids_bitcoin_SPethereum_vs_currency_eth.json",
        "vcr_2021/200_coins_markets_ids_bitcoin_vs_currency_myr.json",
        "vcr_2021/200_coins_markets_ids_bitcoin_vs_currency_usd.json",
    ]

    private static let columns: [(key: String, read: @Sendable (MarketQuote) -> Decimal?)] = [
        ("price_change_percentage_1h_in_currency", { $0.change1h }),
        ("price_change_percentage_7d_in_currency", { $0.change7d }),
        ("market_cap", { $0.marketCap }), ("total_volume", { $0.volume24h }), ("high_24h", { $0.high24h }),
        ("low_24h", { $0.low24h }), ("circulating_supply", { $0.circulatingSupply }),
        ("total_supply", { $0.totalSupply }), ("max_supply", { $0.maxSupply }),
        ("ath", { $0.allTimeHigh }), ("ath_change_percentage", { $0.allTimeHighChange }),
    ]

    @Test(.recordings, arguments: recordedMarkets)
    func `every number of a recorded market is decoded to its last digit`(file: String) throws {
        let text = try RecordedFiles.text(file)
        let quotes = try JSONDecoder().decode(LossyArray<MarketQuote>.self, from: Data(text.utf8)).items
        for column in Self.columns {
            let tokens = Self.tokens(column.key, in: text)
            // Changes are only in the answers that requested them.
            let expected = tokens.isEmpty ? [Decimal?](repeating: nil, count: quotes.count) : tokens
            #expect(quotes.map(column.read) == expected, "\(column.key)")
        }
        #expect(quotes.allSatisfy { $0.allTimeHighDate != nil && $0.imageURL != nil })
    }

    @Test(.recordings, arguments: recordedMarkets)
    func `every recorded price and change is decoded to its last digit`(file: String) throws {
        let text = try RecordedFiles.text(file)
        let list = try JSONDecoder().decode(LossyArray<Coin>.self, from: Data(text.utf8))
        #expect(list.refusals.isEmpty)
        #expect(list.items.map(\.currentPrice) == Self.tokens("current_price", in: text))
        #expect(list.items.map(\.priceChange24h) == Self.tokens("price_change_percentage_24h", in: text))
        #expect(!list.items.isEmpty)
    }

    @Test(.recordings) func `the 250 recorded coins keep exponents, and some are older than the rest`()
        throws
    {
        let data = try RecordedFiles.read("coins_markets_250_2022-08-29.json")
        let quotes = try JSONDecoder().decode(LossyArray<MarketQuote>.self, from: data).items
        #expect(quotes.count == 250)
        let cheapest = quotes.first { $0.coin.id == "baby-doge-coin" }
        #expect(cheapest?.coin.currentPrice == Decimal(string: "0.000000001223"))
        #expect(quotes.first { $0.coin.id == "safemoon" }?.coin.currentPrice?.description == "0.000000005494")
        #expect(quotes.first?.rank == 1 && quotes.first?.coin.id == "bitcoin")
        let times = quotes.compactMap(\.coin.lastUpdated)
        let span = try #require(times.max()).timeIntervalSince(try #require(times.min()))
        #expect(span > 0)
    }

    @Test(.recordings) func `the recorded week's sparkline is reduced to what a drawing can show`() throws {
        let data = try RecordedFiles.read("coins_markets_btc_sparkline_2026-02-17.json")
        let quote = try #require(
            try JSONDecoder().decode(LossyArray<MarketQuote>.self, from: data).items.first)
        #expect(quote.coin.currentPrice == 67_291)
        #expect(quote.sparkline.count == MarketQuote.pointLimit)
    }

    /// The number tokens of a key, parsed from the text without a JSON decoder.
    private static func tokens(_ key: String, in text: String) -> [Decimal?] {
        text.components(separatedBy: "\"\(key)\":").dropFirst().map { rest in
            let token = rest.drop { $0.isWhitespace }.prefix { !",}\n".contains($0) }
            return Decimal(string: token.trimmingCharacters(in: .whitespaces))
        }
    }
}
