import Foundation
package import GRDB
package import RoostSupport
import Synchronization

/// Who is asking: users, sessions and tokens as the disk holds them, so that no request waits for it.
///
/// A commit of this process is taken over before its `write` returns; another process's, such as
/// `roost token revoke`, by the next question.
package final class IdentityCache: Sendable {
    /// What the disk holds: few rows, read as a whole.
    fileprivate struct Contents: Sendable {
        var users: [UserID: User] = [:]
        var sessions: [[UInt8]: Session] = [:]
        var tokens: [[UInt8]: APIToken] = [:]
    }

    private struct State {
        var contents = Contents()
        /// Of the log that the contents are as new as.
        var mark: LogMark?
        /// False while the contents are known to be old.
        var isCurrent = false
        /// A commit of this process is under way, which holds the write lock: no other process changes the log.
        var isCommitting = false
        /// Counts what was taken over: whatever was read before that is older.
        var generation = 0
        /// Later than what the disk knows, and not written down yet; by the steady clock, so that what is said of it
        /// moves with the machine's.
        var lastSeen: [Int64: (at: Date, address: String)] = [:]
        var uses: [Int64: Date] = [:]
        /// Nil until someone asks after a name has changed.
        var shortNames: [UserID: String]?
    }

    let database: any DatabaseWriter
    private let log: String
    private let clock: WallClock
    private let feed: ChangeFeed
    /// What other features are told of.
    package struct UserChanges: Sendable {
        package var gone: Set<UserID> = []
        /// Others see another name or picture of them.
        package var appearance: Set<UserID> = []
    }

    private let changed: @Sendable (UserChanges) -> Void
    private let state = Mutex(State())

    /// - Parameter path: of the database file
    package init(
        database: any DatabaseWriter, path: String, feed: ChangeFeed, clock: WallClock,
        changed: @escaping @Sendable (UserChanges) -> Void
    ) {
        self.database = database
        log = LogMark.path(ofDatabaseAt: path)
        self.clock = clock
        self.feed = feed
        self.changed = changed
        database.add(transactionObserver: CommitObserver(self), extent: .databaseLifetime)
    }

    // MARK: Following the disk

    /// Takes over what has been committed until now, by whomever; throws what the database throws.
    func refresh() throws {
        while let generation = staleGeneration {
            let mark = LogMark(log)
            let contents = try database.read { try Contents($0) }
            take(contents, mark, over: generation)
        }
    }

    /// Looks every second until cancelled, for pages that only wait.
    func run() async {
        var known: Int?
        while !Task.isCancelled {
            // The version stays the same for commits of the connection that asks, the only writer's. It also finds what
            // another process commits within the same tick of the file system's clock as this one.
            let version = try? await database.writeWithoutTransaction {
                try Int.fetchOne($0, sql: "PRAGMA data_version")
            }
            if version != known { state.withLock { $0.isCurrent = false } }
            known = version
            try? refresh()
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// Nil while the contents are as new as the disk.
    private var staleGeneration: Int? {
        // The log is looked at under the lock: a mark from before a commit says nothing after it.
        state.withLock { state in
            state.isCurrent && (state.isCommitting || state.mark == LogMark(log)) ? nil : state.generation
        }
    }

    /// - Parameter generation: what the contents were read in; nil for those that are the newest in any case
    private func take(_ new: Contents, _ mark: LogMark?, over generation: Int? = nil) {
        let old = state.withLock { state -> Contents? in
            guard generation == nil || generation == state.generation else { return nil }
            let old = state.contents
            if old.users.mapValues(\.name) != new.users.mapValues(\.name) { state.shortNames = nil }
            (state.contents, state.mark, state.isCurrent) = (new, mark, true)
            state.generation += 1
            let ids = Set(new.sessions.values.map(\.id)), tokens = Set(new.tokens.values.map(\.id))
            state.lastSeen = state.lastSeen.filter { ids.contains($0.key) }
            state.uses = state.uses.filter { tokens.contains($0.key) }
            return old
        }
        guard let old else { return }
        changed(new.userChanges(since: old))
        let users = new.concerned(since: old)
        for user in users { feed.publish(Topic.account(user)) }
        if !users.isEmpty { feed.publish(Topic.members) }
    }

    // MARK: Questions

    private func asking<Value>(_ look: (inout sending State) -> sending Value) -> sending Value {
        // Where the disk cannot be read, what it held before holds.
        try? refresh()
        return state.withLock(look)
    }

    /// The owner of the longest standing: whoever visits the demo.
    var firstOwner: User? {
        asking { $0.contents.users.values.filter { $0.role == .owner }.min { $0.userId < $1.userId } }
    }

    func user(_ id: UserID) -> User? { asking { $0.contents.users[id] } }

    /// A member's first name, or the whole name if another member's first name looks the same.
    func shortName(of id: UserID) -> String? {
        asking { state in
            let names = state.shortNames ?? Self.shortNames(of: state.contents.users)
            state.shortNames = names
            return names[id]
        }
    }

    private static func shortNames(of users: [UserID: User]) -> [UserID: String] {
        let lookalikes = NameLookalikes()
        let firstNames = users.mapValues { user in
            let name = user.name.splitBytes(at: " ").first.map(String.init) ?? user.name
            return (name: name, keys: lookalikes.keys(of: name))
        }
        let holders = firstNames.values.reduce(into: [String: Int]()) { holders, first in
            for key in first.keys { holders[key, default: 0] += 1 }
        }
        return users.mapValues { user in
            guard let first = firstNames[user.userId], first.keys.allSatisfy({ holders[$0] == 1 }) else {
                return user.name
            }
            return first.name
        }
    }

    /// False until somebody has taken the stand-in's place.
    var hasOwner: Bool { asking { $0.contents.users.values.contains { $0.role == .owner && !$0.isStandIn } } }

    /// Whether a session has this secret, without a look at the disk.
    package func hasSession(hash: [UInt8]) -> Bool { state.withLock { $0.contents.sessions[hash] != nil } }

    func session(hash: [UInt8], at now: Date) -> (session: Session, user: User)? {
        let shift = clock.shift
        return asking { state in
            guard let session = state.contents.sessions[hash].map({ Self.seen($0, state, shift, now) }),
                !session.isOver(at: now), let user = state.contents.users[session.userId]
            else { return nil }
            return (session, user)
        }
    }

    /// - Parameter ends: of tokens that were made since the start
    func bearer(hash: [UInt8], at now: Date, _ ends: SteadyEnds<Int64>) -> (user: User, token: APIToken)? {
        let used = clock.steady()
        return asking { state in
            guard let token = state.contents.tokens[hash],
                !token.isExpired(at: now) || ends.end(of: token.id) != nil,
                let user = state.contents.users[token.userId]
            else { return nil }
            state.uses[token.id] = used
            return (user, token)
        }
    }

    // MARK: Last use

    func markSeen(_ session: Session, from address: String) {
        let now = clock.steady()
        state.withLock { $0.lastSeen[session.id] = (now, address) }
    }

    /// The sessions of the disk with what it does not know yet of their last use.
    func seen(_ sessions: [Session]) -> [Session] {
        let (shift, now) = (clock.shift, clock.now())
        return state.withLock { state in sessions.map { Self.seen($0, state, shift, now) } }
    }

    /// The tokens of the disk with what it does not know yet of their last use.
    func used(_ tokens: [APIToken]) -> [APIToken] {
        let (shift, uses) = (clock.shift, state.withLock(\.uses))
        return tokens.map { token in
            var token = token
            if let used = uses[token.id] { token.lastUsedAt = used + shift }
            return token
        }
    }

    /// Writes down when sessions and tokens were last used.
    func save() async throws {
        let (shift, lastSeen, uses) = (clock.shift, state.withLock(\.lastSeen), state.withLock(\.uses))
        try await database.write { database in
            for (id, sight) in lastSeen {
                try database.execute(
                    sql: "UPDATE sessions SET last_seen_at = ?, address = ? WHERE id = ?",
                    arguments: [(sight.at + shift).timeIntervalSince1970, sight.address, id])
            }
            for (id, time) in uses {
                try database.execute(
                    sql: "UPDATE api_tokens SET last_used_at = ? WHERE id = ?",
                    arguments: [(time + shift).timeIntervalSince1970, id])
            }
        }
    }

    /// A time from the future, of a clock that was ahead, gives way to one of this start.
    private static func seen(
        _ session: Session, _ state: State, _ shift: TimeInterval, _ now: Date
    ) -> Session {
        guard let sight = state.lastSeen[session.id],
            sight.at + shift > session.lastSeenAt || session.lastSeenAt > now + ClockSkew.tolerance
        else { return session }
        var session = session
        session.lastSeenAt = sight.at + shift
        session.address = sight.address
        return session
    }
}

// MARK: - Own commits

extension IdentityCache {
    /// Before a commit of this process: where the contents are current, they stay so while it writes.
    fileprivate func beginCommit() {
        let isCurrent = staleGeneration == nil
        state.withLock { $0.isCommitting = isCurrent }
    }

    fileprivate func cancelCommit() { state.withLock { $0.isCommitting = false } }

    /// After a commit of this process that changed nothing here, so that it causes no read.
    fileprivate func noteCommit() {
        let mark = LogMark(log)
        state.withLock { state in
            if state.isCommitting { state.mark = mark }
            state.isCommitting = false
        }
    }

    /// After a commit of this process that changed who may ask. While that cannot be read, all are refused.
    fileprivate func takeCommit(_ database: GRDB.Database) {
        let mark = LogMark(log)
        if let contents = try? Contents(database) {
            take(contents, mark)
            return cancelCommit()
        }
        state.withLock { state in
            state.isCommitting = false
            (state.contents.sessions, state.contents.tokens, state.isCurrent) = ([:], [:], false)
            state.generation += 1
        }
    }
}

/// Tells the cache of this process's own commits; it is called on the writer's queue only.
private final class CommitObserver: TransactionObserver {
    private static let tables: Set = ["users", "avatars", "sessions", "api_tokens", "join_links"]

    private let cache: IdentityCache
    private var isOfAccounts = false

    init(_ cache: IdentityCache) { self.cache = cache }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
        Self.tables.contains(eventKind.tableName)
    }

    func databaseDidChange(with event: DatabaseEvent) { isOfAccounts = true }
    func databaseWillCommit() { cache.beginCommit() }

    func databaseDidRollback(_ database: GRDB.Database) {
        isOfAccounts = false
        cache.cancelCommit()
    }

    func databaseDidCommit(_ database: GRDB.Database) {
        if isOfAccounts { cache.takeCommit(database) } else { cache.noteCommit() }
        isOfAccounts = false
    }
}

// MARK: - Rows

extension IdentityCache.Contents {
    init(_ database: GRDB.Database) throws {
        for user in try Row.fetchAll(database, sql: AccountStore.select).readable(AccountStore.user) {
            users[user.userId] = user
        }
        let sessions = try Row.fetchAll(database, sql: "SELECT * FROM sessions")
        for (hash, session) in sessions.readable(withDigest(SessionStore.session)) {
            self.sessions[hash] = session
        }
        let tokens = try Row.fetchAll(database, sql: TokenStore.select)
        for (hash, token) in tokens.readable(withDigest(TokenStore.token)) { self.tokens[hash] = token }
    }

    func userChanges(since old: Self) -> IdentityCache.UserChanges {
        var changes = IdentityCache.UserChanges()
        for (id, before) in old.users {
            guard let user = users[id] else {
                changes.gone.insert(id)
                continue
            }
            // Whoever takes the stand-in's place was known to nobody before.
            if !before.isStandIn,
                (before.name, before.username, before.avatar) != (user.name, user.username, user.avatar)
            {
                changes.appearance.insert(id)
            }
        }
        return changes
    }

    /// The users of whom anything is different.
    func concerned(since old: Self) -> Set<UserID> {
        var concerned = Set(old.users.keys).symmetricDifference(users.keys)
        for (id, user) in users where old.users[id] != user { concerned.insert(id) }
        for (hash, session) in old.sessions where sessions[hash] == nil { concerned.insert(session.userId) }
        for (hash, session) in sessions where old.sessions[hash] == nil { concerned.insert(session.userId) }
        for (hash, token) in old.tokens where tokens[hash] == nil { concerned.insert(token.userId) }
        for (hash, token) in tokens where old.tokens[hash] == nil { concerned.insert(token.userId) }
        return concerned
    }
}

extension IdentityCache {
    package static let stored = [
        StoredRows("users", sql: AccountStore.select) { row in
            _ = (try AccountStore.user(row), try row.textIfPresent("password_hash"))
        },
        StoredRows("sessions") { _ = try withDigest(SessionStore.session)($0) },
        StoredRows("api_tokens", sql: TokenStore.select) { _ = try withDigest(TokenStore.token)($0) },
    ]
}

private func withDigest<Value>(
    _ read: @escaping (Row) throws -> Value
) -> (Row) throws -> (hash: [UInt8], value: Value) {
    { row in (try row.digest("token_hash"), try read(row)) }
}
