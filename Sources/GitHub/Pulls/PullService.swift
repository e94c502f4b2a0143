import Foundation
package import Logging
package import RoostSupport
import Synchronization

/// All users' pull request inboxes. Pull requests are in memory and refreshed in the background; users' settings are in
/// SQLite.
package final class PullService: Service {
    private struct CachedInbox {
        let inbox: Inbox
        /// The cached inbox is valid while SQLite has the same settings.
        let settings: InboxSettings
        let accounts: [GitHubAccount]
    }

    private struct State {
        var pulls: [GitHubAccountID: AccountPulls] = [:]
        /// Counts changes of a user's inbox, so that an inbox built before a change is not cached after it.
        var changes: [UserID: Int] = [:]
        var cached: [UserID: CachedInbox] = [:]
        /// The counts published by the last refreshes; removed by any other change.
        var lastPublished: [UserID: Int] = [:]
    }

    /// Seconds between two checks for snoozes that have ended.
    private static let (minimumSleep, maximumSleep): (TimeInterval, TimeInterval) = (1, 60)

    let database: Database
    let accounts: any PullAccounts
    let clock: WallClock
    let log: Logger
    let refresher: Refresher<PullJob>
    let detailsRefresh: PullDetailsRefresh
    let snoozed = AsyncSignal()
    let feed: ChangeFeed
    private let state = Mutex(State())

    package init(
        accounts: any PullAccounts, database: Database, feed: ChangeFeed, clock: WallClock, log: Logger
    ) {
        self.accounts = accounts
        self.database = database
        self.feed = feed
        self.clock = clock
        self.log = log
        refresher = PullRefreshSource.refresher(clock)
        detailsRefresh = PullDetailsRefresh(clock: clock, log: log)
        accounts.listen { [weak self] _ in self?.accountsChanged() }
    }

    private var source: PullRefreshSource { PullRefreshSource(service: self) }

    package func run() async {
        updateAccounts()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.releaseInTime() }
            group.addTask { await self.detailsRefresh.refresher.run(PullDetailsSource(service: self)) }
            await refresher.run(source)
            group.cancelAll()
        }
    }

    package func refresh(_ user: UserID) async {
        updateAccounts()
        for account in accounts.accounts(of: user) where pulls(of: account.id)?.fetcher != nil {
            refresher.request(.pulls(account.id), .click)
            await refresher.perform(.pulls(account.id), source)
        }
    }

    func refreshDue() async {
        updateAccounts()
        await release(at: clock.now())
        await refresher.runUntilIdle(source)
        await detailsRefresh.refresher.runUntilIdle(PullDetailsSource(service: self))
    }

    package func settings(_ reads: Reads, of user: UserID) throws -> InboxSettings {
        try reads.inboxSettings(of: user)
    }

    package func settings(of user: UserID) async throws -> InboxSettings {
        try await database.read { try settings($0, of: user) }
    }

    /// Returns the loaded pull requests, arranged by the user's current settings. Does not wait for GitHub.
    package func inbox(_ reads: Reads, of user: UserID) throws -> Inbox {
        let (accounts, now) = (accounts.accounts(of: user), clock.now())
        var inbox = try arranged(reads, accounts, of: user, at: now)
        inbox.sources = accounts.map { snapshot($0).source }
        inbox.now = now
        return inbox
    }

    package func inbox(of user: UserID) async throws -> Inbox {
        try await database.read { try inbox($0, of: user) }
    }

    /// Returns the inbox as of its last change: the state and time of its sources may be older.
    private func arranged(
        _ reads: Reads, _ accounts: [GitHubAccount], of user: UserID, at now: Date
    ) throws -> Inbox {
        let settings = try settings(reads, of: user)
        let (cached, changes) = state.withLock { ($0.cached[user], $0.changes[user] ?? 0) }
        // Snoozes end at a time of the clock, which may have been set back.
        if let cached, cached.settings == settings, cached.accounts == accounts, cached.inbox.now <= now,
            (settings.nextEnd ?? .distantFuture) > now
        {
            return cached.inbox
        }
        let inbox = builder(settings, accounts, at: now).inbox()
        state.withLock { state in
            guard (state.changes[user] ?? 0) == changes else { return }
            state.cached[user] = CachedInbox(inbox: inbox, settings: settings, accounts: accounts)
        }
        return inbox
    }

    func builder(_ settings: InboxSettings, _ accounts: [GitHubAccount], at now: Date) -> InboxBuilder {
        InboxBuilder(accounts: accounts.map { snapshot($0) }, settings: settings, now: now)
    }

    func snapshot(_ account: GitHubAccount) -> AccountPulls.Snapshot {
        let pulls = pulls(of: account.id) ?? AccountPulls(account, clock: clock)
        return pulls.snapshot(as: account, status: refresher.status(of: .pulls(account.id)))
    }

    /// The number of pull requests that wait for the user.
    package func waiting(_ reads: Reads, for user: UserID) throws -> Int {
        let accounts = accounts.accounts(of: user)
        // Every page needs this count: skip the read for users without an account.
        guard !accounts.isEmpty else { return 0 }
        return try arranged(reads, accounts, of: user, at: clock.now()).waiting
    }

    package func waiting(for user: UserID) async throws -> Int {
        try await database.read { try waiting($0, for: user) }
    }

    /// The last count, for a page that cannot wait for SQLite. Nil if there was a change since.
    package func lastWaiting(for user: UserID) -> Int? { state.withLock { $0.cached[user]?.inbox.waiting } }

    /// Refreshes the inbox every minute for a while, because the user is watching it.
    package func watch(_ user: UserID) {
        let accounts = accounts.accounts(of: user)
        if accounts.contains(where: { pulls(of: $0.id) == nil }) { updateAccounts() }
        for account in accounts where pulls(of: account.id)?.fetcher != nil {
            refresher.watch(.pulls(account.id), for: PullSchedule.demandLifetime)
        }
    }

    /// Retries now, unless GitHub asked for a pause.
    package func retry(for user: UserID) -> RetryOutcome {
        let ids = accounts.accounts(of: user).map(\.id).filter { pulls(of: $0)?.fetcher != nil }
        if let earliest = ids.map(blockedUntil).min(), earliest > clock.now() {
            return .mustWait(until: earliest)
        }
        for id in ids { refreshSoon(id) }
        watch(user)
        return .started
    }

    /// When the pause that GitHub asked for ends. A date in the past means no pause.
    private func blockedUntil(_ id: GitHubAccountID) -> Date {
        let ofRefresher = refresher.status(of: .pulls(id)).blockedUntil
        return clock.date(of: max(ofRefresher, pulls(of: id)?.fetcher?.blockedUntil ?? .distantPast))
    }

    func refreshSoon(_ id: GitHubAccountID) {
        guard let pulls = pulls(of: id), pulls.fetcher != nil else { return }
        refresher.request(.pulls(id), .click, notBefore: pulls.nextClickAt)
    }

    func pulls(of id: GitHubAccountID) -> AccountPulls? { state.withLock { $0.pulls[id] } }

    package var userData: [UserData] {
        [
            .deleted(
                "Inbox sections, and snoozed, muted and done pull requests",
                from: ["pull_sections", "pull_marks"]),
            .deleted("The last state of pull requests that were opened", from: ["pull_details"]),
            .deleted(
                "Viewed files of pull requests, and when each pull request was last opened",
                from: ["pull_viewed_files", "pull_looks"]),
        ]
    }

    package func forget(_ user: UserID) {
        state.withLock { state in
            state.cached[user] = nil
            state.lastPublished[user] = nil
            state.changes[user] = nil
        }
    }

    func accountsChanged() { updateAccounts() }

    private func updateAccounts() {
        // All under one lock, so that jobs and fetchers match even if two callers run at once.
        let changed = state.withLock { state in
            let present = accounts.all
            var changed: Set<UserID> = []
            let ids = Set(present.map(\.id))
            for (id, pulls) in state.pulls where !ids.contains(id) {
                changed.insert(pulls.account.userId)
                state.pulls[id] = nil
                refresher.forget { $0.account == id }
                detailsRefresh.forget(id)
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
        for user in changed {
            publishChange(of: user)
            feed.publish(Topic.pullDetails(user))
        }
    }

    /// Returns true if users see a difference. A new token is used at once, regardless of earlier failures.
    private func update(_ pulls: AccountPulls, _ account: GitHubAccount) -> Bool {
        let change = pulls.update(account, client: accounts.client(of: account.id)) {
            PullFetcher($0, for: account, clock: clock, log: log)
        }
        if change.isOtherClient {
            refresher.forget { $0.account == account.id }
            detailsRefresh.forget(account.id)
            if pulls.fetcher != nil { refresher.keep(.pulls(account.id), notBefore: pulls.nextClickAt) }
        }
        return change.isVisible
    }

    private func releaseInTime() async {
        while !Task.isCancelled {
            let now = clock.now()
            await release(at: now)
            let next = try? await database.read { try $0.nextSnoozeEnd(after: now) }
            let wait = next?.timeIntervalSince(clock.now()) ?? Self.maximumSleep
            await snoozed.wait(atMost: .seconds(min(Self.maximumSleep, max(Self.minimumSleep, wait))))
        }
    }

    private func release(at now: Date) async {
        do {
            let users = try await database.read { try $0.usersWithEndedSnoozes(at: now) }
            for user in users where await release(user) {
                publishChange(of: user)
                await queueWebhooks(of: user)
            }
        } catch {
            log.databaseFailure("Ended snoozes could not be read", error)
        }
    }

    /// Removes ended marks, and updates the names of the others.
    ///
    /// Returns true if a pull request is shown again. A mark that cannot be removed is tried again with the next
    /// refresh.
    @discardableResult
    func release(_ user: UserID) async -> Bool {
        do {
            let builder = self.builder(
                try await settings(of: user), accounts.accounts(of: user), at: clock.now())
            let (endedMarks, moves) = (builder.endedMarks, builder.moves)
            guard !moves.isEmpty || !endedMarks.isEmpty else { return false }
            try await database.write { writes in
                try writes.movePullMarks(moves, of: user)
                try writes.removePullMarks(endedMarks, of: user)
            }
            return !endedMarks.isEmpty
        } catch {
            log.databaseFailure("The inbox could not be saved", error)
            return false
        }
    }

    /// Publishes a refresh of a user's inbox, and its count if that has changed or cannot be read.
    func publishRefresh(of user: UserID) async {
        removeCached(of: user)
        let count = try? await waiting(for: user)
        let isNews = state.withLock { state in
            defer { state.lastPublished[user] = count }
            return count == nil || state.lastPublished[user] != count
        }
        if isNews {
            feed.publish(Topic.pulls(user), Topic.waiting(user), Topic.allPulls)
        } else {
            feed.publish(Topic.pulls(user), Topic.allPulls)
        }
    }

    /// Publishes a change of a user's inbox and of its count.
    private func publishChange(of user: UserID) {
        noteChange(of: user)
        feed.publish(Topic.pulls(user), Topic.waiting(user), Topic.allPulls)
    }

    /// As above, once the change is committed.
    func publishChange(of user: UserID, in writes: Writes) {
        writes.afterCommit { [self] in noteChange(of: user) }
        writes.publish(Topic.pulls(user), Topic.waiting(user), Topic.allPulls)
    }

    private func noteChange(of user: UserID) {
        removeCached(of: user)
        state.withLock { $0.lastPublished[user] = nil }
    }

    private func removeCached(of user: UserID) {
        state.withLock { state in
            state.changes[user, default: 0] += 1
            state.cached[user] = nil
        }
    }
}

extension Topic {
    /// Changes of the inbox, for pages that show it.
    package static func pulls(_ user: UserID) -> String { "pulls/\(user)" }
    /// Changes of the number of waiting pull requests, for all pages.
    package static func waiting(_ user: UserID) -> String { "waiting/\(user)" }
}
