import Foundation
import RoostServices
import Testing

@Suite struct CoinTests {
    private let now = TestClock.start

    private func coin(
        id: String = "bitcoin", symbol: String = "btc", name: String = "Bitcoin", price: Decimal? = 64_250,
        change: Decimal? = 1.5, updated: TimeInterval = -30
    ) throws -> Coin {
        try Coin(
            id: id, symbol: symbol, name: name, currentPrice: price, priceChange24h: change,
            lastUpdated: now + updated, now: now)
    }

    private func decode(_ json: String) throws -> Coin {
        try JSONDecoder().decode(Coin.self, from: Data(json.utf8))
    }

    private func json(
        id: String = #""bitcoin""#, price: String = "1", change: String = "2",
        updated: String = #""2024-04-07T16:49:31.736Z""#
    ) -> String {
        """
        {"id":\(id),"symbol":"BTC","name":"Bitcoin","current_price":\(price),"price_change_24h":-747.33,
        "price_change_percentage_24h":\(change),"last_updated":\(updated)}
        """
    }

    @Test(arguments: ["id", "symbol", "name"], ["", "  ", "\n\t", "\u{3000}"])
    func `a blank text is refused by the field's name`(field: String, blank: String) throws {
        #expect(throws: ValidationError(field: field, why: "is empty")) {
            try coin(
                id: field == "id" ? blank : "a", symbol: field == "symbol" ? blank : "b",
                name: field == "name" ? blank : "c")
        }
        #expect(ValidationError(field: field, why: "is empty").description == "\(field) is empty")
    }

    @Test func `symbols are kept in lower case and names as they are`() throws {
        let coin = try coin(symbol: "WBTC", name: "Kangaroo the Jumping Co\u{200B}in 🦘 & 'co'")
        #expect(coin.symbol == "wbtc")
        #expect(coin.name == "Kangaroo the Jumping Co\u{200B}in 🦘 & 'co'")
    }

    @Test(arguments: [nil, 0, -1, Decimal(string: "-0.00001"), .nan])
    func `a price that is absent or not above zero is kept as no price`(price: Decimal?) throws {
        #expect(try coin(price: price).currentPrice == nil)
    }

    @Test func `a change may be negative, zero or unknown`() throws {
        #expect(try coin(change: -99.5).priceChange24h == -99.5)
        #expect(try coin(change: 0).priceChange24h == 0)
        #expect(try coin(change: nil).priceChange24h == nil)
        #expect(try coin(change: .nan).priceChange24h == nil)
    }

    @Test func `a time more than five minutes ahead is clamped to now and the coin is kept`() throws {
        #expect(try coin(updated: 301).lastUpdated == now)
        #expect(try coin(updated: 300).lastUpdated == now + 300)
        #expect(try coin(updated: -86_400).lastUpdated == now - 86_400)
    }

    @Test func `coins are equal by id, price and change alone`() throws {
        let one = try coin()
        let other = try coin(symbol: "xbt", name: "Renamed", updated: -3_600)
        #expect(one == other)
        #expect(Set([one, other]).count == 1)
        #expect(try one != coin(id: "ethereum"))
        #expect(try one != coin(price: 64_251))
        #expect(try one != coin(price: nil))
        #expect(try one != coin(change: 1.6))
        #expect(try one != coin(change: nil))
    }

    @Test func `the change is the percentage and not the one in currency`() throws {
        #expect(try decode(json(change: "-0.95302")).priceChange24h == Decimal(string: "-0.95302"))
        #expect(try decode(json(change: "null")).priceChange24h == nil)
    }

    @Test(arguments: ["null", "0", "0.0", "-5", "-1.2e-08"])
    func `an answer's price that is null, zero or negative is no price`(price: String) throws {
        let coin = try decode(json(price: price))
        #expect(coin.currentPrice == nil)
        #expect(coin.id == "bitcoin")
    }

    @Test func `an absent price and an absent change are nil`() throws {
        let coin = try decode(#"{"id":"a","symbol":"b","name":"c","last_updated":"2024-04-07T16:49:31Z"}"#)
        #expect(coin.currentPrice == nil && coin.priceChange24h == nil)
    }

    @Test(arguments: ["id", "symbol", "name", "last_updated"])
    func `a required field that is missing or null refuses the coin`(field: String) throws {
        var fields = [
            "id": #""a""#, "symbol": #""b""#, "name": #""c""#, "last_updated": #""2024-04-07T16:49:31Z""#,
            "current_price": "1",
        ]
        for replacement in [nil, "null", "17"] {
            fields[field] = replacement
            let text = fields.map { #""\#($0)":\#($1)"# }.joined(separator: ",")
            #expect(throws: (any Error).self) { try decode("{\(text)}") }
        }
    }

    @Test func `a coin without a price is kept without a time, too`() throws {
        let json = #"{"id":"a","symbol":"b","name":"c","current_price":null,"last_updated":null}"#
        let coin = try decode(json)
        #expect(coin.currentPrice == nil)
        #expect(!coin.wasAhead)
    }

    @Test func `a time that is none refuses the coin in words`() {
        #expect(throws: ValidationError(field: "last_updated", why: "is no ISO 8601 time")) {
            try decode(json(updated: #""yesterday""#))
        }
    }

    @Test func `a coin with every optional set goes through JSON and back unchanged`() throws {
        let coin = try coin(price: Decimal(string: "0.00001234567890123456789"), change: -3.25)
        let data = try JSONEncoder().encode(coin)
        let back = try JSONDecoder().decode(Coin.self, from: data)
        #expect(back == coin)
        #expect(back.symbol == coin.symbol && back.name == coin.name && back.lastUpdated == coin.lastUpdated)
    }

    @Test func `a coin with every optional nil goes through JSON and back, and nil is left out`() throws {
        let coin = try coin(price: nil, change: nil)
        let data = try JSONEncoder().encode(coin)
        let text = String(decoding: data, as: UTF8.self)
        #expect(!text.contains("current_price") && !text.contains("price_change"))
        let back = try JSONDecoder().decode(Coin.self, from: data)
        #expect(back == coin && back.lastUpdated == coin.lastUpdated)
    }

    @Test func `a coin is written under the names that CoinGecko uses`() throws {
        let data = try JSONEncoder().encode(try coin())
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(
            Set(object.keys) == [
                "id", "symbol", "name", "current_price", "price_change_percentage_24h", "last_updated",
            ])
    }
}
