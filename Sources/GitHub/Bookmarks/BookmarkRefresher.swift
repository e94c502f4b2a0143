import Foundation
import Logging
package import RoostSupport
import Synchronization

/// Asks GitHub daily about every bookmark: one user after the other, each user's stalest first.
package final class BookmarkRefresher: Service, RefreshSource {
    /// The longest time in seconds between two looks for due bookmarks: the machine's clock may have been set.
    private static let maximumInterval: TimeInterval = 600
    /// Seconds until a repository is asked for again of which GitHub gave no proper answer.
    private static let dueAfterRefusal: TimeInterval = 6 * 3_600
    /// Seconds in which a click does not ask again.
    private static let refreshDebounce: TimeInterval = 5
    /// How many bookmarks a click asks about.
    private static let maximumRetried = 100

    private let source: any BookmarkSource
    private let store: BookmarkStore
    private let writer: BookmarkWriter
    private let schedule: BookmarkRefreshSchedule
    private let hasAccount: @Sendable (UserID) -> Bool
    private let clock: WallClock
    private let log: Logger
    /// The bookmark of each user at which GitHub broke last, until one is answered.
    private let broken = Mutex<[UserID: BookmarkID]>([:])

    init(
        source: any BookmarkSource, store: BookmarkStore, writer: BookmarkWriter,
        schedule: BookmarkRefreshSchedule, hasAccount: @escaping @Sendable (UserID) -> Bool,
        clock: WallClock, log: Logger
    ) {
        self.source = source
        self.store = store
        self.writer = writer
        self.schedule = schedule
        self.hasAccount = hasAccount
        self.clock = clock
        self.log = log
    }

    package func load() async throws {
        for user in try await store.users() { schedule.keep(user) }
    }

    /// Asks about bookmarks that are due, until cancelled.
    package func run() async { await schedule.refresher.run(self) }

    /// Asks about all that are due by the clock, until none is: for tests.
    package func runUntilIdle() async { await schedule.refresher.runUntilIdle(self) }

    package func forget(_ user: UserID) {
        schedule.forget(user)
        broken.withLock { $0[user] = nil }
    }

    /// A click on "Refresh": asks about the user's bookmarks now, the stalest hundred at most, one at a time and within
    /// the limits as ever.
    package func retry(for user: UserID) async throws -> RetryOutcome {
        if let until = schedule.blockedUntil(user) { return .mustWait(until: until) }
        let now = clock.now()
        try await store.makeDue(
            of: user, checkedBefore: now - Self.refreshDebounce, maximum: Self.maximumRetried, now: now)
        schedule.request(user, .click)
        return .started
    }

    // MARK: RefreshSource

    /// Asks about the user's stalest due bookmark.
    package func refresh(_ user: UserID) async throws -> RefreshOutcome {
        schedule.begin(user)
        let now = clock.now()
        guard let due = try await store.stalest(of: user, at: now) else {
            guard let next = try await store.nextDue(of: user, after: now) else { return .done }
            let wait = min(next.timeIntervalSince(now), Self.maximumInterval)
            return .again(after: wait, unwatched: wait)
        }
        try await ask(about: due)
        // There may be more.
        return .again(after: 0, unwatched: 0)
    }

    package func ended(_ user: UserID, _ failure: (any UpstreamFailure)?) {
        if let failure {
            let detail = (failure as? GitHubFailure)?.detail ?? "\(failure.error)"
            log.info("GitHub could not be asked about bookmarks", metadata: ["why": "\(detail)"])
        }
        schedule.end(user)
    }

    /// Throws what keeps GitHub from being asked about the user's other bookmarks as well.
    ///
    /// One at which GitHub breaks is postponed, and the next is asked about: it may be this repository alone. Where that
    /// breaks too, or GitHub asks to be left alone, it is GitHub.
    private func ask(about due: BookmarkRecord) async throws {
        do {
            try await lookUp(due)
            broken.withLock { $0[due.user] = nil }
        } catch let failure as GitHubFailure where Self.concernsAll(failure) {
            throw failure
        } catch let error as CancellationError {
            throw error
        } catch {
            try await postpone(due)
            let last = broken.withLock { $0.updateValue(due.id, forKey: due.user) }
            if last ?? due.id != due.id || Self.asksToWait(error) { throw error }
        }
    }

    /// GitHub wants to be left alone, whatever it is asked next.
    private static func asksToWait(_ error: any Error) -> Bool {
        ((error as? GitHubFailure)?.retryAfter ?? 0) > 0
    }

    private static func concernsAll(_ failure: GitHubFailure) -> Bool {
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
            case .gone: try await update(due, with: nil)
            case .changed(let item): try await update(due, with: item)
            case .unchanged: try await update(due, with: source.item(named: name, for: user))
            }
        } catch RoostError.notFound {
            try await update(due, with: nil)
        } catch let failure as GitHubFailure where !Self.asksToWait(failure) {
            switch failure.error {
            case .forbidden, .singleSignOn, .legallyBlocked, .invalidResponse, .unknown:
                try await postpone(due)
            default: throw failure
            }
        }
    }

    /// - Parameter item: nil: GitHub has none by this name
    private func update(_ due: BookmarkRecord, with item: RepositoryItem?) async throws {
        let (now, user) = (clock.now(), due.user)
        // Without an account GitHub denies that what is private exists.
        if item == nil, due.item?.repository.isPrivate == true, !hasAccount(user) {
            return try await postpone(due)
        }
        _ = try await writer.change(of: user) { rows in
            // Removed or renamed while GitHub was asked: then it is no longer of this answer.
            guard let record = try rows.find(due.id), record.fullName == due.fullName else {
                return
            }
            // The name of a repository that is gone may be a stranger's by now: a bookmark never becomes his.
            guard let item, record.repositoryID == nil || record.repositoryID == item.id else {
                var lost = record
                lost.markGone(now: now)
                return try rows.update(record, to: lost)
            }
            guard let merged = try rows.merge(item, by: record, isAsked: true, now: now).item else { return }
            // Saves the others who bookmarked it a request; what is private stays this user's.
            try rows.notifyOthers(of: merged, before: record.item, now: now)
        }
    }

    private func postpone(_ due: BookmarkRecord) async throws {
        let later = clock.now() + Self.dueAfterRefusal
        _ = try await writer.change(of: due.user) { rows in
            guard let record = try rows.find(due.id) else { return }
            var postponed = record
            postponed.dueAt = later
            try rows.update(record, to: postponed)
        }
    }
}
