import Foundation
import RoostSupport
import Synchronization

/// Schedules the users whose bookmarks are refreshed: one job per user, and one request at a time for all users.
final class BookmarkRefreshSchedule: Sendable {
    /// As long as GitHub asks for, at most a day.
    private static let backoff = Backoff(
        initial: .seconds(60), maximum: .seconds(3_600), minimumAfterLimit: .seconds(60),
        maximumRequested: .seconds(86_400))

    let refresher: Refresher<UserID>
    private let clock: WallClock
    /// Users whose bookmarks have become due since their job last checked.
    private let changed = Mutex<Set<UserID>>([])

    /// - Parameter minimumInterval: between two requests
    init(clock: WallClock, minimumInterval: Duration) {
        self.clock = clock
        refresher = Refresher(clock: clock, backoff: Self.backoff, minimumInterval: minimumInterval) {
            _, running in running.isEmpty
        }
    }

    func keep(_ user: UserID) { refresher.keep(user) }

    func request(_ user: UserID, _ priority: Refresher<UserID>.Priority = .background) {
        // A running job may have checked already; `end` then requests it again.
        changed.withLock { _ = $0.insert(user) }
        refresher.keep(user)
        refresher.request(user, priority)
    }

    /// Called when a user's job checks their bookmarks.
    func begin(_ user: UserID) { changed.withLock { _ = $0.remove(user) } }

    /// Requests the job again if bookmarks became due after its check.
    func end(_ user: UserID) {
        guard changed.withLock({ $0.contains(user) }) else { return }
        refresher.keep(user)
        refresher.request(user)
    }

    /// When the pause that GitHub asked for ends, or nil.
    func blockedUntil(_ user: UserID) -> Date? {
        let until = refresher.status(of: user).blockedUntil
        return until > clock.steady() ? clock.date(of: until) : nil
    }

    func forget(_ user: UserID) {
        refresher.forget(user)
        begin(user)
    }
}
