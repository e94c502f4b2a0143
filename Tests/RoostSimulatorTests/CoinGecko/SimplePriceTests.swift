import Testing

@testable import RoostSimulator

@Suite struct SimplePriceTests {
    private let market = TestMarket(coins: 200)

    @Test func `missing parameters are named`() {
        let noIDs = market.ask("/simple/price")
        #expect(noIDs.status == 422)
        #expect(noIDs.text == #"{"error":"Missing parameter ids"}"#)
        let noCurrency = market.ask("/simple/price?ids=bitcoin")
        #expect(noCurrency.status == 422)
        #expect(noCurrency.text == #"{"error":"Missing parameter vs_currencies"}"#)
    }

    @Test func `a blank after the comma drops the coin`() throws {
        let answer = try market.ask("/simple/price?ids=bitcoin,%20ethereum&vs_currencies=usd").object
        #expect(answer.keys.sorted() == ["bitcoin"])
        let clean = try market.ask("/simple/price?ids=bitcoin,ethereum&vs_currencies=usd").object
        #expect(clean.keys.sorted() == ["bitcoin", "ethereum"])
    }

    @Test func `an unknown currency gives an empty object, an unknown id nothing`() {
        #expect(market.ask("/simple/price?ids=bitcoin&vs_currencies=ethereum").text == #"{"bitcoin":{}}"#)
        #expect(market.ask("/simple/price?ids=no-such-coin&vs_currencies=usd").text == "{}")
    }

    @Test func `a coin without a price is null`() {
        let answer = market.ask("/simple/price?ids=ghost-ledger&vs_currencies=usd")
        #expect(answer.text == #"{"ghost-ledger":{"usd":null}}"#)
    }

    @Test func `the price agrees with the markets page`() throws {
        let prices = try market.ask("/simple/price?ids=dogecoin&vs_currencies=usd,eur").object
        let coin = try #require(prices["dogecoin"] as? [String: Any])
        #expect(coin.number("usd") == (try market.coin("dogecoin")?.number("current_price")))
        #expect(coin.number("eur") != nil)
    }

    @Test func `more figures are included if requested`() throws {
        let query =
            "include_market_cap=true&include_24hr_vol=true&include_24hr_change=true"
            + "&include_last_updated_at=true"
        let answer = try market.ask("/simple/price?ids=bitcoin&vs_currencies=usd&\(query)").object
        let coin = try #require(answer["bitcoin"] as? [String: Any])
        #expect(
            coin.keys.sorted() == [
                "last_updated_at", "usd", "usd_24h_change", "usd_24h_vol", "usd_market_cap",
            ])
        let updated = try #require(coin.number("last_updated_at"))
        #expect(abs(updated - Double(TestMarket.moment) / 1000) < 60)
    }

    @Test func `63 currencies are supported`() {
        let answer = market.ask("/simple/supported_vs_currencies")
        #expect(answer.text.hasPrefix(#"["btc","eth","ltc""#))
        #expect(RawJSON(answer.body[...])?.elements?.count == 63)
    }

    @Test func `ping answers as recorded`() {
        #expect(market.ask("/ping").text == #"{"gecko_says":"(V3) To the Moon!"}"#)
    }
}
