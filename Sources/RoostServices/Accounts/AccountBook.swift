import Foundation
import Synchronization

/// All accounts, sessions and tokens in memory, so that no request waits for the disk to know who asks.
///
/// They are few. What the disk holds is taken over as a whole after each commit, in the commits' order.
final class AccountBook: Sendable {
    /// What the disk holds.
    struct Contents: Sendable {
        var users: [UserID: User] = [:]
        var sessions: [[UInt8]: Session] = [:]
        var tokens: [[UInt8]: APIToken] = [:]
    }

    private struct State {
        var contents = Contents()
        /// Later than what the disk knows, and not written down yet; by the steady clock, so that what is said of it
        /// moves with the machine's.
        var sights: [Int64: (at: Date, address: String)] = [:]
        var uses: [Int64: Date] = [:]
    }

    private let clock: WallClock
    private let state = Mutex(State())
    /// Told of users who are gone.
    private let removed: @Sendable (Set<UserID>) -> Void
    /// Told of each new state; users whose sessions or tokens ended are named.
    private let changed: @Sendable (Set<UserID>) -> Void

    init(
        clock: WallClock, removed: @escaping @Sendable (Set<UserID>) -> Void,
        changed: @escaping @Sendable (Set<UserID>) -> Void
    ) {
        self.clock = clock
        self.removed = removed
        self.changed = changed
    }

    func take(_ new: Contents) {
        let old = state.withLock { state in
            let old = state.contents
            state.contents = new
            let ids = Set(new.sessions.values.map(\.id)), tokens = Set(new.tokens.values.map(\.id))
            state.sights = state.sights.filter { ids.contains($0.key) }
            state.uses = state.uses.filter { tokens.contains($0.key) }
            return old
        }
        let gone = Set(old.users.keys).subtracting(new.users.keys)
        if !gone.isEmpty { removed(gone) }
        changed(Self.concerned(old, new))
    }

    /// The users of whom anything is different.
    private static func concerned(_ old: Contents, _ new: Contents) -> Set<UserID> {
        var concerned = Set(old.users.keys).symmetricDifference(new.users.keys)
        for (id, user) in new.users where old.users[id] != user { concerned.insert(id) }
        for (hash, session) in old.sessions where new.sessions[hash] == nil {
            concerned.insert(session.userId)
        }
        for (hash, session) in new.sessions where old.sessions[hash] == nil {
            concerned.insert(session.userId)
        }
        for (hash, token) in old.tokens where new.tokens[hash] == nil { concerned.insert(token.userId) }
        for (hash, token) in new.tokens where old.tokens[hash] == nil { concerned.insert(token.userId) }
        return concerned
    }

    // MARK: Users

    var users: [User] { state.withLock { Array($0.contents.users.values) }.sorted { $0.userId < $1.userId } }

    func user(_ id: UserID) -> User? { state.withLock { $0.contents.users[id] } }

    // MARK: Sessions

    func session(hash: [UInt8], at now: Date) -> (session: Session, user: User)? {
        let shift = clock.shift
        return state.withLock { state in
            guard let session = state.contents.sessions[hash].map({ Self.seen($0, state, shift, now) }),
                !session.isOver(at: now), let user = state.contents.users[session.userId]
            else { return nil }
            return (session, user)
        }
    }

    func sessions(of user: UserID? = nil, at now: Date) -> [Session] {
        let (shift, today) = (clock.shift, clock.now())
        return state.withLock { state in
            state.contents.sessions.values.filter { user == nil || $0.userId == user }
                .map { Self.seen($0, state, shift, today) }.filter { !$0.isOver(at: now) }
        }
        .sorted { ($0.lastSeenAt, $0.id) > ($1.lastSeenAt, $1.id) }
    }

    func saw(_ session: Session, from address: String) {
        let now = clock.steady()
        state.withLock { $0.sights[session.id] = (now, address) }
    }

    /// A time from the future, of a clock that was ahead, gives way to one of this start.
    private static func seen(
        _ session: Session, _ state: State, _ shift: TimeInterval, _ now: Date
    ) -> Session {
        guard let sight = state.sights[session.id],
            sight.at + shift > session.lastSeenAt || session.lastSeenAt > now + ModelTime.tolerance
        else { return session }
        var session = session
        session.lastSeenAt = sight.at + shift
        session.address = sight.address
        return session
    }

    // MARK: Tokens

    /// - Parameter ends: of tokens that were made since the start
    func bearer(hash: [UInt8], at now: Date, _ ends: SteadyEnds<Int64>) -> (user: User, token: APIToken)? {
        let used = clock.steady()
        return state.withLock { state in
            guard let token = state.contents.tokens[hash],
                !token.isExpired(at: now) || ends.end(of: token.id) != nil,
                let user = state.contents.users[token.userId]
            else { return nil }
            state.uses[token.id] = used
            return (user, token)
        }
    }

    func tokens(of user: UserID? = nil) -> [APIToken] {
        let shift = clock.shift
        return state.withLock { state in
            state.contents.tokens.values.filter { user == nil || $0.userId == user }.map { token in
                var token = token
                if let used = state.uses[token.id] { token.lastUsedAt = used + shift }
                return token
            }
        }
        .sorted { $0.id < $1.id }
    }

    /// What is later here than on the disk, to be written down.
    func takeSights() -> (sessions: [Int64: (at: Date, address: String)], tokens: [Int64: Date]) {
        let shift = clock.shift
        return state.withLock { state in
            (state.sights.mapValues { ($0.at + shift, $0.address) }, state.uses.mapValues { $0 + shift })
        }
    }
}
