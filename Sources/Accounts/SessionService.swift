package import Foundation
package import RoostSupport

package final class SessionService: Sendable {
    /// A session that has just begun, with the only copy of its secret, the cookie's value.
    package struct NewSession: Sendable {
        package let secret: String
        package let user: User
        /// The secret that marks this browser as one the user has signed in with; nil if it already has one.
        package let deviceSecret: String?
    }

    struct NewSecrets {
        let session = Secret.make(bytes: 32)
        let device = Secret.make(bytes: 32)

        func newSession(for user: User, isNewDevice: Bool) -> NewSession {
            NewSession(secret: session, user: user, deviceSecret: isNewDevice ? device : nil)
        }
    }

    /// The same message whether or not the user exists.
    package static let refusal = "Wrong user name or password."
    /// In seconds: a session's last use is not updated more often than this.
    private static let lastSeenInterval: TimeInterval = 1

    private let identities: IdentityCache
    private let database: Database
    private let accounts: AccountService
    private let authenticator: PasswordAuthenticator
    private let audit: AuditLog
    private let clock: WallClock

    init(
        identities: IdentityCache, accounts: AccountService, authenticator: PasswordAuthenticator,
        audit: AuditLog,
        clock: WallClock
    ) {
        self.identities = identities
        database = identities.database
        self.accounts = accounts
        self.authenticator = authenticator
        self.audit = audit
        self.clock = clock
    }

    /// The session and user of a cookie, or nil if the session is unknown or over.
    package func find(secret: String, from address: String) -> (session: Session, user: User)? {
        guard secret.utf8.count == 43 else { return nil }
        let now = clock.now()
        guard let found = identities.session(hash: Secret.hash(secret), at: now) else { return nil }
        let isFresh = abs(now.timeIntervalSince(found.session.lastSeenAt)) < Self.lastSeenInterval
        if !isFresh || found.session.address != address { identities.markSeen(found.session, from: address) }
        return found
    }

    /// Begins a session if the password is right. The name is a user name or an e-mail address.
    ///
    /// - Parameter old: the cookie that the browser sent; its session ends
    /// - Throws: `RoostError.unknownVisitor`, with the same text and timing for a wrong name as for a wrong password;
    ///   `.tooMany` while throttled
    package func signIn(
        _ name: String, password: String, replacing old: String?, from origin: ClientInfo
    ) async throws -> NewSession {
        // Counts bytes: a single character may have thousands of marks, and folding takes the square of their number.
        let isPossible = name.utf8.count <= Profile.maximumBytes
        let user = isPossible ? try await accounts.find(name) : nil
        // Keyed by the typed name: a wait shared by a user name and an e-mail address would reveal that they belong
        // together.
        let account = isPossible ? Profile.key(name) : ""
        guard
            let verifiedHash = try await authenticator.verifiedHash(
                of: password, by: user, typed: account, from: origin), let user
        else {
            // The typed name may be a password in the wrong field, so only existing names are logged.
            audit.noteFailure(of: user?.username ?? "", from: origin)
            throw RoostError.unknownVisitor(Self.refusal)
        }
        let newSession = try await begin(for: user, replacing: old, verifiedHash: verifiedHash, from: origin)
        await audit.record(.signedIn, actor: user.username, from: origin, detail: origin.device)
        return newSession
    }

    /// - Parameter verifiedHash: the stored hash that the password was checked against; if it has changed, the password
    ///   is wrong
    func begin(
        for user: User, replacing old: String?, verifiedHash: String? = nil, from origin: ClientInfo
    ) async throws -> NewSession {
        let secrets = NewSecrets()
        let isNewDevice = try await database.write { [now = clock.now()] writes in
            try writes.beginSession(
                for: user.userId, hash: Secret.hash(secrets.session), device: Secret.hash(secrets.device),
                replacing: old.map(Secret.hash), verifiedHash: verifiedHash, from: origin, at: now)
        }
        return secrets.newSession(for: user, isNewDevice: isNewDevice)
    }

    package func signOut(_ user: User, secret: String, from origin: ClientInfo) async throws {
        try await database.write { try $0.endSession(hash: Secret.hash(secret)) }
        await audit.record(.signedOut, actor: user.username, from: origin)
    }

    package func endAll(of user: User, but exception: Int64? = nil, by actor: User, from origin: ClientInfo)
        async throws
    {
        let count = try await database.write { try $0.endSessions(of: user.userId, but: exception) }
        guard count > 0 else { return }
        await audit.record(
            .sessionsEnded, actor: actor.username, subject: user.username, from: origin,
            detail: exception == nil ? "everywhere" : "on all other devices")
    }

    /// Ends one session of this user, or of anyone if `user` is nil. Throws `RoostError.notFound`.
    package func end(_ id: Int64, of user: UserID?, by actor: User, from origin: ClientInfo) async throws {
        let session = try await sessions(of: user).first { $0.id == id }
        guard let session, try await database.write({ try $0.endSession(id, of: user) }) else {
            throw RoostError.notFound("There is no such session.")
        }
        await audit.record(
            .sessionEnded, actor: actor.username,
            subject: try await accounts.user(session.userId)?.username ?? "", from: origin,
            detail: session.device)
    }

    /// The sessions of a user, or of everyone for nil, most recently used first.
    package func sessions(_ reads: Reads, of user: UserID? = nil) throws -> [Session] {
        let now = clock.now()
        return identities.updatingLastSeen(try reads.sessions(of: user)).filter {
            !$0.isOver(at: now)
        }
        .sorted { ($0.lastSeenAt, $0.id) > ($1.lastSeenAt, $1.id) }
    }

    package func sessions(of user: UserID? = nil) async throws -> [Session] {
        try await database.read { try sessions($0, of: user) }
    }

    /// Sets a new password after checking the current one. All sessions end, and a new one begins here. Throws
    /// `RoostError.invalid` for "current" and "password".
    package func changePassword(
        of user: User, current: String, to password: String, revokesTokens: Bool = false,
        from origin: ClientInfo
    ) async throws -> NewSession {
        let verifiedHash = try await authenticator.confirm(current, of: user, field: "current", from: origin)
        let hash = try await authenticator.newHash(of: password, for: Profile(of: user))
        let secrets = NewSecrets()
        let result = try await database.write { [now = clock.now()] writes in
            try writes.setPassword(
                hash, of: user.userId, revokesTokens: revokesTokens, session: Secret.hash(secrets.session),
                device: Secret.hash(secrets.device), from: origin, verifiedHash: verifiedHash, at: now)
        }
        await audit.record(.passwordChanged, actor: user.username, from: origin)
        await audit.recordRevoked(result.revokedTokens, of: user.username, by: user.username, from: origin)
        return secrets.newSession(for: user, isNewDevice: result.isNewDevice)
    }

    func cleanUp() async throws {
        try await identities.save()
        let now = clock.now()
        let seen = identities.updatingLastSeen(try await database.read { try $0.sessions(of: nil) }).map(
            \.lastSeenAt)
        if seen.contains(where: { ClockSkew.isAhead($0, of: now) }) {
            try await database.write { try $0.clampLastSeen(to: now) }
        }
        let limit = now - Session.idleLimit
        if seen.contains(where: { $0 < limit }) {
            try await database.write { try $0.endIdleSessions(since: limit) }
        }
    }
}

/// A signed-in browser. Only the hash of its cookie is stored.
package struct Session: Equatable, Sendable, Identifiable {
    package private(set) var id: Int64
    package private(set) var userId: UserID
    package private(set) var createdAt: Date
    package var lastSeenAt: Date
    package var address: String
    /// "Firefox on Linux"
    package private(set) var device: String

    /// A session ends after this long without use; in seconds.
    static let idleLimit: TimeInterval = 30 * 86_400

    package func isOver(at now: Date) -> Bool { now.timeIntervalSince(lastSeenAt) > Self.idleLimit }
}

extension Session: ColumnRecord {
    package init() {
        self.init(
            id: 0, userId: 0, createdAt: .distantPast, lastSeenAt: .distantPast, address: "", device: "")
    }

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("id", &id)
        try columns.column("user_id", &userId)
        try columns.column("created_at", &createdAt)
        try columns.column("last_seen_at", &lastSeenAt)
        try columns.column("address", &address)
        try columns.column("device", &device)
    }
}
