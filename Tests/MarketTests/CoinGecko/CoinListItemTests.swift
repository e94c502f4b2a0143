import Foundation
import TestSupport
import Testing

@testable import Market
@testable import RoostSupport
@testable import TextFormats

@Suite struct CoinListItemTests {
    @Test func `an item survives a round trip through JSON`() throws {
        let item = try CoinListItem(id: "boringdao-[old]", symbol: "bor", name: "BoringDAO [OLD]")
        let back = try JSONDecoder().decode(CoinListItem.self, from: try JSONEncoder().encode(item))
        #expect(back == item && back.hashValue == item.hashValue)
    }

    @Test func `symbols are kept in lower case, because a search returns them in upper case`() throws {
        let json = #"{"id":"ethereum","symbol":"ETH","name":"Ethereum"}"#
        #expect(try JSONDecoder().decode(CoinListItem.self, from: Data(json.utf8)).symbol == "eth")
    }

    @Test(arguments: ["id", "name"])
    func `an empty or missing text refuses the item`(field: String) throws {
        var fields = ["id": "a", "symbol": "b", "name": "c"]
        fields[field] = " "
        let blank = try JSONEncoder().encode(fields)
        #expect(throws: ValidationError(field: field, why: "is empty")) {
            try JSONDecoder().decode(CoinListItem.self, from: blank)
        }
        fields[field] = nil
        let missing = try JSONEncoder().encode(fields)
        #expect(throws: (any Error).self) { try JSONDecoder().decode(CoinListItem.self, from: missing) }
    }

    @Test(arguments: [#","symbol":"""#, #","symbol":" ""#, #","symbol":null"#, ""])
    func `an item without a symbol is kept and shows its id instead`(symbol: String) throws {
        let json = #"{"id":"pico","name":"PiCO Coin"\#(symbol)}"#
        let item = try JSONDecoder().decode(CoinListItem.self, from: Data(json.utf8))
        #expect(item.symbol.isEmpty && item.shownSymbol == "pico")
    }

    @Test(.recordings) func `all 17,185 recorded coins are accepted, including the four without a symbol`()
        throws
    {
        let data = try RecordedFiles.read("coins_list_2025-03_17185.json")
        let list = try JSONDecoder().decode(LossyArray<CoinListItem>.self, from: data)
        #expect(list.items.count == 17_185)
        #expect(list.refusals.isEmpty)
        #expect(list.items.filter(\.symbol.isEmpty).count == 4)
        #expect(Set(list.items.map(\.id)).count == list.items.count)
    }

    @Test(arguments: ["id", "symbol", "name"])
    func `a text far longer than any real coin's refuses the item`(field: String) throws {
        var fields = ["id": "a", "symbol": "b", "name": "c"]
        fields[field] = String(repeating: "x", count: 200)
        let long = try JSONEncoder().encode(fields)
        #expect(throws: Never.self) { try JSONDecoder().decode(CoinListItem.self, from: long) }
        fields[field] = String(repeating: "x", count: 201)
        let tooLong = try JSONEncoder().encode(fields)
        #expect(throws: ValidationError(field: field, why: "is too long")) {
            try JSONDecoder().decode(CoinListItem.self, from: tooLong)
        }
    }
}
