import Foundation
import RoostSupport
import Synchronization

/// The users with bookmarks that GitHub is asked about: a job each, one question at a time over all users.
final class BookmarkRefreshSchedule: Sendable {
    /// As long as GitHub asks for, a day at most.
    private static let backoff = Backoff(
        initial: 60, maximum: 3_600, minimumAfterLimit: 60, maximumRequested: 86_400)

    let refresher: Refresher<UserID>
    private let clock: WallClock
    /// Users whose bookmarks became due since their job last looked.
    private let changed = Mutex<Set<UserID>>([])

    /// - Parameter minimumInterval: seconds between two questions
    init(clock: WallClock, minimumInterval: TimeInterval) {
        self.clock = clock
        refresher = Refresher(clock: clock, backoff: Self.backoff, minimumInterval: minimumInterval) {
            _, running in running.isEmpty
        }
    }

    /// Keeps a user's bookmarks refreshed from now on.
    func keep(_ user: UserID) { refresher.keep(user) }

    /// Has a user's bookmarks looked at now: one may be due.
    func request(_ user: UserID, _ priority: Refresher<UserID>.Priority = .background) {
        // A job that is under way may have looked before: it is requested again at its end.
        changed.withLock { _ = $0.insert(user) }
        refresher.keep(user)
        refresher.request(user, priority)
    }

    /// Notes that a user's job looks at his bookmarks now.
    func begin(_ user: UserID) { changed.withLock { _ = $0.remove(user) } }

    /// Requests a user's job again if his bookmarks changed after it looked.
    func end(_ user: UserID) {
        guard changed.withLock({ $0.contains(user) }) else { return }
        refresher.keep(user)
        refresher.request(user)
    }

    /// Until when GitHub asked not to be asked for this user; nil: it did not.
    func blockedUntil(_ user: UserID) -> Date? {
        let until = refresher.status(of: user).blockedUntil
        return until > clock.steady() ? clock.date(of: until) : nil
    }

    func forget(_ user: UserID) {
        refresher.forget(user)
        begin(user)
    }
}
