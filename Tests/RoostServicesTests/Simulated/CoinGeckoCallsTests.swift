import Foundation
import Testing

@testable import Accounts
@testable import Market
@testable import RoostSimulator

/// What an hour costs in calls to CoinGecko, counted by the simulator's log: the figures of the documentation.
@Suite(.timeLimit(.minutes(5))) struct CoinGeckoCallsTests {
    private static let coins = ["bitcoin", "ethereum", "solana", "monero", "dogecoin"]
    private static let alerts = [
        "tether", "ripple", "binancecoin", "usd-coin", "tron", "cardano", "bitcoin-cash", "leo-token",
        "hyperliquid", "chainlink", "weth", "stellar", "dai", "litecoin", "hedera-hashgraph", "avalanche-2",
        "zcash", "shiba-inu", "sui", "polkadot",
    ]

    /// Requests for prices within an hour in which each person's page is open in one of the currencies, and an alert's
    /// coin is watched in the first.
    private func hour(people: Int, currencies: [String] = ["usd"], alerts: [String] = []) async throws -> Int
    {
        let clock = TestClock()
        var calls = 0
        try await withSimulator(clock: clock) { fixture in
            let services = fixture.services
            var users = [try await fixture.owner(watching: "bitcoin")]
            for number in 1..<max(2, people) where users.count < people {
                users.append(
                    try await services.accounts.add(
                        Profile(username: "person\(number)"), role: .member, password: nil
                    ).userId)
            }
            for user in users {
                for coin in Self.coins where !(try await services.watchlist.coinIds(of: user)).contains(coin)
                {
                    try await services.watchlist.add(coin, to: user)
                }
            }
            // The demand of adding lapses.
            clock.advance(PriceRefresher.demandLifetime + 1)
            fixture.simulator.forgetRequests()
            for _ in 0..<240 {
                for (number, user) in users.enumerated() {
                    let currency = currencies[number % currencies.count]
                    _ = try await services.watchlist.coinIds(of: user)
                    services.prices.want(Self.coins, in: currency)
                }
                if !alerts.isEmpty { services.prices.want(alerts, in: currencies[0]) }
                await services.prices.runUntilIdle()
                clock.advance(15)
            }
            for currency in currencies {
                let snapshot = services.prices.snapshot(in: currency)
                #expect(snapshot.status.error == nil)
                for coin in Self.coins { #expect(snapshot.board[coin]?.quote.coin.currentPrice != nil) }
            }
            for coin in alerts { #expect(services.prices.snapshot(in: currencies[0]).board[coin] != nil) }
            calls = fixture.simulator.requests(to: "/coins/markets").count
            let all = fixture.simulator.requests.count
            #expect(all == calls, "only prices are asked for")
        }
        return calls
    }

    @Test func `one person and ten cost the same: one call a minute`() async throws {
        let (one, ten) = (try await hour(people: 1), try await hour(people: 10))
        #expect(one == 60 && ten == 60)
    }

    @Test func `each further currency costs as much again`() async throws {
        let calls = try await hour(people: 10, currencies: ["usd", "eur", "btc"])
        #expect(calls == 180)
    }

    @Test func `twenty coins of alerts beside the lists cost nothing more`() async throws {
        let calls = try await hour(
            people: 10, currencies: ["usd", "eur", "btc"], alerts: Self.alerts)
        #expect(calls == 180)
    }

    @Test func `all columns come with the one call`() async throws {
        try await withSimulator { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            fixture.simulator.forgetRequests()
            await fixture.services.prices.refresh()
            let quote = try #require(fixture.services.prices.snapshot.board["bitcoin"]).quote
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

    @Test func `an hour of one chart costs twelve calls, however many look at it`() async throws {
        let clock = TestClock()
        try await withSimulator(clock: clock) { fixture in
            for _ in 0..<240 {
                for _ in 0..<10 { fixture.services.charts.want("bitcoin", .day, in: "usd") }
                await fixture.services.charts.runUntilIdle()
                clock.advance(15)
            }
            #expect(fixture.simulator.requests(to: "/coins/bitcoin/market_chart").count == 12)
        }
    }

    @Test(arguments: ChartRange.allCases)
    func `every range has a chart that ends now`(range: ChartRange) async throws {
        let clock = TestClock()
        try await withSimulator(clock: clock) { fixture in
            let charts = fixture.services.charts
            charts.want("bitcoin", range, in: "eur")
            await charts.runUntilIdle()
            let chart = charts.chart(of: "bitcoin", range: range, in: "eur")
            #expect(chart.error == nil && chart.points.last?.time == clock.now)
            let first = try #require(chart.points.first).time
            #expect(abs(clock.now.timeIntervalSince(first) - Double(range.days) * 86_400) <= 86_400)
            let expected = [ChartRange.day: 289, .week: 169, .month: 721, .quarter: 2_161, .year: 366]
            #expect(abs(chart.points.count - (expected[range] ?? 0)) <= 1)
        }
    }

    @Test func `CoinGecko names the currencies that Roost has built in`() async throws {
        try await withSimulator { fixture in
            await fixture.services.currencies.refresh()
            #expect(fixture.services.currencies.all == Currency.builtIn)
            #expect(fixture.simulator.requests.map(\.path) == ["/simple/supported_vs_currencies"])
        }
    }
}
