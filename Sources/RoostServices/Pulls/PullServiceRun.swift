import Foundation

extension PullService {
    /// The longest sleep, in seconds: accounts may change without a word.
    private static let nap: TimeInterval = 1

    /// Refreshes what is due until cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                takeAccounts()
                await release()
                for feed in due() where feed.begin() {
                    group.addTask { await self.step(feed) }
                }
                await signal.wait(atMost: .seconds(sleep))
            }
            group.cancelAll()
        }
    }

    /// Refreshes all accounts of a user now, whatever is due.
    package func refresh(_ user: UserID) async {
        takeAccounts()
        for account in accounts.accounts(of: user) {
            guard let feed = feedOf(account.id) else { continue }
            feed.force(isClicked: true)
            if feed.begin() { await step(feed) }
        }
    }

    /// Steps everything that is due by the clock, one after the other.
    package func refreshDue() async {
        takeAccounts()
        await release()
        for feed in due() where feed.begin() { await step(feed) }
    }

    private func due() -> [PullRefresher] {
        let now = clock.steady()
        return feeds.filter { (dueAt($0) ?? .distantFuture) <= now }
    }

    private func dueAt(_ feed: PullRefresher) -> Date? {
        feed.dueAt(isWatched: isWatched(feed.account.userId), talk: accounts.talk(of: feed.id))
    }

    private var sleep: TimeInterval {
        let refresh = feeds.compactMap { dueAt($0) }.min()?.timeIntervalSince(clock.steady())
        let snooze = book.nextEnd?.timeIntervalSince(clock.now())
        return min(Self.nap, max(0.01, min(refresh ?? Self.nap, snooze ?? Self.nap)))
    }

    private func step(_ feed: PullRefresher) async {
        let user = feed.account.userId
        guard let talk = accounts.talk(of: feed.id) else { return feed.end() }
        if feed.isTroubled { tell(user) }
        await feed.step(own: book.sections(of: user), isWatched: isWatched(user), talk: talk)
        guard !Task.isCancelled else { return }
        await release(user)
        // Disconnected meanwhile: there is nobody to tell of it.
        if feedOf(feed.id) === feed { tell(user) }
    }

    /// Takes the marks away that have done their duty, everybody's.
    private func release() async {
        let now = clock.now()
        guard let next = book.nextEnd, next <= now else { return }
        for user in book.users where await release(user) { tell(user) }
    }

    /// True when a pull request came back. A mark that the disk does not give up is tried again with the next refresh.
    @discardableResult
    private func release(_ user: UserID) async -> Bool {
        let over = maker(for: user, accounts.accounts(of: user), at: clock.now()).over
        guard !over.isEmpty else { return false }
        do {
            try await book.remove(over, of: user)
            return true
        } catch {
            return false
        }
    }
}
