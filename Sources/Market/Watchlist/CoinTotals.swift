package import Foundation

/// An amount of money and the percentage that it makes.
package struct MoneyChange: Equatable, Sendable {
    /// Positive or negative, in the shown currency.
    package let amount: Decimal
    /// Nil if the whole is not above zero.
    package let percent: Decimal?

    package init(amount: Decimal, percent: Decimal?) {
        self.amount = amount
        self.percent = percent
    }

    /// Nil if the numbers are too large to compute with.
    init?(_ amount: Decimal, of before: Decimal) {
        guard amount.isFinite, before.isFinite else { return nil }
        self.init(
            amount: amount.rounded(digits: 15),
            percent: before > 0 ? (amount / before * 100).finite?.rounded(digits: 9) : nil)
    }
}

/// A user's holdings of one coin, in the shown currency.
package struct CoinTotals: Equatable, Sendable {
    package let amount: Decimal
    /// Nil if the coin has no price.
    package let value: Decimal?
    /// The amount that the user paid; nil if it is not known in the shown currency.
    package let cost: Decimal?
    package let profit: MoneyChange?
    /// Why there is no profit, such as "paid in EUR"; nil if the holdings are comparable.
    package let incomparableReason: String?
    /// Within 24 hours; nil if CoinGecko does not say.
    package let changeToday: MoneyChange?

    /// Nil without holdings.
    ///
    /// - Parameters:
    ///   - change: the price's change within 24 hours, in percent
    ///   - currency: the currency of `price`
    package init?(_ holdings: [Holding], price: Decimal?, change: Decimal?, currency: String) {
        guard !holdings.isEmpty else { return nil }
        amount = holdings.reduce(0) { $0 + $1.amount }
        value = price.flatMap { [amount] in ($0 * amount).finite }
        incomparableReason = Self.incomparableReason(holdings, currency)
        cost =
            incomparableReason == nil ? holdings.reduce(0) { $0 + $1.amount * ($1.price ?? 0) }.finite : nil
        profit = value.flatMap { [cost] value in cost.flatMap { MoneyChange(value - $0, of: $0) } }
        changeToday = value.flatMap { value in
            // After a fall of 100 % the earlier value cannot be computed.
            guard let change, change > -100 else { return nil }
            let before = value / (1 + change / 100)
            return MoneyChange(value - before, of: before)
        }
    }

    private static func incomparableReason(_ holdings: [Holding], _ currency: String) -> String? {
        let otherCurrencies = Set(holdings.compactMap(\.currency)).subtracting([currency]).sorted()
        if !otherCurrencies.isEmpty {
            return "bought in \(otherCurrencies.map { $0.uppercased() }.joined(separator: ", "))"
        }
        return holdings.contains { $0.price == nil } ? "no purchase price" : nil
    }
}

/// A user's holdings of all coins of a list, in the shown currency; each coin counts once.
package struct ListTotals: Equatable, Sendable {
    /// Of the coins with a price; nil without any.
    package let value: Decimal?
    /// Of the coins with a known profit; nil without any.
    package let cost: Decimal?
    package let profit: MoneyChange?
    /// Of the coins with a known change; nil without any.
    package let changeToday: MoneyChange?
    /// The coins that the amounts leave out: "without 2 coins that have no price".
    package let exclusions: [String]

    package init?(_ coins: [CoinTotals]) {
        guard !coins.isEmpty else { return nil }
        let priced = coins.filter { $0.value != nil }
        let compared = priced.filter { $0.profit != nil }
        let changing = priced.filter { $0.changeToday != nil }
        func sum(_ coins: [CoinTotals], _ amount: (CoinTotals) -> Decimal?) -> Decimal? {
            coins.isEmpty ? nil : coins.reduce(0) { $0 + (amount($1) ?? 0) }.finite
        }
        value = sum(priced, \.value)
        let cost = sum(compared, \.cost)
        self.cost = cost
        profit = cost.flatMap { cost in MoneyChange((sum(compared, \.value) ?? 0) - cost, of: cost) }
        changeToday = sum(changing) { $0.changeToday?.amount }.flatMap { change in
            MoneyChange(change, of: (sum(changing, \.value) ?? 0) - change)
        }
        func exclusion(_ count: Int, _ one: String, _ many: String) -> String? {
            count == 0
                ? nil : count == 1 ? "without 1 coin that \(one)" : "without \(count) coins that \(many)"
        }
        exclusions = [
            exclusion(coins.count - priced.count, "has no price", "have no price"),
            exclusion(
                priced.count - changing.count, "has no 24 h change", "have no 24 h change"
            ).map { "today \($0)" },
            exclusion(
                priced.count - compared.count, "was bought in another currency or has no purchase price",
                "were bought in other currencies or have no purchase price"
            ).map { "profit \($0)" },
        ].compactMap(\.self)
    }
}

extension Decimal {
    fileprivate var finite: Decimal? { isFinite ? self : nil }

    /// Rounds to significant digits: a quotient has 38, most of them meaningless.
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
