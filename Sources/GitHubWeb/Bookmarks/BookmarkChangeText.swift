import GitHub
import RoostWeb

enum BookmarkChangeText {
    /// Returns for example "+1,204 stars", "archived" or "renamed from a/b".
    static func text(_ change: BookmarkChange) -> String {
        switch change {
        case .stars(let number):
            let sign = number > 0 ? "+" : ""
            return "\(sign)\(NumberText.grouped(number)) \(number.magnitude == 1 ? "star" : "stars")"
        case .archived: return "archived"
        case .unarchived: return "no longer archived"
        case .renamed(let from): return "renamed from \(from)"
        case .gone: return "no longer on GitHub"
        case .back: return "on GitHub again"
        case .madePrivate: return "made private"
        }
    }

    /// Losses are marked in text as well as by colour.
    static func isLoss(_ change: BookmarkChange) -> Bool {
        switch change {
        case .archived, .gone, .madePrivate: true
        case .stars, .unarchived, .renamed, .back: false
        }
    }
}
