import Foundation
import Testing

@testable import RoostSimulator

/// Compares the simulation's answers with CoinGecko's: the same fields, of the same types.
@Suite(.enabled(if: SharedRecordings.mustRun, "no recordings next to the project (../shared/recordings)"))
struct RecordedShapeTests {
    private let market = TestMarket(coins: 300)

    private func recorded(_ path: String) throws -> SimulatedResponse {
        let file = URL(fileURLWithPath: "\(SharedRecordings.directory)/coingecko/\(path)")
        return SimulatedResponse(status: 200, headers: [], body: Array(try Data(contentsOf: file)))
    }

    /// `string`, `number`, `null` and so on, by field.
    private func types(_ object: [String: Any]) -> [String: String] {
        object.mapValues { value in
            switch value {
            case is NSNull: "null"
            case is String: "string"
            case is [Any]: "array"
            case is [String: Any]: "object"
            default: "number"
            }
        }
    }

    @Test func `a market item has the recorded fields and types`() throws {
        let real = types(try #require(try recorded("oas_2026/coins_markets.json").items.first))
        let query = "sparkline=true&price_change_percentage=1h,24h,7d,14d,30d,200d,1y"
        let simulated = types(try #require(try market.coin("bitcoin", query)))
        // Added in 2026; Roost does not read it, and older answers do not have it.
        let expected = real.filter { $0.key != "market_cap_rank_with_rehypothecated" }
        #expect(simulated == expected)
    }

    @Test func `the list's items have the recorded fields`() throws {
        let real = try #require(try recorded("coins_list_2025-03_17185.json").items.first)
        let simulated = try #require(try market.ask("/coins/list").items.first)
        #expect(types(simulated) == types(real))
    }

    @Test func `a search's coins have the recorded fields`() throws {
        let real = try #require(
            try recorded("search_bitcoin_2023-11.json").object["coins"] as? [[String: Any]])
        let simulated = try #require(
            try market.ask("/search?query=bitcoin").object["coins"] as? [[String: Any]])
        #expect(types(simulated[0]) == types(real[0]))
    }

    @Test func `a chart has the recorded series of pairs`() throws {
        let real = try recorded("oas_2026/coins_id_market_chart.json").object
        let ours = try market.ask("/coins/bitcoin/market_chart?vs_currency=usd&days=1").object
        #expect(types(ours) == types(real))
        #expect((ours["prices"] as? [[Any]])?.first?.count == 2)
    }

    @Test func `simple prices have the recorded fields`() throws {
        let query = "include_market_cap=true&include_24hr_vol=true&include_24hr_change=true"
        let target = "/simple/price?ids=bitcoin&vs_currencies=usd&\(query)&include_last_updated_at=true"
        let real = try #require(
            try recorded("oas_2026/simple_price.json").object["bitcoin"] as? [String: Any])
        let ours = try #require(try market.ask(target).object["bitcoin"] as? [String: Any])
        #expect(types(ours) == types(real))
    }

    @Test func `currencies and ping are the recorded ones`() throws {
        let real = RawJSON(try recorded("oas_2026/simple_supported_vs_currencies.json").body[...])
        let ours = RawJSON(market.ask("/simple/supported_vs_currencies").body[...])
        #expect(real?.elements?.compactMap(\.string) == ours?.elements?.compactMap(\.string))
        let ping = try recorded("oas_2026/ping.json").object
        #expect(ping.text("gecko_says") == (try market.ask("/ping").object.text("gecko_says")))
    }

    @Test func `errors without recordings have the form of the recorded ones`() throws {
        let standard = CoinGeckoErrors()
        let recordings = try Recordings(directory: "\(SharedRecordings.directory)/coingecko")
        let real = try RecordedCoinGecko(recordings).errors
        #expect(standard.missingCurrency == real.missingCurrency && standard.missingIDs == real.missingIDs)
        #expect(standard.coinNotFound == real.coinNotFound && standard.rateLimited == real.rateLimited)
        #expect(standard.internalError == real.internalError && standard.throttled == real.throttled)
        #expect(standard.blocked == real.blocked)
        #expect(real.missingUserAgent.hasPrefix(standard.missingUserAgent.prefix(200)))
    }
}
