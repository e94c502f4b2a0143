import Foundation
import Market

/// What the coins of a list are worth to their owner, in words.
struct TotalsText: Sendable {
    let value: String
    let today: String?
    let todayDirection: ChangeText.Direction
    let profit: String?
    let profitDirection: ChangeText.Direction
    let remarks: String?

    /// Nil where no value is known.
    init?(_ totals: ListTotals, currency: String) {
        guard let value = totals.value else { return nil }
        self.value = AmountText.money(value, currency: currency)
        today = totals.changeToday.map { Self.text($0, currency) }
        todayDirection = totals.changeToday.map { ChangeText.Direction($0.amount) } ?? .unknown
        profit = totals.profit.map { Self.text($0, currency) }
        profitDirection = totals.profit.map { ChangeText.Direction($0.amount) } ?? .unknown
        remarks = totals.remarks.isEmpty ? nil : totals.remarks.joined(separator: "; ")
    }

    /// "+$6,121.00 (+36.4 %)".
    static func text(_ change: MoneyChange, _ currency: String) -> String {
        let percent = AmountText.percent(change.percent).map { " (\($0))" } ?? ""
        return AmountText.gain(change.amount, currency: currency) + percent
    }

    var totalValue: String { value }
}
