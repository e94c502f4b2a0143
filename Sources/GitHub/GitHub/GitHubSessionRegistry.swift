import Foundation
import RoostSupport
import Synchronization

/// All users' GitHub accounts in memory, with their sessions.
final class GitHubSessionRegistry: Sendable {
    struct Entry: Sendable {
        var account: GitHubAccount
        var session: GitHubSession?
    }

    private struct State {
        var entries: [GitHubAccountID: Entry] = [:]
        var listeners: [@Sendable (UserID) -> Void] = []
    }

    private let feed: ChangeFeed
    let refresher: Refresher<GitHubSession>
    private let state = Mutex(State())

    init(feed: ChangeFeed, clock: WallClock) {
        self.feed = feed
        refresher = Refresher(
            clock: clock, backoff: Backoff(initial: .seconds(5), maximum: .seconds(300)), capacity: .max)
    }

    var all: [GitHubAccount] {
        state.withLock { $0.entries.values.map(\.account) }.sorted { $0.id < $1.id }
    }

    func entry(_ id: GitHubAccountID) -> Entry? { state.withLock { $0.entries[id] } }

    func listen(_ listener: @escaping @Sendable (UserID) -> Void) {
        state.withLock { $0.listeners.append(listener) }
    }

    func load(_ entries: [Entry]) {
        state.withLock { state in
            state.entries = Dictionary(entries.map { ($0.account.id, $0) }) { $1 }
        }
        for session in entries.compactMap(\.session) { refresher.keep(session) }
    }

    func put(_ entry: Entry) {
        let old = state.withLock { state in
            let old = state.entries[entry.account.id]?.session
            state.entries[entry.account.id] = entry
            return old
        }
        if old !== entry.session { old.map(end) }
        if let session = entry.session { refresher.keep(session) }
        publish(entry.account.userId)
    }

    /// Changes the account if this is still its session. Otherwise does nothing and returns false.
    @discardableResult
    func change(_ session: GitHubSession, _ body: (inout Entry) -> Void) -> Bool {
        let user = state.withLock { state -> (id: UserID, isChanged: Bool)? in
            guard var entry = state.entries[session.account], entry.session === session else { return nil }
            let before = entry.account
            body(&entry)
            state.entries[session.account] = entry
            return (before.userId, entry.account != before)
        }
        if let user, user.isChanged { publish(user.id) }
        return user != nil
    }

    func remove(_ id: GitHubAccountID) {
        guard let entry = state.withLock({ $0.entries.removeValue(forKey: id) }) else { return }
        entry.session.map(end)
        publish(entry.account.userId)
    }

    func end(_ session: GitHubSession) {
        session.end()
        refresher.forget(session)
    }

    func removeAll(of user: UserID) {
        for account in all where account.userId == user { remove(account.id) }
    }

    /// Asks at once about the user's accounts that GitHub has not confirmed yet.
    func retry(for user: UserID) {
        let waiting = state.withLock { state in
            state.entries.values.filter { $0.account.userId == user && $0.account.state == .authenticating }
        }
        for session in waiting.compactMap(\.session) { refresher.request(session, .click) }
    }

    /// Notifies listeners of a change in the account's session, such as its teams.
    func publish(of session: GitHubSession) {
        if let account = entry(session.account)?.account { publish(account.userId) }
    }

    private func publish(_ user: UserID) {
        feed.publish(Topic.github(user))
        for listener in state.withLock({ $0.listeners }) { listener(user) }
    }
}
