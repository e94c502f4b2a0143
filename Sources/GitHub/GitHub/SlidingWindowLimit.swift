import Foundation
import RoostSupport

struct SlidingWindowLimit {
    let maximum: Int
    let window: Duration
    private var attempts: [UserID: [ContinuousClock.Instant]] = [:]

    init(maximum: Int, within window: Duration) {
        self.maximum = maximum
        self.window = window
    }

    /// Records an attempt. Throws `RoostError.tooMany` with this message, and records nothing, if the user is over the
    /// limit.
    mutating func note(_ user: UserID, at now: ContinuousClock.Instant, message: String) throws {
        attempts = attempts.filter { $0.value.last.map { now - $0 < window } ?? false }
        let recent = (attempts[user] ?? []).filter { now - $0 < window }
        if recent.count >= maximum, let first = recent.first {
            let wait = window - (now - first)
            throw RoostError.tooMany(message, retryAfter: max(1, Int(wait.inSeconds.rounded(.up))))
        }
        attempts[user] = recent + [now]
    }
}
