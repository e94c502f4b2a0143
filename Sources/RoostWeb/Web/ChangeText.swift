import Foundation
import HTMLTemplates

/// A change in percent with an arrow and a sign, so that no colour is needed to read it: "▲ +2.41 %".
struct ChangeText: Sendable, Equatable {
    enum Direction: String, HTMLText, Sendable {
        case up, down, flat, unknown
    }

    /// The time in which a price has changed; the raw value is how a voice reads it, also in `wordsAfter`.
    enum Period: String, Sendable {
        case hour = "1 hour"
        case day = "24 hours"
        case week = "7 days"
    }

    let direction: Direction
    /// "2.41"; "" where nothing has changed or nothing is known.
    let figures: String
    private let period: Period

    /// - Parameter percent: 2.41 is 2.41 percent; rounded half away from zero to two decimals.
    init(_ percent: Decimal?, over period: Period = .day) {
        self.period = period
        guard let percent, percent.isFinite else {
            (direction, figures) = (.unknown, "")
            return
        }
        let rounded = DecimalDigits(percent)?.rounded { _ in 2 }
        guard let rounded, !rounded.isZero else {
            (direction, figures) = (.flat, "")
            return
        }
        direction = percent < 0 ? .down : .up
        figures = rounded.text(decimals: 2, grouped: true)
    }

    /// "▲ +2.41 %", "▼ −1.12 %", "– 0.00 %", and "–" where nothing is known.
    var text: String { mark + figures + unit }
    /// The same for a reader's voice: "up 2.41 percent in 24 hours".
    var words: String { wordsBefore + figures + wordsAfter }

    // Templates write the parts: no text is put together for each figure of a page.

    var mark: String {
        switch direction {
        case .up: "▲ +"
        case .down: "▼ −"
        case .flat: "– 0.00 %"
        case .unknown: "–"
        }
    }

    var unit: String { figures.isEmpty ? "" : " %" }

    var wordsBefore: String {
        switch direction {
        case .up: "up "
        case .down: "down "
        case .flat: "unchanged in "
        case .unknown: "change in "
        }
    }

    var wordsAfter: String {
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
