package import Foundation
import HTMLTemplates

/// A change in percent with an arrow and a sign, so that no colour is needed to read it: "▲ +2.41 %".
package struct ChangeText: Sendable, Equatable {
    package enum Direction: String, HTMLText, Sendable {
        case up, down, flat, unknown
    }

    /// The time in which a price has changed; the raw value is how a voice reads it.
    package enum Period: String, Sendable {
        case hour = "1 hour"
        case day = "24 hours"
        case week = "7 days"
    }

    package let direction: Direction
    /// "▲ +2.41 %", "▼ −1.12 %", "– 0.00 %", and "–" where nothing is known.
    package let text: String
    /// The same for a reader's voice: "up 2.41 percent in \(period.rawValue)".
    package let words: String

    /// - Parameter percent: 2.41 is 2.41 percent; rounded half away from zero to two decimals.
    package init(_ percent: Decimal?, over period: Period = .day) {
        guard let percent, percent.isFinite else {
            direction = .unknown
            text = "–"
            words = "change in \(period.rawValue) unknown"
            return
        }
        let isNegative = percent < 0
        let rounded = DecimalDigits(percent)?.rounded { _ in 2 }
        guard let rounded, rounded.digits.contains(where: { $0 != 0 }) else {
            direction = .flat
            text = "– 0.00 %"
            words = "unchanged in \(period.rawValue)"
            return
        }
        let figures = rounded.text(decimals: 2, grouped: true)
        direction = isNegative ? .down : .up
        text = isNegative ? "▼ −\(figures) %" : "▲ +\(figures) %"
        words = "\(direction.rawValue) \(figures) percent in \(period.rawValue)"
    }
}
