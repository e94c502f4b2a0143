import Foundation
import Synchronization

/// Which users' bookmarks are not to be asked about for a while: GitHub has asked for patience, or does not
/// answer. Its times are the steady clock's.
final class UserBackoff: Sendable {
    private struct Rest {
        let until: Date
        let failures: Int
    }

    private static let backoff = Backoff(initial: 60, maximum: 3_600, minimumAfterLimit: 60)

    private let rests = Mutex<[UserID: Rest]>([:])
    /// Who has had his turn in this round.
    private let served = Mutex<Set<UserID>>([])

    /// One user after the other: twenty thousand names that somebody imports do not keep the others waiting.
    var alreadyServed: [UserID] { served.withLock { $0.sorted() } }
    func serve(_ user: UserID) { _ = served.withLock { $0.insert(user) } }
    func beginRound() { served.withLock { $0.removeAll() } }

    func resting(at now: Date) -> [UserID] {
        rests.withLock { $0.filter { $1.until > now }.map(\.key).sorted() }
    }

    /// Until when this user's rest; nil: they do not.
    func end(of user: UserID, after now: Date) -> Date? {
        rests.withLock { $0[user].flatMap { $0.until > now ? $0.until : nil } }
    }

    /// The next end of one; nil: nobody rests.
    func nextEnd(after now: Date) -> Date? {
        rests.withLock { $0.values.map(\.until).filter { $0 > now }.min() }
    }

    /// As long as GitHub asks for, a day at most, and twice as long with every failure in a row.
    func fail(_ user: UserID, _ failure: GitHubFailure, at now: Date) {
        rests.withLock { rests in
            let failures = (rests[user]?.failures ?? 0) + 1
            let wait = Self.backoff.delay(failures: failures, failure: failure, jitter: 1, at: now)
            rests[user] = Rest(until: now + min(wait, 86_400), failures: failures)
        }
    }

    func succeed(_ user: UserID) { rests.withLock { $0[user] = nil } }
    func forget(_ user: UserID) { rests.withLock { $0[user] = nil } }
}
