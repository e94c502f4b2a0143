import Foundation
import Logging
package import RoostSupport
import Synchronization

/// Asks GitHub about every bookmark daily: users in turn, each user's stalest bookmark first.
package final class BookmarkRefresher: Service, RefreshSource {
    /// The longest interval between two checks for due bookmarks, in case the clock is set.
    private static let maximumInterval = Duration.seconds(600)
    /// Seconds until a repository is requested again after an unusable response.
    private static let dueAfterRefusal: TimeInterval = 6 * 3_600
    /// Seconds during which another click has no effect.
    private static let refreshDebounce: TimeInterval = 5
    private static let maximumRetried = 100

    private let source: any BookmarkSource
    private let database: Database
    private let schedule: BookmarkRefreshSchedule
    private let accounts: any RepositoryAccounts
    private let clock: WallClock
    private let log: Logger
    /// Each user's last bookmark whose request failed, until a request succeeds.
    private let lastFailed = Mutex<[UserID: BookmarkID]>([:])

    init(
        source: any BookmarkSource, database: Database, schedule: BookmarkRefreshSchedule,
        accounts: any RepositoryAccounts, clock: WallClock, log: Logger
    ) {
        self.source = source
        self.database = database
        self.schedule = schedule
        self.accounts = accounts
        self.clock = clock
        self.log = log
    }

    package func load() async throws {
        for user in try await database.read({ try $0.usersWithBookmarks() }) { schedule.keep(user) }
    }

    package func run() async { await schedule.refresher.run(self) }

    /// Refreshes all due bookmarks. For tests.
    package func runUntilIdle() async { await schedule.refresher.runUntilIdle(self) }

    package func forget(_ user: UserID) {
        schedule.forget(user)
        lastFailed.withLock { $0[user] = nil }
    }

    /// Handles "Refresh": refreshes up to a hundred of the user's stalest bookmarks, one at a time and within the
    /// limits.
    package func retry(for user: UserID) async throws -> RetryOutcome {
        if let until = schedule.blockedUntil(user) { return .mustWait(until: until) }
        let now = clock.now()
        try await database.write { writes in
            try writes.makeBookmarksDue(
                of: user, checkedBefore: now - Self.refreshDebounce, maximum: Self.maximumRetried, now: now)
        }
        schedule.request(user, .click)
        return .started
    }

    package func refresh(_ user: UserID) async throws -> RefreshOutcome {
        schedule.begin(user)
        let now = clock.now()
        let (due, next) = try await database.read { reads in
            let due = try reads.stalestBookmark(of: user, at: now)
            return (due, due == nil ? try reads.nextBookmarkDue(of: user, after: now) : nil)
        }
        guard let due else {
            guard let next else { return .done }
            let wait = min(.seconds(next.timeIntervalSince(now)), Self.maximumInterval)
            return .again(after: wait, unwatched: wait)
        }
        try await ask(about: due)
        return .again(after: .zero, unwatched: .zero)
    }

    package func ended(_ user: UserID, _ failure: (any UpstreamFailure)?) {
        if let failure {
            let detail = (failure as? GitHubFailure)?.detail ?? "\(failure.error)"
            log.info("GitHub could not be asked about bookmarks", metadata: ["why": "\(detail)"])
        }
        schedule.end(user)
    }

    /// Throws if the failure also affects the user's other bookmarks.
    ///
    /// A bookmark whose request fails is postponed, since the cause may be this repository alone. If the next one fails
    /// too, or GitHub asks for a pause, the cause is GitHub.
    private func ask(about due: BookmarkRecord) async throws {
        do {
            try await lookUp(due)
            lastFailed.withLock { $0[due.user] = nil }
        } catch let failure as GitHubFailure where Self.affectsAll(failure) {
            throw failure
        } catch let error as CancellationError {
            throw error
        } catch {
            try await postpone(due)
            let last = lastFailed.withLock { $0.updateValue(due.id, forKey: due.user) }
            if last ?? due.id != due.id || Self.hasRetryAfter(error) { throw error }
        }
    }

    private static func hasRetryAfter(_ error: any Error) -> Bool {
        ((error as? GitHubFailure)?.retryAfter ?? 0) > 0
    }

    private static func affectsAll(_ failure: GitHubFailure) -> Bool {
        switch failure.error {
        case .networkUnavailable, .unauthorized, .keyRefused, .wrongKey, .unreadableToken, .rateLimited,
            .untrusted:
            true
        case .serverError, .timedOut, .interrupted, .forbidden, .singleSignOn, .legallyBlocked,
            .invalidResponse,
            .unknown:
            false
        }
    }

    private func lookUp(_ due: BookmarkRecord) async throws {
        let user = due.user
        guard let name = due.name else { return try await postpone(due) }
        do {
            switch try await source.refresh(name, for: user) {
            case .missing: try await update(due, with: nil)
            case .changed(let item): try await update(due, with: item)
            case .unchanged: try await update(due, with: source.item(named: name, for: user))
            }
        } catch RoostError.notFound {
            try await update(due, with: nil)
        } catch let failure as GitHubFailure where !Self.hasRetryAfter(failure) {
            switch failure.error {
            case .forbidden, .singleSignOn, .legallyBlocked, .invalidResponse, .unknown:
                try await postpone(due)
            default: throw failure
            }
        }
    }

    /// - Parameter item: nil if GitHub has no repository by this name
    private func update(_ due: BookmarkRecord, with item: RepositoryItem?) async throws {
        let (now, user) = (clock.now(), due.user)
        // Without an account, GitHub denies that private repositories exist.
        if item == nil, due.item?.repository.isPrivate == true, !accounts.isSignedIn(user) {
            return try await postpone(due)
        }
        try await database.write { [schedule] writes in
            // Skip a bookmark that was removed or renamed during the request.
            guard let record = try writes.bookmark(due.id, of: user), record.fullName == due.fullName else {
                return
            }
            let edits = BookmarkEdits(of: user, in: writes, schedule)
            // The name may belong to another repository by now, which must not inherit the bookmark.
            guard let item, record.repositoryID == nil || record.repositoryID == item.id else {
                var updated = record
                updated.markGone(now: now)
                return try edits.update(record, to: updated)
            }
            guard let merged = try edits.merge(item, by: record, isRequested: true, now: now).item else {
                return
            }
            // Saves other users' requests. A private repository is only updated for this user.
            try edits.updateOtherUsers(with: merged, before: record.item, now: now)
        }
    }

    private func postpone(_ due: BookmarkRecord) async throws {
        let later = clock.now() + Self.dueAfterRefusal
        try await database.write { [schedule] writes in
            guard let record = try writes.bookmark(due.id, of: due.user) else { return }
            var postponed = record
            postponed.dueAt = later
            try BookmarkEdits(of: due.user, in: writes, schedule).update(record, to: postponed)
        }
    }
}
