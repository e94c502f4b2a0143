package import Foundation
package import RoostSupport

/// Resets forgotten passwords. Roost sends no mail, so an owner passes on a link that works once.
package final class ResetService: Sendable {
    static let closed = "This link is no longer valid. Ask an owner for a new one."
    /// How long a link is valid, in seconds.
    package static let lifetime: TimeInterval = 86_400

    private let database: Database
    private let openLinks: OpenLinks
    private let accounts: AccountService
    private let authenticator: PasswordAuthenticator
    private let audit: AuditLog
    private let clock: WallClock
    private let ends: SteadyExpirations<[UInt8]>

    init(
        identities: IdentityCache, accounts: AccountService, authenticator: PasswordAuthenticator,
        links: OpenLinks,
        audit: AuditLog, clock: WallClock
    ) {
        database = identities.database
        openLinks = links
        self.accounts = accounts
        self.authenticator = authenticator
        self.audit = audit
        self.clock = clock
        ends = links.ends
    }

    /// Makes a link for a user and ends the previous one. Throws `RoostError.notFound`, and `.conflict` for the actor's
    /// own account: someone at another person's open session must not bypass the password.
    package func makeLink(
        for id: UserID, by actor: User?, from origin: ClientInfo = .commandLine
    ) async throws -> LinkCode {
        guard let user = try await accounts.user(id), !user.isPlaceholder else {
            throw RoostError.notFound("There is no such user.")
        }
        guard id != actor?.userId else {
            throw RoostError.conflict(
                field: "user", why: "Change your own password on the Security page.")
        }
        let code = LinkCode()
        try await database.write { [now = clock.now()] writes in
            try writes.makeResetLink(hash: code.hash, for: id, expiresAt: now + Self.lifetime)
        }
        ends.note(code.hash, lasting: Self.lifetime)
        await audit.record(
            .resetLinkMade, actor: actor?.username ?? origin.address, subject: user.username, from: origin)
        return code
    }

    /// The user whose password a link sets. Throws `RoostError.notFound` for a closed one, and `.tooMany`.
    package func user(_ reads: Reads, of typed: String, from origin: ClientInfo) throws -> User {
        guard let code = LinkCode(typed), let id = try openLinks.reset(reads, code),
            let user = try accounts.user(reads, id)
        else {
            try authenticator.admit(origin, to: "reset code")
            authenticator.recordFailedCode(from: origin, "reset code")
            throw RoostError.notFound(Self.closed)
        }
        return user
    }

    package func user(of typed: String, from origin: ClientInfo) async throws -> User {
        try await database.read { try user($0, of: typed, from: origin) }
    }

    /// Sets the password with a reset link, which is used up. All sessions of the user end and a new one begins. Throws
    /// `RoostError.invalid("password")`, `.notFound` and `.tooMany`.
    ///
    /// - Parameters:
    ///   - revokesTokens: whether to revoke the user's API tokens too
    ///   - old: the cookie that the browser sent; its session ends, whichever user it belongs to
    package func reset(
        code typed: String, password: String, revokesTokens: Bool = false, replacing old: String? = nil,
        from origin: ClientInfo
    ) async throws -> SessionService.NewSession {
        let user = try await user(of: typed, from: origin)
        guard let code = LinkCode(typed) else { throw RoostError.notFound(Self.closed) }
        let hash = try await authenticator.newHash(of: password, for: Profile(of: user))
        let secrets = SessionService.NewSecrets()
        let result = try await database.write { [now = clock.now(), ends] writes in
            try writes.setPassword(
                hash, of: user.userId, revokesTokens: revokesTokens, session: Secret.hash(secrets.session),
                device: Secret.hash(secrets.device), replacing: old.map(Secret.hash), from: origin,
                reset: (code.hash, ends.comparisonDate(for: code.hash)), at: now)
        }
        await audit.record(.passwordReset, actor: user.username, from: origin)
        await audit.recordRevoked(result.revokedTokens, of: user.username, by: user.username, from: origin)
        return secrets.newSession(for: user, isNewDevice: result.isNewDevice)
    }

    func cleanUp() async throws {
        try await database.write { [now = clock.now()] writes in
            try writes.clampResetLinks(to: Self.lifetime, at: now)
        }
    }

    /// Sets a password, as the operator does on the command line. All sessions of the user end.
    package func set(_ password: String, of user: User) async throws {
        let hash = try await authenticator.newHash(of: password, for: Profile(of: user))
        _ = try await database.write { [now = clock.now()] writes in
            try writes.setPassword(hash, of: user.userId, session: nil, from: .commandLine, at: now)
        }
        await audit.record(
            .passwordReset, actor: ClientInfo.commandLine.address, subject: user.username, from: .commandLine)
    }
}
