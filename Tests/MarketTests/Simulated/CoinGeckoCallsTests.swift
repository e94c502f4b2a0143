import Foundation
import TestSupport
import Testing

@testable import Accounts
@testable import Market
@testable import RoostSimulator
@testable import TextFormats

/// The simulator's log counts the CoinGecko calls of an hour: the numbers in the documentation.
@Suite(.timeLimit(.minutes(5))) struct CoinGeckoCallsTests {
    private static let coins = ["bitcoin", "ethereum", "solana", "monero", "dogecoin"]
    private static let alerts = [
        "tether", "ripple", "binancecoin", "usd-coin", "tron", "cardano", "bitcoin-cash", "leo-token",
        "hyperliquid", "chainlink", "weth", "stellar", "dai", "litecoin", "hedera-hashgraph", "avalanche-2",
        "zcash", "shiba-inu", "sui", "polkadot",
    ]

    /// The price requests of an hour in which each person has a page open in one of the currencies, and an alert's coin
    /// is watched in the first.
    private func hour(people: Int, currencies: [String] = ["usd"], alerts: [String] = []) async throws -> Int
    {
        let clock = TestClock()
        var calls = 0
        try await withSimulator(clock: clock) { fixture in
            let services = fixture.services
            var users = [try await fixture.owner(watching: "bitcoin")]
            for number in 1..<max(2, people) where users.count < people {
                users.append(
                    try await services.identity.accounts.add(
                        Profile(username: "person\(number)"), role: .member, password: nil
                    ).userId)
            }
            for user in users {
                for coin in Self.coins
                where !(try await services.market.watchlist.coinIds(of: user)).contains(coin) {
                    try await services.market.watchlist.add(coin, to: user)
                }
            }
            // The demand from adding coins expires.
            clock.advance(PriceRefresher.demandLifetime.inSeconds + 1)
            fixture.simulator.clearRequests()
            for _ in 0..<240 {
                for (number, user) in users.enumerated() {
                    let currency = currencies[number % currencies.count]
                    _ = try await services.market.watchlist.coinIds(of: user)
                    services.market.prices.watch(Self.coins, in: currency)
                }
                if !alerts.isEmpty { services.market.prices.watch(alerts, in: currencies[0]) }
                await services.market.prices.runUntilIdle()
                clock.advance(15)
            }
            for currency in currencies {
                let snapshot = services.market.prices.snapshot(in: currency)
                #expect(snapshot.status.error == nil)
                for coin in Self.coins { #expect(snapshot.table[coin]?.quote.coin.currentPrice != nil) }
            }
            for coin in alerts {
                #expect(services.market.prices.snapshot(in: currencies[0]).table[coin] != nil)
            }
            calls = fixture.simulator.requests(to: "/coins/markets").count
            let all = fixture.simulator.requests.count
            #expect(all == calls, "only prices are asked for")
        }
        return calls
    }

    @Test func `twenty alert coins in addition to the lists cost no further calls`() async throws {
        let calls = try await hour(
            people: 10, currencies: ["usd", "eur", "btc"], alerts: Self.alerts)
        #expect(calls == 180)
    }

    @Test func `all columns come with one call`() async throws {
        try await withSimulator { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            fixture.simulator.clearRequests()
            await fixture.services.market.prices.refresh()
            let quote = try #require(fixture.services.market.prices.snapshot.table["bitcoin"]).quote
            #expect(quote.coin.currentPrice != nil && quote.coin.priceChange24h != nil)
            #expect(quote.change1h != nil && quote.change7d != nil && quote.sparkline.count > 50)
            #expect(quote.marketCap != nil && quote.volume24h != nil && quote.rank != nil)
            #expect(quote.high24h != nil && quote.low24h != nil)
            #expect(quote.circulatingSupply != nil && quote.totalSupply != nil && quote.maxSupply != nil)
            #expect(
                quote.allTimeHigh != nil && quote.allTimeHighChange != nil && quote.allTimeHighDate != nil)
            #expect(quote.imageURL != nil)
            #expect(fixture.simulator.requests.map(\.path) == ["/coins/markets"])
        }
    }

    @Test func `an hour of one chart costs twelve calls, however many people look at it`() async throws {
        let clock = TestClock()
        try await withSimulator(clock: clock) { fixture in
            for _ in 0..<240 {
                for _ in 0..<10 { fixture.services.market.charts.watch("bitcoin", .day, in: "usd") }
                await fixture.services.market.charts.runUntilIdle()
                clock.advance(15)
            }
            #expect(fixture.simulator.requests(to: "/coins/bitcoin/market_chart").count == 12)
        }
    }

    @Test(arguments: ChartRange.allCases)
    func `every range has a chart that ends now`(range: ChartRange) async throws {
        let clock = TestClock()
        try await withSimulator(clock: clock) { fixture in
            let charts = fixture.services.market.charts
            charts.watch("bitcoin", range, in: "eur")
            await charts.runUntilIdle()
            let chart = charts.chart(of: "bitcoin", range: range, in: "eur")
            #expect(chart.error == nil && chart.points.last?.time == clock.now)
            let first = try #require(chart.points.first).time
            #expect(abs(clock.now.timeIntervalSince(first) - Double(range.days) * 86_400) <= 86_400)
            let expected = [ChartRange.day: 289, .week: 169, .month: 721, .quarter: 2_161, .year: 366]
            #expect(abs(chart.points.count - (expected[range] ?? 0)) <= 1)
        }
    }

    @Test func `CoinGecko has the currencies that are built into Roost`() async throws {
        try await withSimulator { fixture in
            await fixture.services.market.currencies.refresh()
            #expect(fixture.services.market.currencies.all == Currency.builtIn)
            #expect(fixture.simulator.requests.map(\.path) == ["/simple/supported_vs_currencies"])
        }
    }
}
