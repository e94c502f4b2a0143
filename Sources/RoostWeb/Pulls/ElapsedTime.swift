import Foundation
import TextFormats

/// How long something has waited, short enough for a column. `Public/js/pulls.js` says the same: change both.
enum ElapsedTime {
    /// "now", "12 min", "5 h", "3 d".
    static func short(since date: Date, now: Date) -> String {
        let seconds = Int(now.timeIntervalSince(CivilDate.bounded(date)).rounded(.down))
        switch seconds {
        case ..<60: return "now"
        case ..<3_600: return "\(seconds / 60) min"
        case ..<86_400: return "\(seconds / 3_600) h"
        default: return "\(seconds / 86_400) d"
        }
    }

    /// When the words for `date` (these, and those of `RelativeTime.ago`) will be others; nil if never.
    static func change(of date: Date, now: Date) -> Date {
        let seconds = now.timeIntervalSince(date).rounded(.down)
        let step: Double =
            switch seconds {
            case ..<0: -seconds + 1
            case ..<60: 1
            case ..<3_600: 60
            case ..<86_400: 3_600
            default: 86_400
            }
        return date + ((seconds / step).rounded(.down) + 1) * step
    }
}
