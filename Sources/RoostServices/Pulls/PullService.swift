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
        var pulls: [GitHubAccountID: AccountPulls] = [:]
        /// Counts what changes a user's inbox: what was made before one is not kept after it.
        var changes: [UserID: Int] = [:]
        var made: [UserID: CachedInbox] = [:]
        /// The figures as they were last told.
        var lastPublished: [UserID: Int] = [:]
    }

    /// An inbox is made anew after this, in seconds, even if nothing changed: waits grow red.
    private static let lifetime: TimeInterval = 20
    /// Seconds between two looks for snoozes that have ended.
    private static let (minimumSleep, maximumSleep): (TimeInterval, TimeInterval) = (1, 60)

    let settings: InboxSettings
    let accounts: any PullAccounts
    let clock: WallClock
    let log: Logger
    let refresher: Refresher<PullJob>
    /// Fired when a snooze begins.
    let snoozed = AsyncSignal()
    private let feed: ChangeFeed
    private let state = Mutex(State())

    package init(
        accounts: any PullAccounts, store: PullStore, feed: ChangeFeed, clock: WallClock, log: Logger
    ) {
        self.accounts = accounts
        self.feed = feed
        self.clock = clock
        self.log = log
        settings = InboxSettings(store: store, log: log)
        refresher = PullRefreshSource.refresher(clock)
        accounts.listen { [weak self] _ in self?.accountsChanged() }
    }

    private var source: PullRefreshSource { PullRefreshSource(service: self) }

    /// Refreshes what is due until cancelled.
    package func run() async {
        takeAccounts()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.releaseInTime() }
            await refresher.run(source)
            group.cancelAll()
        }
    }

    /// Refreshes all accounts of a user now, whatever is due.
    package func refresh(_ user: UserID) async {
        takeAccounts()
        for account in accounts.accounts(of: user) where pulls(of: account.id)?.fetcher != nil {
            refresher.request(.pulls(account.id), .click)
            await refresher.perform(.pulls(account.id), source)
        }
    }

    /// Refreshes everything that is due by the clock, one after the other.
    package func refreshDue() async {
        takeAccounts()
        await release()
        await refresher.runUntilIdle(source)
    }

    /// From memory, without any wait.
    package func inbox(of user: UserID) -> Inbox {
        let (now, steady, shift) = (clock.now(), clock.steady(), clock.shift)
        let accounts = accounts.accounts(of: user)
        let (made, changes) = state.withLock { ($0.made[user], $0.changes[user] ?? 0) }
        if let made, made.accounts == accounts, made.shift == shift,
            steady.timeIntervalSince(made.at) < Self.lifetime,
            (settings.nextEnd ?? .distantFuture) > now
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
            accounts: accounts.map { snapshot($0) }, own: settings.sections(of: user),
            marks: settings.marks(of: user),
            choices: settings.choices(of: user), now: now)
    }

    /// An account that is new, or has been disconnected, has nothing to show.
    private func snapshot(_ account: GitHubAccount) -> AccountPulls.Snapshot {
        let pulls = pulls(of: account.id) ?? AccountPulls(account, clock: clock)
        return pulls.snapshot(as: account, status: refresher.status(of: .pulls(account.id)))
    }

    /// How many pull requests wait for the user.
    package func waiting(for user: UserID) -> Int { inbox(of: user).waiting }

    /// Somebody looks at the inbox: it is refreshed every minute for a while.
    package func want(_ user: UserID) {
        let accounts = accounts.accounts(of: user)
        if accounts.contains(where: { pulls(of: $0.id) == nil }) { takeAccounts() }
        for account in accounts where pulls(of: account.id)?.fetcher != nil {
            refresher.watch(.pulls(account.id), for: PullSchedule.demandLifetime)
        }
    }

    /// A reader's wish to try now; a wait that GitHub asked for is kept.
    package func retry(for user: UserID) -> Retry {
        let ids = accounts.accounts(of: user).map(\.id).filter { pulls(of: $0)?.fetcher != nil }
        if let earliest = ids.map(blockedUntil).min(), earliest > clock.now() {
            return .mustWait(until: earliest)
        }
        for id in ids { refreshSoon(id) }
        want(user)
        return .started
    }

    /// Until when GitHub asked to be left alone, a date; past for not at all.
    private func blockedUntil(_ id: GitHubAccountID) -> Date {
        let lastPublished = refresher.status(of: .pulls(id)).blockedUntil
        return clock.date(of: max(lastPublished, pulls(of: id)?.fetcher?.blockedUntil ?? .distantPast))
    }

    /// Somebody waits for it: it comes as soon as clicks may have it.
    func refreshSoon(_ id: GitHubAccountID) {
        guard let pulls = pulls(of: id), pulls.fetcher != nil else { return }
        refresher.request(.pulls(id), .click, notBefore: pulls.nextClickAt)
    }

    func pulls(of id: GitHubAccountID) -> AccountPulls? { state.withLock { $0.pulls[id] } }

    package func load() async throws { try await settings.load() }

    package func forget(_ user: UserID) {
        settings.forget(user)
        state.withLock { state in
            state.made[user] = nil
            state.lastPublished[user] = nil
            state.changes[user] = nil
        }
    }

    /// Accounts came, went or changed: takes it over, and tells those who look.
    package func accountsChanged() { takeAccounts() }

    private func takeAccounts() {
        // All under the lock: there is a job exactly where there is a fetcher, also when two callers come here at once.
        let changed = state.withLock { state in
            let present = accounts.all
            var changed: Set<UserID> = []
            let ids = Set(present.map(\.id))
            for (id, pulls) in state.pulls where !ids.contains(id) {
                changed.insert(pulls.account.userId)
                state.pulls[id] = nil
                refresher.forget { $0.account == id }
            }
            for account in present {
                if state.pulls[account.id] == nil {
                    state.pulls[account.id] = AccountPulls(account, clock: clock)
                    changed.insert(account.userId)
                }
                if let pulls = state.pulls[account.id], update(pulls, account) {
                    changed.insert(account.userId)
                }
            }
            return changed
        }
        for user in changed { publish(user) }
    }

    /// True when a reader sees a difference. Another token is asked at once, whatever became of the one before.
    private func update(_ pulls: AccountPulls, _ account: GitHubAccount) -> Bool {
        let change = pulls.update(account, client: accounts.client(of: account.id)) {
            PullFetcher($0, for: account, clock: clock, log: log)
        }
        if change.isOtherClient {
            refresher.forget { $0.account == account.id }
            if pulls.fetcher != nil { refresher.keep(.pulls(account.id), notBefore: pulls.nextClickAt) }
        }
        return change.isVisible
    }

    /// Takes marks away in time until cancelled.
    private func releaseInTime() async {
        while !Task.isCancelled {
            await release()
            let wait = settings.nextEnd?.timeIntervalSince(clock.now()) ?? Self.maximumSleep
            await snoozed.wait(atMost: .seconds(min(Self.maximumSleep, max(Self.minimumSleep, wait))))
        }
    }

    /// Takes the marks away that have done their duty, everybody's.
    private func release() async {
        let now = clock.now()
        guard let next = settings.nextEnd, next <= now else { return }
        for user in settings.users where await release(user) { publish(user) }
    }

    /// True when a pull request came back. A mark that the disk does not give up is tried again with the next refresh.
    @discardableResult
    func release(_ user: UserID) async -> Bool {
        let over = maker(for: user, accounts.accounts(of: user), at: clock.now()).over
        guard !over.isEmpty else { return false }
        do {
            try await settings.remove(over, of: user)
            return true
        } catch {
            return false
        }
    }

    /// Says that a user's inbox is another one, and his figure if it is.
    func publish(_ user: UserID) {
        state.withLock { state in
            state.changes[user, default: 0] += 1
            state.made[user] = nil
        }
        let figure = waiting(for: user)
        let isNews = state.withLock { state in
            defer { state.lastPublished[user] = figure }
            return state.lastPublished[user] != figure
        }
        if isNews {
            feed.publish(Topic.pulls(user), Topic.waiting(user))
        } else {
            feed.publish(Topic.pulls(user))
        }
    }
}
