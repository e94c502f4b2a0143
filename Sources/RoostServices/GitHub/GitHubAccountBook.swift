import Foundation
import Synchronization

/// Everybody's GitHub accounts in memory, with who speaks for them and when each is looked after next.
final class GitHubAccountBook: Sendable {
    struct Entry: Sendable {
        var account: GitHubAccount
        /// Nil while there is no token.
        var session: GitHubSession?
        var failures = 0
        /// When GitHub is asked next for the user or the teams, by the steady clock.
        var nextLook = Date.distantPast
        var isLooking = false
    }

    private struct State {
        var entries: [GitHubAccountID: Entry] = [:]
        var listeners: [@Sendable (UserID) -> Void] = []
    }

    private let feed: ChangeFeed
    /// Rung when somebody is to be looked after sooner.
    let bell = WakeUp()
    private let state = Mutex(State())

    init(feed: ChangeFeed) {
        self.feed = feed
    }

    /// In the order of their first connecting.
    var all: [GitHubAccount] {
        state.withLock { $0.entries.values.map(\.account) }.sorted { $0.id < $1.id }
    }

    func entry(_ id: GitHubAccountID) -> Entry? { state.withLock { $0.entries[id] } }

    func listen(_ listener: @escaping @Sendable (UserID) -> Void) {
        state.withLock { $0.listeners.append(listener) }
    }

    /// Takes over what lies on the disk.
    func load(_ entries: [Entry]) {
        state.withLock { state in
            state.entries = Dictionary(entries.map { ($0.account.id, $0) }) { $1 }
        }
        bell.ring()
    }

    /// In place of what the account was before, whose session ends.
    func put(_ entry: Entry) {
        let old = state.withLock { state in
            let old = state.entries[entry.account.id]?.session
            state.entries[entry.account.id] = entry
            return old
        }
        if old !== entry.session { old?.end() }
        tell(entry.account.userId)
    }

    /// Changes an account that still has this session; false, and nothing happens, for another's or none.
    @discardableResult
    func change(_ session: GitHubSession, _ body: (inout Entry) -> Void) -> Bool {
        let user = state.withLock { state -> (id: UserID, isNews: Bool)? in
            guard var entry = state.entries[session.account], entry.session === session else { return nil }
            let before = entry.account
            body(&entry)
            state.entries[session.account] = entry
            return (before.userId, entry.account != before)
        }
        if let user, user.isNews { tell(user.id) }
        return user != nil
    }

    func remove(_ id: GitHubAccountID) {
        guard let entry = state.withLock({ $0.entries.removeValue(forKey: id) }) else { return }
        entry.session?.end()
        tell(entry.account.userId)
    }

    func removeAll(of user: UserID) {
        for account in all where account.userId == user { remove(account.id) }
    }

    /// The accounts whose time has come; each is handed out once until `looked`.
    func takeDue(at now: Date) -> [GitHubSession] {
        state.withLock { state in
            state.entries.compactMap { id, entry in
                guard let session = entry.session, !entry.isLooking, entry.nextLook <= now else { return nil }
                state.entries[id]?.isLooking = true
                return session
            }
        }
    }

    func looked(_ session: GitHubSession, next: Date) {
        change(session) { entry in
            entry.isLooking = false
            entry.nextLook = next
        }
        bell.ring()
    }

    /// A reader's wish: accounts that GitHub has not answered for yet are asked for at once.
    func hurry(_ user: UserID, now: Date) {
        state.withLock { state in
            for (id, entry) in state.entries
            where entry.account.userId == user && entry.account.state == .authenticating {
                state.entries[id]?.nextLook = now
            }
        }
        bell.ring()
    }

    /// When the next account is due, nil while none is.
    var nextLook: Date? {
        state.withLock { state in
            state.entries.values.filter { $0.session != nil && !$0.isLooking }.map(\.nextLook).min()
        }
    }

    /// Something about the account's session has changed that listeners ask it for.
    func tell(of session: GitHubSession) {
        if let account = entry(session.account)?.account { tell(account.userId) }
    }

    private func tell(_ user: UserID) {
        feed.publish(Topic.github(user))
        for listener in state.withLock({ $0.listeners }) { listener(user) }
        bell.ring()
    }
}
