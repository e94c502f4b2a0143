package import Foundation
import HTMLTemplates

/// A change in percent with an arrow and a sign, so that no colour is needed to read it: "▲ +2.41 %".
package struct ChangeText: Sendable, Equatable {
    package enum Direction: String, HTMLText, Sendable {
        case up, down, flat, unknown
    }

    package let direction: Direction
    /// "▲ +2.41 %", "▼ −1.12 %", "– 0.00 %", and "–" where nothing is known.
    package let text: String
    /// The same for a reader's voice: "up 2.41 percent in 24 hours".
    package let words: String

    /// - Parameter percent: 2.41 is 2.41 percent; rounded half away from zero to two decimals.
    package init(_ percent: Decimal?) {
        guard let percent, percent.isFinite else {
            direction = .unknown
            text = "–"
            words = "24 hour change unknown"
            return
        }
        let isNegative = percent < 0
        let rounded = DecimalDigits("\(percent.magnitude)")?.rounded { _ in 2 }
        guard let rounded, rounded.digits.contains(where: { $0 != 0 }) else {
            direction = .flat
            text = "– 0.00 %"
            words = "unchanged in 24 hours"
            return
        }
        let figures = rounded.text(decimals: 2, grouped: true)
        direction = isNegative ? .down : .up
        text = isNegative ? "▼ −\(figures) %" : "▲ +\(figures) %"
        words = "\(direction.rawValue) \(figures) percent in 24 hours"
    }
}
