import Foundation
import RoostSupport

/// Limits how much each sender may send: a burst, then a steady rate.
struct ChatRateLimit {
    var burst: Int
    /// Messages per second.
    var rate: Int
    private var senders: [ChatSender: (left: Double, at: ContinuousClock.Instant)] = [:]

    init(burst: Int, rate: Int) {
        self.burst = burst
        self.rate = rate
    }

    /// Throws `RoostError.tooMany` if nothing is left.
    mutating func consume(_ sender: ChatSender, at now: ContinuousClock.Instant) throws {
        if senders.count > 10_000 { senders = senders.filter { left($0.value, now) < Double(burst) } }
        let remaining = senders[sender].map { left($0, now) } ?? Double(burst)
        guard remaining >= 1 else {
            throw RoostError.tooMany(
                "You are sending too fast. Wait a moment.",
                retryAfter: max(1, Int(((1 - remaining) / Double(max(rate, 1))).rounded(.up))))
        }
        senders[sender] = (remaining - 1, now)
    }

    mutating func refund(_ sender: ChatSender) { senders[sender]?.left += 1 }

    mutating func forget(_ sender: ChatSender) { senders[sender] = nil }

    private func left(
        _ state: (left: Double, at: ContinuousClock.Instant), _ now: ContinuousClock.Instant
    ) -> Double {
        min(Double(burst), state.left + max(0, (now - state.at).inSeconds) * Double(rate))
    }
}
