import Foundation
import Market
import TextFormats

/// One alert: what it waits for, what it said last, and the forms that change it.
struct AlertRow: Sendable {
    let alert: CoinAlert
    /// The name of the conversation that it is posted to.
    let conversation: String?
    let now: Date
    /// Its settings, unfolded where they were refused.
    let form: AlertFormView

    var alertId: String { "\(alert.id)" }
    var name: String { alert.name }
    var symbol: String { (alert.symbol.isEmpty ? alert.coinId : alert.symbol).uppercased() }
    var coinPath: String { PathSegment(alert.coinId).description }
    var condition: String { alert.condition }
    var isNew: Bool { alert.isNew }
    var isArmed: Bool { alert.isArmed }
    /// "armed", or what it waits for until it is.
    var state: String {
        guard !alert.isArmed else { return "armed" }
        switch (alert.kind, alert.side) {
        case (.above, _): return "waits until the price is 0.5 % below it again"
        case (.below, _): return "waits until the price is 0.5 % above it again"
        case (.change, _): return "waits until the change is smaller again"
        }
    }
    var firedText: String? { alert.firedText }
    var fired: String? { alert.firedAt.map(ISO8601.seconds) }
    var firedAgo: String? { alert.firedAt.map { RelativeTime.ago($0, now: now) } }
    var deliveryError: String? { alert.deliveryError.map { "Not posted: \($0)" } }
    var back: String { form.back }
    var isOpen: Bool { form.isRefused }
}
