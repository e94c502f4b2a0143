import Foundation
import TestSupport
import Testing

@testable import Market

@Suite struct CoinTotalsTests {
    private func holding(
        _ amount: String, _ price: String? = nil, _ currency: String? = "usd"
    ) throws -> Holding {
        Holding(
            id: 1,
            details: try NewHolding(
                coinId: "bitcoin", amountText: amount, priceText: price, currency: currency, boughtOn: nil,
                note: nil))
    }

    private func decimal(_ text: String) -> Decimal { Decimal(string: text) ?? .nan }

    private func totals(
        _ holdings: [Holding], price: String? = nil, change: String? = nil
    ) throws -> CoinTotals {
        try #require(
            CoinTotals(
                holdings, price: price.map(decimal), change: change.map(decimal), currency: "usd"))
    }

    @Test func `without holdings there are no totals`() {
        #expect(CoinTotals([], price: 1, change: 1, currency: "usd") == nil)
        #expect(ListTotals([]) == nil)
    }

    @Test func `value and profit are exact where binary fractions are not`() throws {
        let coin = try totals([holding("0.1", "0.2"), holding("0.2", "0.1")], price: "0.3")
        #expect(coin.amount == decimal("0.3"))
        #expect(coin.value == decimal("0.09"))
        #expect(coin.cost == decimal("0.04"))
        #expect(coin.profit == MoneyChange(amount: decimal("0.05"), percent: 125))
        #expect(coin.incomparableReason == nil)
    }

    @Test func `an amount too large to calculate is unknown and does not spoil a sum`() throws {
        let oversized = try totals([holding("100", "1")], price: "9e127")
        #expect(oversized.value == nil && oversized.profit == nil)
        let valid = try totals([holding("1", "1")], price: "5")
        let list = try #require(ListTotals([oversized, valid]))
        #expect(list.value == 5)
        #expect(list.exclusions.first == "without 1 coin that has no price")
    }

    @Test func `a gift has a profit but no percentage`() throws {
        let coin = try totals([holding("2", "0")], price: "5")
        #expect(coin.cost == 0 && coin.profit == MoneyChange(amount: 10, percent: nil))
    }

    @Test func `a price in another currency, or none, is not compared, with a reason`() throws {
        let foreign = try totals([holding("1", "2"), holding("1", "2", "eur")], price: "5")
        #expect(foreign.value == 10 && foreign.cost == nil && foreign.profit == nil)
        #expect(foreign.incomparableReason == "bought in EUR")
        let unknown = try totals([holding("1", "2"), holding("1")], price: "5")
        #expect(unknown.profit == nil && unknown.incomparableReason == "no purchase price")
    }

    @Test func `without a price only the amount and the cost are known`() throws {
        let coin = try totals([holding("1", "2")], change: "5")
        #expect(coin.amount == 1 && coin.value == nil && coin.cost == 2)
        #expect(coin.profit == nil && coin.changeToday == nil)
    }

    @Test(arguments: [
        ("25", "20"), ("-20", "-25"), ("0", "0"), ("-99.999999", "-9999999900"),
    ])
    func `today's change is calculated from the earlier value`(change: String, amount: String) throws {
        let today = try totals([holding("10")], price: "10", change: change).changeToday
        #expect(today?.amount == decimal(amount))
        #expect(today?.percent == decimal(change))
    }

    @Test func `a coin that lost all its value, or has no change, has no change today`() throws {
        #expect(try totals([holding("10")], price: "10", change: "-100").changeToday == nil)
        #expect(try totals([holding("10")], price: "10").changeToday == nil)
    }

    @Test func `a list's totals add up and name what they leave out`() throws {
        let list = try #require(
            ListTotals([
                try totals([holding("1", "50")], price: "100", change: "25"),
                try totals([holding("2", "10", "eur")], price: "10", change: "-50"),
                try totals([holding("3", "1")], price: "2"),
                try totals([holding("4")]), try totals([holding("5", "1")]),
            ]))
        #expect(list.value == 126)
        // 100 - 50 and 6 - 3.
        #expect(list.cost == 53)
        #expect(list.profit?.amount == 53 && list.profit?.percent == 100)
        // 100 was 80 and 20 was 40.
        #expect(list.changeToday == MoneyChange(amount: 0, percent: 0))
        #expect(
            list.exclusions == [
                "without 2 coins that have no price", "today without 1 coin that has no 24 h change",
                "profit without 1 coin that was bought in another currency or has no purchase price",
            ])
    }

    @Test func `totals of coins without prices are unknown, not zero`() throws {
        let list = try #require(ListTotals([try totals([holding("1", "2")])]))
        #expect(list.value == nil && list.cost == nil && list.profit == nil && list.changeToday == nil)
        #expect(list.exclusions == ["without 1 coin that has no price"])
    }

    @Test func `a list's page shows totals in its own currency`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin", "solana")
            let watchlist = fixture.services.market.watchlist
            try await watchlist.addHolding(
                NewHolding(coinId: "bitcoin", amount: 2, price: 64_000, currency: "usd"), for: owner)
            // This coin is not on the list.
            try await watchlist.addHolding(NewHolding(coinId: "ethereum", amount: 2), for: owner)
            await fixture.prices.refresh()
            let list = try await watchlist.list(of: owner, sort: WatchlistOrder(.value))
            #expect(list.entries.map(\.item.coinId) == ["bitcoin", "solana"])
            #expect(list.totals?.value == 128_501)
            #expect(list.totals?.profit?.amount == 501)
            #expect(list.entries.last?.totals == nil)
            await fixture.prices.refresh(in: "eur")
            let euros = try await watchlist.list(of: owner, currency: "eur")
            #expect(euros.entries.first?.totals?.incomparableReason == "bought in USD")
            #expect(
                try await watchlist.database.read { try watchlist.totals($0, of: owner, coin: "bitcoin") }?
                    .value == 128_501)
            #expect(
                try await watchlist.database.read { try watchlist.totals($0, of: owner, coin: "solana") }
                    == nil)
        }
    }
}
