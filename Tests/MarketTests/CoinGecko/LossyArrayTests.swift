import Foundation
import Testing

@testable import Market
@testable import RoostSupport

@Suite struct LossyArrayTests {
    private func list(_ json: String) throws -> LossyArray<Coin> {
        try JSONDecoder().decode(LossyArray<Coin>.self, from: Data(json.utf8))
    }

    private func item(_ id: String) -> String {
        #"{"id":"\#(id)","symbol":"s","name":"n","last_updated":"2024-04-07T16:49:31Z"}"#
    }

    @Test func `malformed items are counted and located, and the others are kept`() throws {
        let json = """
            [\(item("a")), {"id":"b"}, \(item("")), null, 17, \(item("c")),
            {"id":"d","symbol":"s","name":"n","current_price":1,"last_updated":"never"},
            {"id":"e","symbol":"s","name":"n","current_price":"x","last_updated":"2024-04-07T16:49:31Z"}]
            """
        let list = try list(json)
        #expect(list.items.map(\.id) == ["a", "c"])
        #expect(list.refusals.count == 6)
        #expect(list.refusedIDs == ["b", "", "d", "e"])
        #expect(list.refusals.contains("item 2: id is empty"))
        #expect(list.refusals.contains("item 6: last_updated is not an ISO 8601 time"))
        #expect(list.refusals.contains { $0.hasPrefix("item 1: ") && $0.contains("missing") })
        #expect(list.refusals.contains { $0.hasPrefix("item 7: current_price") })
    }

    @Test func `a list of malformed items counts them all and remembers only the first`() throws {
        let nonsense = try list("[" + String(repeating: "1,", count: 9_999) + "1]")
        #expect(nonsense.refusedCount == 10_000)
        #expect(nonsense.refusals.count == 20)
        #expect(nonsense.refusals.first?.hasPrefix("item 0: ") == true)
    }

    @Test func `an empty list is valid`() throws {
        let list = try list("[]")
        #expect(list.items.isEmpty && list.refusals.isEmpty)
    }

    @Test(arguments: [
        "{}", #"{"error":"coin not found"}"#, "null", "\"Throttled\"", "12", "", "[{", "<html>",
    ])
    func `anything but a list fails as a whole`(json: String) {
        #expect(throws: (any Error).self) { try list(json) }
    }

    @Test func `the order of the answer stays the same`() throws {
        let ids = (0..<50).map { "coin-\($0)" }
        #expect(try list("[\(ids.map(item).joined(separator: ","))]").items.map(\.id) == ids)
    }
}
