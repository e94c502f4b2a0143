import Foundation
import Testing

@testable import Market
@testable import MarketWeb
@testable import RoostSimulator
@testable import roost

/// The demo's initial coins.
@Suite struct DemoCoinsTests {
    private struct Priced: Decodable {
        let id: String
        let currentPrice: Decimal?
    }

    /// Months of 2026 and 2027, because the demo may be opened at any time.
    private static let moments = (0..<24).map { 1_767_225_600_000 + $0 * 30 * 86_400_000 }

    private func prices(
        of coins: Set<String>, in currency: String = "usd", at moment: Int = Self.moments[0]
    ) throws -> [String: Decimal] {
        let simulation = CoinGeckoSimulation(seed: 1, step: 5_000, clock: .fixed(moment), listedCoins: 500)
        let target =
            "/coins/markets?vs_currency=\(currency)&per_page=250&ids=\(coins.sorted().joined(separator: ","))"
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let answer = simulation.answer(SimulatedRequest(target: target))
        let items = try decoder.decode([Priced].self, from: Data(answer.body))
        return items.reduce(into: [:]) { prices, item in prices[item.id] = item.currentPrice }
    }

    @Test func `two lists of coins with prices share some coins but not all`() throws {
        let (first, second) = (Set(DemoCoins.watchlist), Set(DemoCoins.tokens))
        #expect((first.count, second.count) == (DemoCoins.watchlist.count, DemoCoins.tokens.count))
        #expect(first.intersection(second).count >= 2)
        #expect(!second.isSubset(of: first) && !first.isSubset(of: second))
        let all = first.union(second)
        #expect(try Set(prices(of: all).keys) == all)
    }

    @Test func `every coin with a note, holding, wallet or alert is on a list`() throws {
        let listed = Set(DemoCoins.watchlist + DemoCoins.tokens)
        #expect(listed.isSuperset(of: try DemoCoins.holdings.map(\.coinId)))
        #expect(listed.isSuperset(of: try DemoCoins.notes.keys))
        #expect(listed.contains(try DemoCoins.wallet.coinId))
        #expect(listed.isSuperset(of: DemoCoins.alerts(to: "c1").map(\.coinId)))
    }

    @Test func `two coins have a note and a category each`() throws {
        let notes = try DemoCoins.notes.values
        #expect(notes.count == 2)
        #expect(notes.allSatisfy { !$0.note.isEmpty && !$0.category.isEmpty })
    }

    @Test func `holdings have purchase prices, with a profit, a loss, and another currency`() throws {
        let holdings = try DemoCoins.holdings
        #expect(holdings.allSatisfy { $0.price != nil && $0.boughtOn != nil })
        #expect(holdings.contains { $0.currency != "usd" })
        let prices = try prices(of: Set(holdings.map(\.coinId)))
        let profits = Dictionary(grouping: holdings, by: \.coinId).compactMap { coin, of in
            CoinTotals(
                of.enumerated().map { Holding(id: HoldingID($0), details: $1) }, price: prices[coin],
                change: nil, currency: "usd"
            )?.profit?.amount
        }
        #expect(profits.contains { $0 > 0 } && profits.contains { $0 < 0 })
    }

    @Test(arguments: Self.moments)
    func `no alert is near the price, whenever the demo is opened`(moment: Int) throws {
        for alert in DemoCoins.alerts(to: "c1") {
            let currency = try #require(alert.currency)
            let price = try #require(try prices(of: [alert.coinId], in: currency, at: moment)[alert.coinId])
            let threshold = try #require(Decimal(string: alert.threshold))
            switch alert.kind {
            case .above: #expect(threshold > price * 3 / 2, "\(alert.coinId) costs \(price)")
            case .below: #expect(threshold < price * 2 / 3, "\(alert.coinId) costs \(price)")
            case .change: Issue.record("a 24-hour change can be near its threshold at any time")
            }
        }
    }

    @Test func `one alert posts to a conversation, and one does not`() {
        #expect(Set(DemoCoins.alerts(to: "c1").map(\.conversationId)) == [nil, "c1"])
    }
}
