import Foundation
import TestSupport
import Testing

@testable import Market
@testable import TextFormats

@Suite struct CoinTests {
    private let now = TestClock.start

    private func coin(
        id: String = "bitcoin", symbol: String = "btc", name: String = "Bitcoin", price: Decimal? = 64_250,
        change: Decimal? = 1.5, updated: TimeInterval? = -30
    ) throws -> Coin {
        try Coin(
            id: id, symbol: symbol, name: name, currentPrice: price, priceChange24h: change,
            lastUpdated: updated.map { now + $0 }, now: now)
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

    @Test(arguments: ["id", "name"], ["", "  ", "\n\t", "\u{3000}"])
    func `a blank text is refused with the field's name`(field: String, blank: String) throws {
        #expect(throws: ValidationError(field: field, why: "is empty")) {
            try coin(id: field == "id" ? blank : "a", symbol: "b", name: field == "name" ? blank : "c")
        }
        #expect(ValidationError(field: field, why: "is empty").description == "\(field) is empty")
    }

    @Test(arguments: [#","symbol":"""#, #","symbol":"  ""#, #","symbol":null"#, ""])
    func `a coin without a symbol keeps its price and shows its id instead`(symbol: String)
        throws
    {
        let coin = try decode(#"{"id":"pico","name":"PiCO Coin","current_price":2\#(symbol)}"#)
        #expect(coin.symbol.isEmpty && coin.shownSymbol == "pico")
        #expect(coin.currentPrice == 2)
        #expect(try self.coin().shownSymbol == "btc")
    }

    @Test func `symbols are kept in lower case and names as they are`() throws {
        let coin = try coin(symbol: "WBTC", name: "Kangaroo the Jumping Co\u{200B}in 🦘 & 'co'")
        #expect(coin.symbol == "wbtc")
        #expect(coin.name == "Kangaroo the Jumping Co\u{200B}in 🦘 & 'co'")
    }

    @Test(arguments: [nil, 0, -1, Decimal(string: "-0.00001"), .nan])
    func `a price that is absent or not above zero is stored as no price`(price: Decimal?) throws {
        #expect(try coin(price: price).currentPrice == nil)
    }

    @Test func `a change may be negative, zero or unknown`() throws {
        #expect(try coin(change: -99.5).priceChange24h == -99.5)
        #expect(try coin(change: 0).priceChange24h == 0)
        #expect(try coin(change: nil).priceChange24h == nil)
        #expect(try coin(change: .nan).priceChange24h == nil)
    }

    @Test func `a time more than five minutes ahead is set to now, and the coin is kept`() throws {
        #expect(try coin(updated: 301).lastUpdated == now)
        #expect(try coin(updated: 300).lastUpdated == now + 300)
        #expect(try coin(updated: -86_400).lastUpdated == now - 86_400)
    }

    @Test func `coins are compared by id, price and change only`() throws {
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

    @Test func `the change is the percentage, not the amount`() throws {
        #expect(try decode(json(change: "-0.95302")).priceChange24h == Decimal(string: "-0.95302"))
        #expect(try decode(json(change: "null")).priceChange24h == nil)
    }

    @Test(arguments: ["null", "0", "0.0", "-5", "-1.2e-08"])
    func `a null, zero or negative price in an answer means no price`(price: String) throws {
        let coin = try decode(json(price: price))
        #expect(coin.currentPrice == nil)
        #expect(coin.id == "bitcoin")
    }

    @Test func `a missing price and a missing change are nil`() throws {
        let coin = try decode(#"{"id":"a","symbol":"b","name":"c","last_updated":"2024-04-07T16:49:31Z"}"#)
        #expect(coin.currentPrice == nil && coin.priceChange24h == nil)
    }

    @Test(
        arguments: [
            ("id", [nil, "null", "17"]), ("name", [nil, "null", "17"]), ("symbol", ["17"]),
            ("last_updated", ["17"]),
        ] as [(String, [String?])])
    func `a missing or null required field, or a field of a wrong type, refuses the coin`(
        field: String, replacements: [String?]
    ) throws {
        var fields = [
            "id": #""a""#, "symbol": #""b""#, "name": #""c""#, "last_updated": #""2024-04-07T16:49:31Z""#,
            "current_price": "1",
        ]
        for replacement in replacements {
            fields[field] = replacement
            let text = fields.map { #""\#($0)":\#($1)"# }.joined(separator: ",")
            #expect(throws: (any Error).self) { try decode("{\(text)}") }
        }
    }

    @Test(arguments: ["null", "1.5"], [#","last_updated":null"#, ""])
    func `a null or missing time is unknown, not now`(price: String, time: String) throws {
        let coin = try decode(#"{"id":"a","symbol":"b","name":"c","current_price":\#(price)\#(time)}"#)
        #expect(coin.lastUpdated == nil && !coin.wasAhead)
        #expect(coin.currentPrice == Decimal(string: price))
    }

    @Test(arguments: ["001", "002", "004", "736", "999"])
    func `the time is exact to the millisecond`(milliseconds: String) throws {
        let time = "2024-04-07T16:49:31.\(milliseconds)Z"
        let coin = try decode(json(updated: "\"\(time)\""))
        let read = try #require(coin.lastUpdated)
        #expect(ISO8601.milliseconds(read) == time)
    }

    @Test func `an invalid time refuses the coin with a message`() {
        #expect(throws: ValidationError(field: "last_updated", why: "is not an ISO 8601 time")) {
            try decode(json(updated: #""yesterday""#))
        }
    }

    @Test func `a coin with every optional set survives a round trip through JSON`() throws {
        let coin = try coin(price: Decimal(string: "0.00001234567890123456789"), change: -3.25)
        let data = try JSONEncoder().encode(coin)
        let back = try JSONDecoder().decode(Coin.self, from: data)
        #expect(back == coin)
        #expect(back.symbol == coin.symbol && back.name == coin.name && back.lastUpdated == coin.lastUpdated)
    }

    @Test func `a coin without optionals survives a round trip through JSON, which leaves them out`() throws {
        let coin = try coin(symbol: "", price: nil, change: nil, updated: nil)
        let data = try JSONEncoder().encode(coin)
        let text = String(decoding: data, as: UTF8.self)
        #expect(!text.contains("current_price") && !text.contains("price_change"))
        #expect(!text.contains("last_updated"))
        let back = try JSONDecoder().decode(Coin.self, from: data)
        #expect(back == coin && back.lastUpdated == coin.lastUpdated)
    }

    @Test func `a coin is encoded with CoinGecko's field names`() throws {
        let data = try JSONEncoder().encode(try coin())
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(
            Set(object.keys) == [
                "id", "symbol", "name", "current_price", "price_change_percentage_24h", "last_updated",
            ])
    }
}
