import Foundation
import GRDB
package import RoostSupport
import Synchronization

/// Users with their formats, sessions and tokens in memory, so that requests are authenticated without a database read.
///
/// A commit of this process is visible before its `write` returns. A commit of another process, such as
/// `roost token revoke`, is visible at the next lookup.
package final class IdentityCache: Sendable {
    fileprivate struct Contents: Sendable {
        var users: [UserID: User] = [:]
        var sessions: [[UInt8]: Session] = [:]
        var tokens: [[UInt8]: APIToken] = [:]
        var formats: [UserID: FormatPreferences] = [:]
    }

    private struct State {
        var contents = Contents()
        /// The state of the write-ahead log when the contents were read.
        var mark: LogMark?
        var isCurrent = false
        /// This process is committing. It holds the write lock, so no other process changes the log.
        var isCommitting = false
        /// Incremented whenever the contents are replaced, to discard reads that began earlier.
        var generation = 0
        /// Last uses that are not saved yet; their dates move with the machine's clock when it is set.
        var lastSeen: [Int64: (at: ContinuousClock.Instant, address: String)] = [:]
        var uses: [Int64: ContinuousClock.Instant] = [:]
        var shortNames: [UserID: String]?
    }

    let database: RoostSupport.Database
    private let log: String
    private let clock: WallClock
    private let feed: ChangeFeed
    package struct UserChanges: Sendable {
        package var removed: Set<UserID> = []
        package var appearance: Set<UserID> = []
    }

    private let changed: @Sendable (UserChanges) -> Void
    private let state = Mutex(State())

    package init(
        database: RoostSupport.Database, path: String, feed: ChangeFeed, clock: WallClock,
        changed: @escaping @Sendable (UserChanges) -> Void
    ) {
        self.database = database
        log = LogMark.path(ofDatabaseAt: path)
        self.clock = clock
        self.feed = feed
        self.changed = changed
        database.pool.add(transactionObserver: CommitObserver(self), extent: .databaseLifetime)
    }

    // MARK: Following the database

    /// Reads everything committed so far, by any process. Inside a transaction the contents stay as they are, because it
    /// may be older than they. Throws what the database throws.
    func refresh() throws {
        while let generation = staleGeneration {
            let mark = LogMark(log)
            guard let contents = try database.readUnlessNested({ try Contents($0.database) }) else { return }
            replaceContents(with: contents, mark, of: generation)
        }
    }

    /// Polls every second until cancelled, for open pages that make no requests.
    func run() async {
        var previousVersion: Int?
        while !Task.isCancelled {
            // `data_version` does not change for commits of the asking connection, this process's only writer. It also
            // catches a commit of another process within the same file timestamp as one of ours.
            let version = try? await database.pool.writeWithoutTransaction {
                try Int.fetchOne($0, sql: "PRAGMA data_version")
            }
            if version != previousVersion { state.withLock { $0.isCurrent = false } }
            previousVersion = version
            try? refresh()
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// The generation to replace, or nil if the contents are up to date.
    private var staleGeneration: Int? {
        // Reads the log's mark under the lock, since a mark from before a commit says nothing after it.
        state.withLock { state in
            state.isCurrent && (state.isCommitting || state.mark == LogMark(log)) ? nil : state.generation
        }
    }

    /// - Parameter generation: the generation when the read began; nil if the contents are certainly the newest
    private func replaceContents(
        with new: Contents, _ mark: LogMark?, of generation: Int? = nil
    ) {
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
        let users = new.affectedUsers(since: old)
        for user in users { feed.publish(Topic.account(user)) }
        if !users.isEmpty { feed.publish(Topic.members) }
    }

    // MARK: Lookups

    private func withCurrentState<Value>(_ body: (inout sending State) -> sending Value) -> sending Value {
        // If the database cannot be read, the last contents stay in use.
        try? refresh()
        return state.withLock(body)
    }

    var firstOwner: User? {
        withCurrentState {
            $0.contents.users.values.filter { $0.role == .owner }.min { $0.userId < $1.userId }
        }
    }

    func user(_ id: UserID) -> User? { withCurrentState { $0.contents.users[id] } }

    /// Returns the formats as of the last lookup, which was the user's session or token.
    func formats(of id: UserID) -> FormatPreferences? { state.withLock { $0.contents.formats[id] } }

    func shortName(of id: UserID) -> String? {
        withCurrentState { state in
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

    var hasOwner: Bool {
        withCurrentState { $0.contents.users.values.contains { $0.role == .owner && !$0.isPlaceholder } }
    }

    /// Whether a session has this secret, from memory only: the contents may be a moment old.
    package func hasSession(hash: [UInt8]) -> Bool { state.withLock { $0.contents.sessions[hash] != nil } }

    func session(hash: [UInt8], at now: Date) -> (session: Session, user: User)? {
        withCurrentState { state in
            guard
                let session = state.contents.sessions[hash].map({ updatingLastSeen($0, state, at: now) }),
                !session.isOver(at: now), let user = state.contents.users[session.userId]
            else { return nil }
            return (session, user)
        }
    }

    /// - Parameter ends: the ends of tokens made since the start
    func bearer(hash: [UInt8], at now: Date, _ ends: SteadyExpirations<Int64>) -> (
        user: User, token: APIToken
    )? {
        let used = clock.steady()
        return withCurrentState { state in
            guard let token = state.contents.tokens[hash],
                !token.isExpired(at: now) || ends.expiration(of: token.id) != nil,
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

    func updatingLastSeen(_ sessions: [Session]) -> [Session] {
        let now = clock.now()
        return state.withLock { state in sessions.map { updatingLastSeen($0, state, at: now) } }
    }

    func updatingLastUsed(_ tokens: [APIToken]) -> [APIToken] {
        let uses = state.withLock(\.uses)
        return tokens.map { token in
            var token = token
            if let used = uses[token.id] { token.lastUsedAt = clock.date(of: used) }
            return token
        }
    }

    func save() async throws {
        let (lastSeen, uses) = state.withLock { ($0.lastSeen, $0.uses) }
        try await database.write { [clock] writes in
            for (id, visit) in lastSeen {
                try writes.database.execute(
                    sql: "UPDATE sessions SET last_seen_at = ?, address = ? WHERE id = ?",
                    arguments: [clock.date(of: visit.at).stored, visit.address, id])
            }
            for (id, time) in uses {
                try writes.database.execute(
                    sql: "UPDATE api_tokens SET last_used_at = ? WHERE id = ?",
                    arguments: [clock.date(of: time).stored, id])
            }
        }
    }

    /// A stored time in the future, from a clock that was ahead, is replaced by one of this run.
    private func updatingLastSeen(_ session: Session, _ state: State, at now: Date) -> Session {
        guard let visit = state.lastSeen[session.id] else { return session }
        let seen = clock.date(of: visit.at)
        guard seen > session.lastSeenAt || ClockSkew.isAhead(session.lastSeenAt, of: now) else {
            return session
        }
        var session = session
        session.lastSeenAt = seen
        session.address = visit.address
        return session
    }
}

// MARK: - Commits of this process

extension IdentityCache {
    /// Call before a commit of this process. Contents that are current now stay current while it writes.
    fileprivate func beginCommit() {
        let isCurrent = staleGeneration == nil
        state.withLock { $0.isCommitting = isCurrent }
    }

    fileprivate func cancelCommit() { state.withLock { $0.isCommitting = false } }

    /// Call after a commit of this process that changed no accounts. Avoids a read.
    fileprivate func noteCommit() {
        let mark = LogMark(log)
        state.withLock { state in
            if state.isCommitting { state.mark = mark }
            state.isCommitting = false
        }
    }

    /// Call after a commit of this process that changed accounts. If they cannot be read, all sessions and tokens are
    /// refused until they can.
    fileprivate func applyCommit(_ database: GRDB.Database) {
        let mark = LogMark(log)
        if let contents = try? Contents(database) {
            replaceContents(with: contents, mark)
            return cancelCommit()
        }
        state.withLock { state in
            state.isCommitting = false
            (state.contents.sessions, state.contents.tokens, state.isCurrent) = ([:], [:], false)
            state.generation += 1
        }
    }
}

/// Tells the cache about this process's own commits. Runs on the writer's queue only.
private final class CommitObserver: TransactionObserver {
    private static let tables: Set = [
        "users", "avatars", "sessions", "api_tokens", "join_links", "preferences",
    ]

    private let cache: IdentityCache
    private var hasAccountChanges = false

    init(_ cache: IdentityCache) { self.cache = cache }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
        Self.tables.contains(eventKind.tableName)
    }

    func databaseDidChange(with event: DatabaseEvent) { hasAccountChanges = true }
    func databaseDidChange() { hasAccountChanges = true }
    func databaseWillCommit() { cache.beginCommit() }

    func databaseDidRollback(_ database: GRDB.Database) {
        hasAccountChanges = false
        cache.cancelCommit()
    }

    func databaseDidCommit(_ database: GRDB.Database) {
        if hasAccountChanges { cache.applyCommit(database) } else { cache.noteCommit() }
        hasAccountChanges = false
    }
}

extension Writes {
    /// SQLite reports no changes of tables without row ids, such as `preferences`.
    func reportChangedFormats() throws { try database.notifyChanges(in: Table("preferences")) }
}

// MARK: - Rows

extension IdentityCache.Contents {
    init(_ database: GRDB.Database) throws {
        for user in try Row.fetchAll(database, sql: AccountStore.select).readable({ try User($0) }) {
            users[user.userId] = user
        }
        let sessions = try Row.fetchAll(database, sql: SessionStore.select)
        for (hash, session) in sessions.readable({ (try $0.digest("token_hash"), try Session($0)) }) {
            self.sessions[hash] = session
        }
        let tokens = try Row.fetchAll(database, sql: TokenStore.select)
        for (hash, token) in tokens.readable({ (try $0.digest("token_hash"), try APIToken($0)) }) {
            self.tokens[hash] = token
        }
        formats = try PreferencesStore.all(in: database)
    }

    func userChanges(since old: Self) -> IdentityCache.UserChanges {
        var changes = IdentityCache.UserChanges()
        for (id, before) in old.users {
            guard let user = users[id] else {
                changes.removed.insert(id)
                continue
            }
            // A new owner who replaces the placeholder is not a changed user: no one saw the placeholder.
            if !before.isPlaceholder,
                (before.name, before.username, before.avatar) != (user.name, user.username, user.avatar)
            {
                changes.appearance.insert(id)
            }
        }
        return changes
    }

    func affectedUsers(since old: Self) -> Set<UserID> {
        var affected = Set(old.users.keys).symmetricDifference(users.keys)
        for (id, user) in users where old.users[id] != user { affected.insert(id) }
        for (hash, session) in old.sessions where sessions[hash] == nil { affected.insert(session.userId) }
        for (hash, session) in sessions where old.sessions[hash] == nil { affected.insert(session.userId) }
        for (hash, token) in old.tokens where tokens[hash] == nil { affected.insert(token.userId) }
        for (hash, token) in tokens where old.tokens[hash] == nil { affected.insert(token.userId) }
        return affected
    }
}

extension IdentityCache {
    package static let stored = [
        StoredRows("users", User.self, others: ["password_hash"]) { _, row in
            _ = try row.textIfPresent("password_hash")
        },
        StoredRows("sessions", Session.self, others: ["token_hash"]) { _, row in
            _ = try row.digest("token_hash")
        },
        StoredRows("api_tokens", APIToken.self, others: ["token_hash"]) { _, row in
            _ = try row.digest("token_hash")
        },
    ]
}
