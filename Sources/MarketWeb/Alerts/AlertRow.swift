import Foundation
import Market
import RoostWeb
import TextFormats

struct AlertRow: Sendable {
    let alert: CoinAlert
    let conversation: String?
    let now: Date
    /// The settings form, unfolded after invalid input.
    let form: AlertFormView

    var alertId: String { "\(alert.id)" }
    var symbol: String { (alert.symbol.isEmpty ? alert.coinId : alert.symbol).uppercased() }
    var coinPath: String { PathSegment(alert.coinId).description }
    var isNew: Bool { alert.isNew }
    var state: String { alert.isArmed ? "Armed" : "Paused until \(alert.rearmCondition)" }
    var fired: String? { alert.firedAt.map(ISO8601.seconds) }
    var firedAgo: String? { alert.firedAt.map { RelativeTime.ago($0, now: now) } }
    var deliveryError: String? { alert.deliveryError.map { "Not posted: \($0)" } }
}
