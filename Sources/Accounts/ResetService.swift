package import Foundation
package import RoostSupport

/// Forgotten passwords: there is no mail, so an owner hands over a link, once.
package final class ResetService: Sendable {
    static let closed = "This link is not valid any more. Ask an owner for a new one."
    /// How long a link is good, in seconds.
    package static let lifetime: TimeInterval = 86_400

    private let store: ResetLinkStore
    private let openLinks: OpenLinks
    private let accounts: AccountService
    private let sessions: SessionStore
    private let gate: PasswordAuthenticator
    private let audit: AuditLog
    private let clock: WallClock
    private let ends: SteadyEnds<[UInt8]>

    init(
        identities: IdentityCache, accounts: AccountService, gate: PasswordAuthenticator, links: OpenLinks,
        audit: AuditLog, clock: WallClock
    ) {
        store = links.resets
        openLinks = links
        sessions = SessionStore(database: identities.database)
        self.accounts = accounts
        self.gate = gate
        self.audit = audit
        self.clock = clock
        ends = links.ends
    }

    /// Makes a link for a user, which ends the one before. Throws `RoostError.notFound`, and `.conflict` for oneself:
    /// who sits at somebody's open session shall not get round the password.
    package func makeLink(
        for id: UserID, by actor: User?, from origin: ClientInfo = .commandLine
    ) async throws -> LinkCode {
        guard let user = try await accounts.user(id), !user.isStandIn else {
            throw RoostError.notFound("There is no such user.")
        }
        guard id != actor?.userId else {
            throw RoostError.conflict(
                field: "user", why: "You change your own password on the page Security.")
        }
        let code = LinkCode()
        try await store.make(hash: code.hash, for: id, expiresAt: clock.now() + Self.lifetime)
        ends.note(code.hash, lasting: Self.lifetime)
        await audit.record(
            .resetLinkMade, actor: actor?.username ?? origin.address, subject: user.username, from: origin)
        return code
    }

    /// Whose password a link sets. Throws `RoostError.notFound` for a closed one, and `.tooMany`.
    package func user(of typed: String, from origin: ClientInfo) async throws -> User {
        guard let code = LinkCode(typed), let id = try await openLinks.reset(code),
            let user = try await accounts.user(id)
        else {
            try gate.admit(origin, to: "reset code")
            gate.missed(origin, "reset code")
            throw RoostError.notFound(Self.closed)
        }
        return user
    }

    /// Sets the password by a link, which is used up; every session of the user ends and a new one begins.
    ///
    /// Throws `RoostError.invalid("password")`, `.notFound` and `.tooMany`.
    /// - Parameters:
    ///   - revokesTokens: the user's API tokens end as well
    ///   - old: the cookie that the browser brought; its session ends, whosever it is
    package func reset(
        code typed: String, password: String, revokesTokens: Bool = false, replacing old: String? = nil,
        from origin: ClientInfo
    ) async throws -> SessionService.NewSession {
        let user = try await user(of: typed, from: origin)
        guard let code = LinkCode(typed) else { throw RoostError.notFound(Self.closed) }
        let hash = try await gate.newHash(of: password, for: Profile(of: user))
        let new = SessionService.NewSecrets()
        let done = try await sessions.setPassword(
            hash, of: user.userId, revokesTokens: revokesTokens, session: Secret.hash(new.session),
            device: Secret.hash(new.device),
            replacing: old.map(Secret.hash), from: origin,
            reset: (code.hash, ends.dateToJudge(code.hash)), at: clock.now())
        await audit.record(.passwordReset, actor: user.username, from: origin)
        await audit.recordRevoked(done.revokedTokens, of: user.username, by: user.username, from: origin)
        return new.begun(for: user, isNewDevice: done.isNewDevice)
    }

    /// Clamps what a clock that was ahead has made last for longer than a link does.
    func tidy() async throws { try await store.clamp(to: Self.lifetime, at: clock.now()) }

    /// Sets a password as the operator does, on the command line; every session of the user ends.
    package func set(_ password: String, of user: User) async throws {
        let hash = try await gate.newHash(of: password, for: Profile(of: user))
        try await sessions.setPassword(
            hash, of: user.userId, session: nil, from: .commandLine, at: clock.now())
        await audit.record(
            .passwordReset, actor: ClientInfo.commandLine.address, subject: user.username, from: .commandLine)
    }
}
