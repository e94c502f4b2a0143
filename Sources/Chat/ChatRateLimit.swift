import Foundation
import RoostSupport

/// How much each sender may still send: a burst at once, and then so many a second.
struct ChatRateLimit {
    let burst: Int
    /// Each second.
    let rate: Int
    private var senders: [ChatSender: (left: Double, at: Date)] = [:]

    init(burst: Int, rate: Int) {
        self.burst = burst
        self.rate = rate
    }

    /// Throws `RoostError.tooMany` when there is nothing left.
    ///
    /// - Parameter now: by the steady clock
    mutating func take(_ sender: ChatSender, at now: Date) throws {
        if senders.count > 10_000 { senders = senders.filter { left($0.value, now) < Double(burst) } }
        let rest = senders[sender].map { left($0, now) } ?? Double(burst)
        guard rest >= 1 else {
            throw RoostError.tooMany(
                "You are sending too fast. Wait a moment.",
                retryAfter: max(1, Int(((1 - rest) / Double(max(rate, 1))).rounded(.up))))
        }
        senders[sender] = (rest - 1, now)
    }

    /// What has turned out to be a repetition costs nothing.
    mutating func giveBack(_ sender: ChatSender) { senders[sender]?.left += 1 }

    mutating func forget(_ sender: ChatSender) { senders[sender] = nil }

    private func left(_ state: (left: Double, at: Date), _ now: Date) -> Double {
        min(Double(burst), state.left + max(0, now.timeIntervalSince(state.at)) * Double(rate))
    }
}
