package import Foundation
package import Logging
import Synchronization

/// Everybody's pull request inboxes: from memory, refreshed in the background.
package final class PullService: Service {
    /// What became of a reader's wish to try now.
    package enum Retry: Equatable, Sendable {
        case started
        case mustWait(until: Date)
    }

    private struct CachedInbox {
        let inbox: Inbox
        let accounts: [GitHubAccount]
        /// By the steady clock.
        let at: Date
        /// Its dates are to be read by it.
        let shift: TimeInterval
    }

    private struct State {
        var feeds: [GitHubAccountID: PullRefresher] = [:]
        /// By the steady clock.
        var wantedUntil: [UserID: Date] = [:]
        /// Counts what changes a user's inbox: what was made before one is not kept after it.
        var changes: [UserID: Int] = [:]
        var made: [UserID: CachedInbox] = [:]
        /// The figures as they were last told.
        var told: [UserID: Int] = [:]
    }

    /// An inbox is made anew after this, in seconds, even if nothing changed: waits grow red.
    private static let lifetime: TimeInterval = 20

    let book: InboxSettings
    let accounts: any PullAccounts
    let clock: WallClock
    let signal = AsyncSignal()
    private let feed: ChangeFeed
    private let log: Logger
    private let state = Mutex(State())

    package init(
        accounts: any PullAccounts, store: PullStore, feed: ChangeFeed, clock: WallClock, log: Logger
    ) {
        self.accounts = accounts
        self.feed = feed
        self.clock = clock
        self.log = log
        book = InboxSettings(store: store, log: log)
    }

    /// From memory, without any wait.
    package func inbox(of user: UserID) -> Inbox {
        let (now, steady, shift) = (clock.now(), clock.steady(), clock.shift)
        let accounts = accounts.accounts(of: user)
        let (made, changes) = state.withLock { ($0.made[user], $0.changes[user] ?? 0) }
        if let made, made.accounts == accounts, made.shift == shift,
            steady.timeIntervalSince(made.at) < Self.lifetime,
            (book.nextEnd ?? .distantFuture) > now
        {
            return refreshed(made.inbox, accounts, at: now)
        }
        let inbox = maker(for: user, accounts, at: now).inbox()
        state.withLock { state in
            guard (state.changes[user] ?? 0) == changes else { return }
            state.made[user] = CachedInbox(inbox: inbox, accounts: accounts, at: steady, shift: shift)
        }
        return inbox
    }

    /// The sources say how they stand now; the rest is as it was made.
    private func refreshed(_ inbox: Inbox, _ accounts: [GitHubAccount], at now: Date) -> Inbox {
        var inbox = inbox
        inbox.sources = accounts.map { snapshot($0).source }
        inbox.now = now
        return inbox
    }

    func maker(for user: UserID, _ accounts: [GitHubAccount], at now: Date) -> InboxBuilder {
        InboxBuilder(
            accounts: accounts.map { snapshot($0) }, own: book.sections(of: user),
            marks: book.marks(of: user),
            choices: book.choices(of: user), now: now)
    }

    /// As the feed knows it; an account that is new, or has been disconnected, has nothing to show.
    private func snapshot(_ account: GitHubAccount) -> PullRefresher.Snapshot {
        let talk = accounts.talk(of: account.id)
        let known = state.withLock { $0.feeds[account.id] }
        let feed = known ?? PullRefresher(account, clock: clock, log: log)
        return feed.snapshot(as: account, isWatched: isWatched(account.userId), talk: talk)
    }

    /// How many pull requests wait for the user.
    package func waiting(for user: UserID) -> Int { inbox(of: user).waiting }

    /// Somebody looks at the inbox: it is refreshed every minute for a while.
    package func want(_ user: UserID) {
        let now = clock.steady()
        let wasIdle = state.withLock { state in
            let wasIdle = (state.wantedUntil[user] ?? .distantPast) < now
            state.wantedUntil[user] = now + PullSchedule.attention
            return wasIdle
        }
        if wasIdle { signal.fire() }
    }

    func isWatched(_ user: UserID) -> Bool {
        let now = clock.steady()
        return state.withLock { ($0.wantedUntil[user] ?? .distantPast) >= now }
    }

    /// A reader's wish to try now; a wait that GitHub asked for is kept.
    package func retry(for user: UserID) -> Retry {
        let now = clock.now()
        let feeds = accounts.accounts(of: user).compactMap { account in feedOf(account.id) }
        let waits = feeds.map { $0.blockedUntil(talk: accounts.talk(of: $0.id)) }
        if let earliest = waits.min(), earliest > now { return .mustWait(until: earliest) }
        for feed in feeds { feed.force(isClicked: true) }
        want(user)
        signal.fire()
        return .started
    }

    func feedOf(_ id: GitHubAccountID) -> PullRefresher? { state.withLock { $0.feeds[id] } }
    var feeds: [PullRefresher] { state.withLock { Array($0.feeds.values) } }

    package func load() async throws { try await book.load() }

    package func forget(_ user: UserID) {
        book.forget(user)
        state.withLock { state in
            state.wantedUntil[user] = nil
            state.made[user] = nil
            state.told[user] = nil
            state.changes[user] = nil
        }
        signal.fire()
    }

    /// Accounts came, went or changed: takes it over, and tells those who look.
    package func accountsChanged() {
        takeAccounts()
        signal.fire()
    }

    /// Has as many feeds as there are accounts.
    func takeAccounts() {
        let present = accounts.all
        var changed: Set<UserID> = []
        state.withLock { state in
            let ids = Set(present.map(\.id))
            for (id, feed) in state.feeds where !ids.contains(id) {
                changed.insert(feed.account.userId)
                state.feeds[id] = nil
            }
            for account in present where state.feeds[account.id] == nil {
                state.feeds[account.id] = PullRefresher(account, clock: clock, log: log)
                changed.insert(account.userId)
            }
        }
        for account in present {
            let talk = accounts.talk(of: account.id)
            if feedOf(account.id)?.update(account, talk: talk) == true { changed.insert(account.userId) }
        }
        for user in changed { tell(user) }
    }

    /// Says that a user's inbox is another one, and his figure if it is.
    func tell(_ user: UserID) {
        state.withLock { state in
            state.changes[user, default: 0] += 1
            state.made[user] = nil
        }
        let figure = waiting(for: user)
        let isNews = state.withLock { state in
            defer { state.told[user] = figure }
            return state.told[user] != figure
        }
        if isNews {
            feed.publish(Topic.pulls(user), Topic.waiting(user))
        } else {
            feed.publish(Topic.pulls(user))
        }
    }
}
