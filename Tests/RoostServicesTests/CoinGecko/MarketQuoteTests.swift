import Foundation
import RoostServices
import Testing

@Suite struct MarketQuoteTests {
    private func quote(_ extra: String) throws -> MarketQuote {
        let json = """
            {"id":"a","symbol":"b","name":"c","current_price":5,"last_updated":"2024-04-07T16:49:31Z"\(extra)}
            """
        return try JSONDecoder().decode(MarketQuote.self, from: Data(json.utf8))
    }

    @Test func `rank and sparkline come with the coin`() throws {
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
    func `a coin without rank and sparkline, or with malformed ones, keeps its price`(extra: String) throws {
        let quote = try quote(extra)
        #expect(quote.coin.currentPrice == 5)
        #expect(quote.rank == nil && quote.sparkline.isEmpty)
    }

    @Test func `gaps in a sparkline are left out`() throws {
        #expect(try quote(#","sparkline_in_7d":{"price":[1,null,3]}"#).sparkline == [1, 3])
    }

    @Test(arguments: [1, 55, 56, 57, 111, 168, 2_000])
    func `a long sparkline keeps its first and last point and its order`(count: Int) throws {
        let points = (0..<count).map { "\($0)" }.joined(separator: ",")
        let sparkline = try quote(#","sparkline_in_7d":{"price":[\#(points)]}"#).sparkline
        #expect(sparkline.count == min(count, MarketQuote.pointLimit))
        #expect(sparkline.first == 0 && sparkline.last == Double(count - 1))
        #expect(sparkline == sparkline.sorted() && Set(sparkline).count == sparkline.count)
    }

    @Test func `a quote whose coin is refused is refused`() {
        #expect(throws: ValidationError(field: "id", why: "is empty")) {
            let json = #"{"id":"","symbol":"b","name":"c","last_updated":"2024-04-07T16:49:31Z"}"#
            _ = try JSONDecoder().decode(MarketQuote.self, from: Data(json.utf8))
        }
    }
}
