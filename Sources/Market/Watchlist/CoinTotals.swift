package import Foundation

/// An amount of money and the percentage that goes with it.
package struct MoneyChange: Equatable, Sendable {
    /// In the shown currency, with its sign.
    package let amount: Decimal
    /// Nil where what it is a part of is nothing.
    package let percent: Decimal?

    package init(amount: Decimal, percent: Decimal?) {
        self.amount = amount
        self.percent = percent
    }

    /// Of what was `before`.
    ///
    /// Nil where the figures are too large to be reckoned with.
    init?(_ amount: Decimal, of before: Decimal) {
        guard amount.isFinite, before.isFinite else { return nil }
        self.init(
            amount: amount.rounded(digits: 15),
            percent: before > 0 ? (amount / before * 100).finite?.rounded(digits: 9) : nil)
    }
}

/// What a user has of one coin, in the shown currency.
package struct CoinTotals: Equatable, Sendable {
    /// Of all holdings together.
    package let amount: Decimal
    /// Nil where the coin has no price.
    package let value: Decimal?
    /// What was paid; nil where it cannot be said in the shown currency.
    package let cost: Decimal?
    /// Nil where it cannot be said.
    package let profit: MoneyChange?
    /// Why there is no profit, a phrase such as "paid in EUR"; nil where there is one, and where no price is known.
    package let notComparable: String?
    /// Within 24 hours; nil where CoinGecko does not say.
    package let changeToday: MoneyChange?

    /// Nil without holdings.
    ///
    /// - Parameters:
    ///   - change: of the price within 24 hours, in percent
    ///   - currency: the one of `price`
    package init?(_ holdings: [Holding], price: Decimal?, change: Decimal?, currency: String) {
        guard !holdings.isEmpty else { return nil }
        amount = holdings.reduce(0) { $0 + $1.amount }
        value = price.flatMap { [amount] in ($0 * amount).finite }
        notComparable = Self.obstacle(holdings, currency)
        cost =
            notComparable == nil ? holdings.reduce(0) { $0 + $1.amount * ($1.price ?? 0) }.finite : nil
        profit = value.flatMap { [cost] value in cost.flatMap { MoneyChange(value - $0, of: $0) } }
        changeToday = value.flatMap { value in
            // What has lost all of its worth leaves nothing to reckon with.
            guard let change, change > -100 else { return nil }
            let before = value / (1 + change / 100)
            return MoneyChange(value - before, of: before)
        }
    }

    private static func obstacle(_ holdings: [Holding], _ currency: String) -> String? {
        let others = Set(holdings.compactMap(\.currency)).subtracting([currency]).sorted()
        if !others.isEmpty { return "paid in \(others.map { $0.uppercased() }.joined(separator: ", "))" }
        return holdings.contains { $0.price == nil } ? "paid price not noted" : nil
    }
}

/// What a user has of all the coins of a list, in the shown currency; each coin counts once.
package struct ListTotals: Equatable, Sendable {
    /// Of the coins that have a price; nil where none has.
    package let value: Decimal?
    /// Of the coins whose profit can be told; nil where none can.
    package let cost: Decimal?
    package let profit: MoneyChange?
    /// Of the coins whose change is known; nil where none is.
    package let changeToday: MoneyChange?
    /// What the figures leave out: "without 2 coins that have no price".
    package let remarks: [String]

    /// Nil where nothing is held.
    package init?(_ coins: [CoinTotals]) {
        guard !coins.isEmpty else { return nil }
        let priced = coins.filter { $0.value != nil }
        let compared = priced.filter { $0.profit != nil }
        let changing = priced.filter { $0.changeToday != nil }
        func sum(_ coins: [CoinTotals], _ figure: (CoinTotals) -> Decimal?) -> Decimal? {
            coins.isEmpty ? nil : coins.reduce(0) { $0 + (figure($1) ?? 0) }.finite
        }
        value = sum(priced, \.value)
        let cost = sum(compared, \.cost)
        self.cost = cost
        profit = cost.flatMap { cost in MoneyChange((sum(compared, \.value) ?? 0) - cost, of: cost) }
        changeToday = sum(changing) { $0.changeToday?.amount }.flatMap { change in
            MoneyChange(change, of: (sum(changing, \.value) ?? 0) - change)
        }
        func remark(_ count: Int, _ one: String, _ many: String) -> String? {
            count == 0
                ? nil : count == 1 ? "without 1 coin that \(one)" : "without \(count) coins that \(many)"
        }
        remarks = [
            remark(coins.count - priced.count, "has no price", "have no price"),
            remark(
                priced.count - changing.count, "has no change of 24 h", "have no change of 24 h"
            ).map { "today \($0)" },
            remark(
                priced.count - compared.count, "was paid in another currency or has no paid price",
                "were paid in other currencies or have no paid price"
            ).map { "profit \($0)" },
        ].compactMap(\.self)
    }
}

extension Decimal {
    fileprivate var finite: Decimal? { isFinite ? self : nil }

    /// Rounded to so many figures that count: a quotient has 38, most of them of no meaning.
    fileprivate func rounded(digits: Int) -> Decimal {
        guard self != 0, isFinite else { return self }
        var (value, result) = (self, Decimal())
        // The exponent of the first digit: 2 for 123.4.
        var magnitude = 0
        var rest = abs(self)
        while rest >= 10 {
            rest /= 10
            magnitude += 1
        }
        while rest < 1 {
            rest *= 10
            magnitude -= 1
        }
        NSDecimalRound(&result, &value, digits - 1 - magnitude, .plain)
        return result
    }
}
