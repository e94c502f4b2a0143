import Foundation
import Testing

@testable import RoostSimulator

/// Rules that must hold for every coin, not just for an example.
@Suite struct CompletenessTests {
    private let market = TestMarket(coins: 500)

    private func batches() throws -> [[String]] {
        let ids = try market.ask("/coins/list").ids
        return stride(from: 0, to: ids.count, by: 250).map { Array(ids[$0..<min($0 + 250, ids.count)]) }
    }

    private func ask(_ ids: [String], _ more: String = "") throws -> SimulatedResponse {
        let escaped = ids.joined(separator: ",").addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        return market.ask("/coins/markets?vs_currency=usd&per_page=250&ids=\(try #require(escaped))\(more)")
    }

    /// Ids of the coins that break a rule.
    private func offenders(_ more: String = "", against rule: ([String: Any]) -> Bool) throws -> [String] {
        try batches().flatMap { try ask($0, more).items.filter { !rule($0) } }.map { $0.text("id") ?? "?" }
    }

    @Test func `every listed id is found by its encoded name, in batches of 250`() throws {
        for batch in try batches() {
            #expect(try Set(ask(batch).ids) == Set(batch))
        }
    }

    @Test func `every listed coin has the same name and symbol on every page`() throws {
        let listed = try market.ask("/coins/list").items
        let listedByID = Dictionary(uniqueKeysWithValues: listed.map { ($0.text("id") ?? "", $0) })
        let offenders = try offenders { item in
            let entry = listedByID[item.text("id") ?? ""]
            return item.text("name") == entry?.text("name") && item.text("symbol") == entry?.text("symbol")
        }
        #expect(offenders == [])
    }

    @Test func `every number is a decimal that is read exactly`() throws {
        struct Item: Decodable {
            let id: String
            let current_price: Decimal?
            let market_cap: Decimal?
            let price_change_percentage_24h: Decimal?
        }
        for batch in try batches() {
            let answer = try ask(batch)
            let items = try JSONDecoder().decode([Item].self, from: Data(answer.body))
            let raw = try #require(RawJSON(answer.body[...])?.elements)
            let changed = zip(items, raw).filter { item, json in
                item.current_price != json["current_price"].flatMap { Decimal(string: $0.text) }
            }
            #expect(changed.map(\.0.id) == [])
        }
    }

    @Test func `high and low enclose the price, and the records enclose all of them`() throws {
        let offenders = try offenders("&precision=full") { item in
            guard let price = item.number("current_price"), let high = item.number("high_24h"),
                let low = item.number("low_24h"), let top = item.number("ath"),
                let bottom = item.number("atl")
            else { return item.isNull("current_price") }
            return low <= price && price <= high && bottom <= low && high <= top
        }
        #expect(offenders == [])
    }

    @Test func `no coin is newer than now`() throws {
        let now = Timestamp.text(TestMarket.moment)
        #expect(try offenders { ($0.text("last_updated") ?? "") <= now } == [])
    }

    @Test func `a coin has a rank if and only if it has a market cap`() throws {
        #expect(try offenders { $0.isNull("market_cap") == $0.isNull("market_cap_rank") } == [])
    }
}
