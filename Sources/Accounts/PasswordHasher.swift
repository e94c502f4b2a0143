import RoostSupport

/// What came out of comparing a typed password with a stored hash.
struct PasswordCheck: Equatable, Sendable {
    let isRight: Bool
    /// To be stored instead of the old hash, when that was made at a lower cost.
    let newHash: String?

    package init(isRight: Bool, newHash: String? = nil) {
        self.isRight = isRight
        self.newHash = newHash
    }
}

/// Makes and compares password hashes, one at a time, so that a flood of sign-ins takes nothing from the
/// pages.
final class PasswordHasher: Sendable {
    /// Nobody's password is longer (`PasswordRules.maximumLength` code points of at most four bytes), and
    /// normalising costs time.
    private static let maximumBytes = PasswordRules.maximumLength * 4

    private let cost: PasswordCost
    private let thread: SerialThread

    /// - Parameter waiting: How many wait for their turn at most.
    package init(cost: PasswordCost = .standard, waiting: Int = 64) {
        self.cost = cost
        thread = SerialThread(
            waiting: waiting,
            full: .unavailable("Too many people are signing in. Try again in a moment.", retryAfter: 1))
    }

    deinit { thread.stop() }

    /// How many wait for their turn.
    package var waiting: Int { thread.waiting }

    /// Throws `RoostError.unavailable` when too many wait already, and `CancellationError`.
    package func hash(_ password: String) async throws -> String {
        let cost = cost
        return try await thread.run { try Password.hash(password, cost: cost) }
    }

    /// Compares with a stored hash; without one (nobody of that name, nobody's password) it takes as long and
    /// is wrong.
    ///
    /// Throws `RoostError.unavailable` when too many wait already, and `CancellationError`.
    package func check(_ password: String, against stored: String?) async throws -> PasswordCheck {
        let cost = cost
        let isPossible = password.utf8.count <= Self.maximumBytes
        return try await thread.run {
            guard let stored, isPossible, Password.isHash(stored) else {
                _ = try Password.hash(isPossible ? password : "", cost: cost)
                return PasswordCheck(isRight: false, newHash: nil)
            }
            guard try Password.matches(password, hash: stored) else {
                return PasswordCheck(isRight: false, newHash: nil)
            }
            let isOld = Password.needsRehash(stored, cost: cost)
            return PasswordCheck(
                isRight: true, newHash: isOld ? try Password.hash(password, cost: cost) : nil)
        }
    }

    /// Refuses those who wait and whoever comes; the thread ends by itself.
    package func stop() { thread.stop() }
}
