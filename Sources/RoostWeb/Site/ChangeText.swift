package import Foundation
import HTMLTemplates
import RoostSupport

/// A percentage change with an arrow and a sign, so that it is readable without colour: "▲ +2.41 %".
package struct ChangeText: Sendable, Equatable {
    package enum Direction: String, HTMLText, Sendable {
        case up, down, flat, unknown
    }

    /// The period of a price change; the raw value is what a screen reader says, also in `accessibilitySuffix`.
    package enum Period: String, Sendable {
        case hour = "1 hour"
        case day = "24 hours"
        case week = "7 days"
    }

    package let direction: Direction
    /// "2.41", or "" if the price is unchanged or the change unknown.
    package let digits: String
    private let period: Period

    /// - Parameter percent: 2.41 is 2.41 percent; rounded half away from zero to two decimals
    package init(_ percent: Decimal?, over period: Period = .day) {
        self.period = period
        guard let percent, percent.isFinite else {
            (direction, digits) = (.unknown, "")
            return
        }
        let rounded = DecimalDigits(percent)?.rounded { _ in 2 }
        guard let rounded, !rounded.isZero else {
            (direction, digits) = (.flat, "")
            return
        }
        direction = percent < 0 ? .down : .up
        digits = rounded.text(decimals: 2, grouped: true)
    }

    /// "▲ +2.41 %", "▼ −1.12 %", "– 0.00 %", or "–" if unknown.
    package var text: String { arrow + sign + digits + unit }
    /// The same for a screen reader: "up 2.41 percent in 24 hours".
    package var accessibilityText: String { accessibilityPrefix + digits + accessibilitySuffix }

    // Templates write these parts directly, which avoids building a string for each figure of a page.

    /// Only for plain text: styles draw the arrow on pages.
    private var arrow: String {
        switch direction {
        case .up: "▲ "
        case .down: "▼ "
        case .flat, .unknown: ""
        }
    }

    package var sign: String {
        switch direction {
        case .up: "+"
        case .down: "−"
        case .flat: "– 0\(Formats.current.numbers.decimalMark)00 %"
        case .unknown: "–"
        }
    }

    package var unit: String { digits.isEmpty ? "" : " %" }

    package var accessibilityPrefix: String {
        switch direction {
        case .up: "up "
        case .down: "down "
        case .flat: "unchanged in "
        case .unknown: "change in "
        }
    }

    package var accessibilitySuffix: String {
        switch (direction, period) {
        case (.up, .hour), (.down, .hour): " percent in 1 hour"
        case (.up, .day), (.down, .day): " percent in 24 hours"
        case (.up, .week), (.down, .week): " percent in 7 days"
        case (.flat, _): period.rawValue
        case (.unknown, .hour): "1 hour unknown"
        case (.unknown, .day): "24 hours unknown"
        case (.unknown, .week): "7 days unknown"
        }
    }
}
