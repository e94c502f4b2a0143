import Foundation
import Testing

@testable import RoostSimulator

/// What the simulation writes against what CoinGecko wrote: the same fields, of the same types.
@Suite(.enabled(if: SharedRecordings.mustRun, "no recordings beside the project (../shared/recordings)"))
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
        let ours = types(try #require(try market.coin("bitcoin", query)))
        // A field of 2026 that Roost does not read and older answers do not have.
        let wanted = real.filter { $0.key != "market_cap_rank_with_rehypothecated" }
        #expect(ours == wanted)
    }

    @Test func `the list's items have the recorded fields`() throws {
        let real = try #require(try recorded("coins_list_2025-03_17185.json").items.first)
        let ours = try #require(try market.ask("/coins/list").items.first)
        #expect(types(ours) == types(real))
    }

    @Test func `a search's coins have the recorded fields`() throws {
        let real = try #require(
            try recorded("search_bitcoin_2023-11.json").object["coins"] as? [[String: Any]])
        let ours = try #require(try market.ask("/search?query=bitcoin").object["coins"] as? [[String: Any]])
        #expect(types(ours[0]) == types(real[0]))
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

    @Test func `errors without recordings are worded as the recorded ones`() throws {
        let ours = CoinGeckoErrors()
        let recordings = try Recordings(directory: "\(SharedRecordings.directory)/coingecko")
        let real = try RecordedCoinGecko(recordings).errors
        #expect(ours.missingCurrency == real.missingCurrency && ours.missingIDs == real.missingIDs)
        #expect(ours.coinNotFound == real.coinNotFound && ours.rateLimited == real.rateLimited)
        #expect(ours.internalError == real.internalError && ours.throttled == real.throttled)
        #expect(ours.blocked == real.blocked)
        #expect(real.missingUserAgent.hasPrefix(ours.missingUserAgent.prefix(200)))
    }
}
