import RoostSupport

struct PasswordCheck: Equatable, Sendable {
    let isCorrect: Bool
    /// The hash to store instead of the old one, if that had a lower cost.
    var newHash: String?
}

/// Computes and compares password hashes one at a time, on its own thread, so that a flood of sign-ins does not slow
/// the pages.
final class PasswordHasher: Sendable {
    /// No valid password is longer (`PasswordRules.maximumLength` code points of at most four bytes), and normalising
    /// longer ones costs time.
    private static let maximumBytes = PasswordRules.maximumLength * 4

    private let cost: PasswordCost
    private let thread: SerialThread

    package init(cost: PasswordCost = .standard, waiting: Int = 64) {
        self.cost = cost
        thread = SerialThread(
            waiting: waiting,
            full: .unavailable("Too many people are signing in. Try again in a moment.", retryAfter: 1))
    }

    deinit { thread.stop() }

    package var waiting: Int { thread.waiting }

    /// Throws `RoostError.unavailable` if the queue is full, and `CancellationError`.
    package func hash(_ password: String) async throws -> String {
        let cost = cost
        return try await thread.run { try Password.hash(password, cost: cost) }
    }

    /// Compares a password with a stored hash. Without one (unknown user, or no password set) it takes as long and the
    /// result is wrong. Throws `RoostError.unavailable` if the queue is full, and `CancellationError`.
    package func check(_ password: String, against stored: String?) async throws -> PasswordCheck {
        let cost = cost
        let isPossible = password.utf8.count <= Self.maximumBytes
        return try await thread.run {
            guard let stored, isPossible, Password.isHash(stored) else {
                _ = try Password.hash(isPossible ? password : "", cost: cost)
                return PasswordCheck(isCorrect: false, newHash: nil)
            }
            guard try Password.matches(password, hash: stored) else {
                return PasswordCheck(isCorrect: false, newHash: nil)
            }
            let isOld = Password.needsRehash(stored, cost: cost)
            return PasswordCheck(
                isCorrect: true, newHash: isOld ? try Password.hash(password, cost: cost) : nil)
        }
    }

    /// Rejects queued and new requests; the thread then exits.
    package func stop() { thread.stop() }
}
