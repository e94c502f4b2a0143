import Foundation
import RoostSupport

/// Counts what users do within a sliding window, so that nobody does it without end.
struct SlidingWindowLimit {
    /// A user's within the window.
    let maximum: Int
    /// In seconds.
    let window: TimeInterval
    private var tries: [UserID: [Date]] = [:]

    init(maximum: Int, within window: TimeInterval) {
        self.maximum = maximum
        self.window = window
    }

    /// Throws `RoostError.tooMany` with these words, and counts nothing, once there are too many.
    mutating func note(_ user: UserID, at now: Date, orSay words: String) throws {
        tries = tries.filter { $0.value.last.map { now.timeIntervalSince($0) < window } ?? false }
        let recent = (tries[user] ?? []).filter { now.timeIntervalSince($0) < window }
        if recent.count >= maximum, let first = recent.first {
            let wait = min(window - now.timeIntervalSince(first), window)
            throw RoostError.tooMany(words, retryAfter: max(1, Int(wait.rounded(.up))))
        }
        tries[user] = recent + [now]
    }
}
