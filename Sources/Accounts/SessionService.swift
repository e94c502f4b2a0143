package import Foundation
package import RoostSupport

/// Signing in and out.
package final class SessionService: Sendable {
    /// A session that has just begun, with the only copy of its secret: the cookie's value.
    package struct NewSession: Sendable {
        package let secret: String
        package let user: User
        /// What this browser proves from now on that the user has signed in on it; nil where it could before.
        package let deviceSecret: String?
    }

    /// The two secrets that a browser gets when somebody signs in on it.
    struct NewSecrets {
        let session = Secret.make(bytes: 32)
        let device = Secret.make(bytes: 32)

        func begun(for user: User, isNewDevice: Bool) -> NewSession {
            NewSession(secret: session, user: user, deviceSecret: isNewDevice ? device : nil)
        }
    }

    /// Equal words whether there is such a user or not.
    package static let refusal = "The name or the password is wrong."
    /// A sight is worth a new time only after this, in seconds.
    private static let sightInterval: TimeInterval = 1

    private let identities: IdentityCache
    private let store: SessionStore
    private let accounts: AccountService
    private let gate: PasswordAuthenticator
    private let audit: AuditLog
    private let clock: WallClock

    init(
        identities: IdentityCache, accounts: AccountService, gate: PasswordAuthenticator, audit: AuditLog,
        clock: WallClock
    ) {
        self.identities = identities
        store = SessionStore(database: identities.database)
        self.accounts = accounts
        self.gate = gate
        self.audit = audit
        self.clock = clock
    }

    /// The session and the person behind a cookie, nil for an unknown, ended or forgotten one.
    package func find(secret: String, from address: String) -> (session: Session, user: User)? {
        guard secret.utf8.count == 43 else { return nil }
        let now = clock.now()
        guard let found = identities.session(hash: Secret.hash(secret), at: now) else { return nil }
        let isFresh = abs(now.timeIntervalSince(found.session.lastSeenAt)) < Self.sightInterval
        if !isFresh || found.session.address != address { identities.markSeen(found.session, from: address) }
        return found
    }

    /// Begins a session for whoever shows the right password, by user name or e-mail address.
    ///
    /// - Parameter old: the cookie that the browser brought; its session ends
    /// - Throws: `RoostError.unknownVisitor` in equal words and time for a wrong name and a wrong password,
    ///   `.tooMany` while the throttle lasts
    package func signIn(
        _ name: String, password: String, replacing old: String?, from origin: ClientInfo
    ) async throws -> NewSession {
        // Bytes, since one character may have thousands of marks, and folding them takes the square of their number.
        let isPossible = name.utf8.count <= Profile.maximumBytes
        let user = isPossible ? try await accounts.find(name) : nil
        // As it was typed: one wait for a user name and its e-mail address would tell that they belong together.
        let account = isPossible ? Profile.key(name) : ""
        guard let shown = try await gate.proof(of: password, by: user, typed: account, from: origin), let user
        else {
            // What was typed may be a password in the wrong field: only names that exist are written down.
            audit.noteFailure(of: user?.username ?? "", from: origin)
            throw RoostError.unknownVisitor(Self.refusal)
        }
        let begun = try await begin(for: user, replacing: old, shown: shown, from: origin)
        await audit.record(.signedIn, actor: user.username, from: origin, detail: origin.device)
        return begun
    }

    /// - Parameter shown: the stored hash whose password was shown: if it is another one by now, that password is wrong
    func begin(
        for user: User, replacing old: String?, shown: String? = nil, from origin: ClientInfo
    ) async throws -> NewSession {
        let new = NewSecrets()
        let isNewDevice = try await store.begin(
            for: user.userId, hash: Secret.hash(new.session), device: Secret.hash(new.device),
            replacing: old.map(Secret.hash), shown: shown, from: origin, at: clock.now())
        return new.begun(for: user, isNewDevice: isNewDevice)
    }

    package func signOut(_ user: User, secret: String, from origin: ClientInfo) async throws {
        try await store.end(hash: Secret.hash(secret))
        await audit.record(.signedOut, actor: user.username, from: origin)
    }

    /// Ends all of a person's sessions, but the one named.
    package func endAll(of user: User, but exception: Int64? = nil, by actor: User, from origin: ClientInfo)
        async throws
    {
        guard try await store.endAll(of: user.userId, but: exception) > 0 else { return }
        await audit.record(
            .sessionsEnded, actor: actor.username, subject: user.username, from: origin,
            detail: exception == nil ? "everywhere" : "on all other devices")
    }

    /// Ends one session, of this user or (nil) of anybody. Throws `RoostError.notFound`.
    package func end(_ id: Int64, of user: UserID?, by actor: User, from origin: ClientInfo) async throws {
        let session = try await sessions(of: user).first { $0.id == id }
        guard let session, try await store.end(id, of: user) else {
            throw RoostError.notFound("There is no such session.")
        }
        await audit.record(
            .sessionEnded, actor: actor.username,
            subject: try await accounts.user(session.userId)?.username ?? "", from: origin,
            detail: session.device)
    }

    /// The sessions of a person or, for nil, of everybody, the one seen last first.
    package func sessions(of user: UserID? = nil) async throws -> [Session] {
        let now = clock.now()
        return identities.seen(try await store.all(of: user)).filter { !$0.isOver(at: now) }
            .sorted { ($0.lastSeenAt, $0.id) > ($1.lastSeenAt, $1.id) }
    }

    /// Sets a new password once the current one has been shown; every session ends, and a new one begins here.
    ///
    /// Throws `RoostError.invalid` for "current" and "password".
    /// - Parameter revokesTokens: the user's API tokens end as well
    package func changePassword(
        of user: User, current: String, to password: String, revokesTokens: Bool = false,
        from origin: ClientInfo
    ) async throws -> NewSession {
        let shown = try await gate.confirm(current, of: user, field: "current", from: origin)
        let hash = try await gate.newHash(of: password, for: Profile(of: user))
        let new = NewSecrets()
        let done = try await store.setPassword(
            hash, of: user.userId, revokesTokens: revokesTokens, session: Secret.hash(new.session),
            device: Secret.hash(new.device), from: origin, shown: shown, at: clock.now())
        await audit.record(.passwordChanged, actor: user.username, from: origin)
        await audit.recordRevoked(done.revokedTokens, of: user.username, by: user.username, from: origin)
        return new.begun(for: user, isNewDevice: done.isNewDevice)
    }

    /// Writes down when sessions and tokens were last used, and ends what nobody has used for thirty days.
    func tidy() async throws {
        try await identities.save()
        let now = clock.now()
        let seen = identities.seen(try await store.all(of: nil)).map(\.lastSeenAt)
        if seen.contains(where: { $0 > now + ClockSkew.tolerance }) { try await store.clampSeen(to: now) }
        let limit = now - Session.idleLimit
        if seen.contains(where: { $0 < limit }) { try await store.endIdle(since: limit) }
    }
}

/// A browser that is signed in; of its cookie only the hash is kept.
package struct Session: Equatable, Sendable, Identifiable {
    package let id: Int64
    package let userId: UserID
    package let createdAt: Date
    package var lastSeenAt: Date
    /// From where it was last seen: "192.168.1.7".
    package var address: String
    /// "Firefox on Linux"
    package let device: String

    /// A session ends after thirty days without use; in seconds.
    static let idleLimit: TimeInterval = 30 * 86_400

    package func isOver(at now: Date) -> Bool { now.timeIntervalSince(lastSeenAt) > Self.idleLimit }
}
