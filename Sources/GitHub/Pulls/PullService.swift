import Foundation
package import Logging
package import RoostSupport
import Synchronization

/// Everybody's pull request inboxes: the pull requests from memory, refreshed in the background, and what their users did
/// with them from SQLite.
package final class PullService: Service {
    private struct CachedInbox {
        let inbox: Inbox
        /// By which it was arranged: it is good as long as SQLite holds the same.
        let settings: InboxSettings
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
        /// The figures that the last refreshes published; removed when anything else changes them.
        var lastPublished: [UserID: Int] = [:]
    }

    /// An inbox is made anew after this, in seconds, even if nothing changed: waits grow red.
    private static let lifetime: TimeInterval = 20
    /// Seconds between two looks for snoozes that have ended.
    private static let (minimumSleep, maximumSleep): (TimeInterval, TimeInterval) = (1, 60)

    let store: PullStore
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
        self.store = store
        self.feed = feed
        self.clock = clock
        self.log = log
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
    func refreshDue() async {
        takeAccounts()
        await release(at: clock.now())
        await refresher.runUntilIdle(source)
    }

    /// What the user has done with the inbox, in one read. Throws what the database throws.
    package func settings(of user: UserID) async throws -> InboxSettings {
        try await store.settings(of: user)
    }

    /// The pull requests as they are in memory, arranged by what SQLite holds of the user at this moment: GitHub is not
    /// waited for. Throws what the database throws.
    package func inbox(of user: UserID) async throws -> Inbox {
        let settings = try await settings(of: user)
        let (now, steady, shift) = (clock.now(), clock.steady(), clock.shift)
        let accounts = accounts.accounts(of: user)
        let (made, changes) = state.withLock { ($0.made[user], $0.changes[user] ?? 0) }
        if let made, made.settings == settings, made.accounts == accounts, made.shift == shift,
            steady.timeIntervalSince(made.at) < Self.lifetime,
            (settings.nextEnd ?? .distantFuture) > now
        {
            return refreshed(made.inbox, accounts, at: now)
        }
        let inbox = builder(settings, accounts, at: now).inbox()
        state.withLock { state in
            guard (state.changes[user] ?? 0) == changes else { return }
            state.made[user] = CachedInbox(
                inbox: inbox, settings: settings, accounts: accounts, at: steady, shift: shift)
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

    func builder(_ settings: InboxSettings, _ accounts: [GitHubAccount], at now: Date) -> InboxBuilder {
        InboxBuilder(accounts: accounts.map { snapshot($0) }, settings: settings, now: now)
    }

    /// An account that is new, or has been disconnected, has nothing to show.
    func snapshot(_ account: GitHubAccount) -> AccountPulls.Snapshot {
        let pulls = pulls(of: account.id) ?? AccountPulls(account, clock: clock)
        return pulls.snapshot(as: account, status: refresher.status(of: .pulls(account.id)))
    }

    /// How many pull requests wait for the user. Throws what the database throws.
    package func waiting(for user: UserID) async throws -> Int {
        // Most pages ask for nothing else: who has no account is not looked up for it.
        accounts.accounts(of: user).isEmpty ? 0 : try await inbox(of: user).waiting
    }

    /// How many waited at the last look, for a page that cannot wait for the disk; nil if there was no look since a change.
    package func lastWaiting(for user: UserID) -> Int? { state.withLock { $0.made[user]?.inbox.waiting } }

    /// Somebody looks at the inbox: it is refreshed every minute for a while.
    package func want(_ user: UserID) {
        let accounts = accounts.accounts(of: user)
        if accounts.contains(where: { pulls(of: $0.id) == nil }) { takeAccounts() }
        for account in accounts where pulls(of: account.id)?.fetcher != nil {
            refresher.watch(.pulls(account.id), for: PullSchedule.demandLifetime)
        }
    }

    /// A reader's wish to try now; a wait that GitHub asked for is kept.
    package func retry(for user: UserID) -> RetryOutcome {
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
        let ofRefresher = refresher.status(of: .pulls(id)).blockedUntil
        return clock.date(of: max(ofRefresher, pulls(of: id)?.fetcher?.blockedUntil ?? .distantPast))
    }

    /// Somebody waits for it: it comes as soon as clicks may have it.
    func refreshSoon(_ id: GitHubAccountID) {
        guard let pulls = pulls(of: id), pulls.fetcher != nil else { return }
        refresher.request(.pulls(id), .click, notBefore: pulls.nextClickAt)
    }

    func pulls(of id: GitHubAccountID) -> AccountPulls? { state.withLock { $0.pulls[id] } }

    package var userData: [UserData] {
        [
            .deleted(
                "Inbox settings, own sections, and what is snoozed, muted or done",
                from: ["pull_choices", "pull_sections", "pull_marks"])
        ]
    }

    package func forget(_ user: UserID) {
        state.withLock { state in
            state.made[user] = nil
            state.lastPublished[user] = nil
            state.changes[user] = nil
        }
    }

    /// Accounts came, went or changed: takes it over, and tells those who look.
    func accountsChanged() { takeAccounts() }

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
        for user in changed { publishChange(of: user) }
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
            let now = clock.now()
            await release(at: now)
            let next = try? await store.nextEnd(after: now)
            let wait = next?.timeIntervalSince(clock.now()) ?? Self.maximumSleep
            await snoozed.wait(atMost: .seconds(min(Self.maximumSleep, max(Self.minimumSleep, wait))))
        }
    }

    /// Takes the marks away that have done their duty, of everybody of whom a snooze has ended.
    private func release(at now: Date) async {
        do {
            for user in try await store.usersWithEndedSnoozes(at: now) where await release(user) {
                publishChange(of: user)
            }
        } catch {
            log.error("Snoozes that have ended could not be read", metadata: ["error": "\(error)"])
        }
    }

    /// Removes the marks that have done their duty, and lets the others follow their pull requests to new names.
    ///
    /// True when a pull request came back. A mark that the disk does not give up is tried again with the next refresh.
    @discardableResult
    func release(_ user: UserID) async -> Bool {
        do {
            let builder = self.builder(
                try await settings(of: user), accounts.accounts(of: user), at: clock.now())
            let (over, moves) = (builder.over, builder.moves)
            if !moves.isEmpty { try await store.move(moves, of: user) }
            guard !over.isEmpty else { return false }
            try await store.remove(over, of: user)
            return true
        } catch {
            log.error("The inbox could not be saved", metadata: ["error": "\(error)"])
            return false
        }
    }

    /// Says after a refresh that a user's inbox is another one, and his figure if it is, or if it cannot be read.
    func publishRefresh(of user: UserID) async {
        dropMade(of: user)
        let figure = try? await waiting(for: user)
        let isNews = state.withLock { state in
            defer { state.lastPublished[user] = figure }
            return figure == nil || state.lastPublished[user] != figure
        }
        if isNews {
            feed.publish(Topic.pulls(user), Topic.waiting(user))
        } else {
            feed.publish(Topic.pulls(user))
        }
    }

    /// Says that a user's inbox is another one, and that his figure may be.
    func publishChange(of user: UserID) {
        dropMade(of: user)
        state.withLock { $0.lastPublished[user] = nil }
        feed.publish(Topic.pulls(user), Topic.waiting(user))
    }

    private func dropMade(of user: UserID) {
        state.withLock { state in
            state.changes[user, default: 0] += 1
            state.made[user] = nil
        }
    }
}

extension Topic {
    /// The inbox; only those who look at it listen.
    package static func pulls(_ user: UserID) -> String { "pulls/\(user)" }
    /// How many pull requests wait: every page shows the figure.
    package static func waiting(_ user: UserID) -> String { "waiting/\(user)" }
}
