import Foundation
import Market
import RoostWeb

struct TotalsText: Sendable {
    let value: String
    let today: String?
    let todayDirection: ChangeText.Direction
    let profit: String?
    let profitDirection: ChangeText.Direction
    let exclusions: String?

    /// Returns nil if the value is unknown.
    init?(_ totals: ListTotals, currency: String) {
        guard let value = totals.value else { return nil }
        self.value = AmountText.money(value, currency: currency)
        today = totals.changeToday.map { Self.text($0, currency) }
        todayDirection = totals.changeToday.map { ChangeText.Direction($0.amount) } ?? .unknown
        profit = totals.profit.map { Self.text($0, currency) }
        profitDirection = totals.profit.map { ChangeText.Direction($0.amount) } ?? .unknown
        exclusions = totals.exclusions.isEmpty ? nil : totals.exclusions.joined(separator: "; ")
    }

    /// Returns for example "+$6,121.00 (+36.4 %)".
    static func text(_ change: MoneyChange, _ currency: String) -> String {
        let percent = AmountText.percent(change.percent).map { " (\($0))" } ?? ""
        return AmountText.signedMoney(change.amount, currency: currency) + percent
    }
}
