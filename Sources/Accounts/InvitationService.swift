import Foundation
package import RoostSupport
import Synchronization

/// Creates accounts: the first with the setup code, all others with a join link.
package final class InvitationService: Sendable {
    /// A join link with its code; the code is nil if it was sealed with another key.
    package typealias Listed = (link: JoinLink, code: LinkCode?)

    static let closed = "This join link is no longer valid. Ask the person who sent it for a new one."
    private static let wrongSetup = "This is not the setup code that Roost printed when it started."
    /// The maximum number of links that are neither expired nor revoked.
    static let limit = 100
    /// How long a closed link stays in the list, in seconds.
    private static let retention: TimeInterval = 30 * 86_400

    private let identities: IdentityCache
    private let database: Database
    private let openLinks: OpenLinks
    private let sessions: SessionService
    private let authenticator: PasswordAuthenticator
    private let sealer: Sealer
    private let audit: AuditLog
    private let clock: WallClock
    private let code = LinkCode()

    init(
        identities: IdentityCache, sessions: SessionService, authenticator: PasswordAuthenticator,
        links: OpenLinks,
        sealer: Sealer, audit: AuditLog, clock: WallClock
    ) {
        self.identities = identities
        database = identities.database
        openLinks = links
        self.sessions = sessions
        self.authenticator = authenticator
        self.sealer = sealer
        self.audit = audit
        self.clock = clock
    }

    /// The setup code of this run, for creating the first owner; nil once there is one.
    package var setupCode: LinkCode? { identities.hasOwner ? nil : code }

    /// Creates the first owner, who inherits the placeholder owner's data. Throws `RoostError.invalid`, `.conflict`
    /// once there is an owner, and `.tooMany`.
    package func setUp(
        code typed: String, _ profile: Profile, password: String, from origin: ClientInfo
    ) async throws -> User {
        guard setupCode != nil else { throw Self.isSetUp }
        try checkSetup(code: typed, from: origin)
        let hash = try await authenticator.newHash(of: password, for: profile)
        let user = try await database.write { [now = clock.now()] writes in
            guard try writes.ownerCount() == 0 else { throw Self.isSetUp }
            return try writes.addUser(profile, role: .owner, passwordHash: hash, at: now)
        }
        await audit.record(.setUp, actor: user.username, from: origin)
        return user
    }

    private func checkSetup(code typed: String, from origin: ClientInfo) throws {
        try authenticator.admit(origin, to: "setup code")
        guard LinkCode(typed) == code else {
            authenticator.recordFailedCode(from: origin, "setup code")
            throw RoostError.invalid(field: "code", why: Self.wrongSetup)
        }
    }

    private static let isSetUp = RoostError.conflict(
        field: "code", why: "Roost is already set up. Sign in, or ask an owner for a join link.")

    /// The open link with this code. Throws `RoostError.notFound` for one that is closed or unknown.
    package func openLink(_ reads: Reads, _ typed: String, from origin: ClientInfo) throws -> JoinLink {
        let link = if let code = LinkCode(typed) { try openLinks.join(reads, code) } else { JoinLink?.none }
        guard let link, link.state(at: clock.now()) == .open else {
            try authenticator.admit(origin, to: "join code")
            if link == nil { authenticator.recordFailedCode(from: origin, "join code") }
            throw RoostError.notFound(Self.closed)
        }
        return link
    }

    package func openLink(_ typed: String, from origin: ClientInfo) async throws -> JoinLink {
        try await database.read { try openLink($0, typed, from: origin) }
    }

    /// Creates a member and counts one use of the join link. Throws `RoostError.invalid`, `.conflict`, `.notFound` for
    /// a closed link, and `.tooMany`.
    package func join(
        code typed: String, _ profile: Profile, password: String, from origin: ClientInfo
    ) async throws -> User {
        let link = try await openLink(typed, from: origin)
        guard let code = LinkCode(typed) else { throw RoostError.notFound(Self.closed) }
        let hash = try await authenticator.newHash(of: password, for: profile)
        let user = try await database.write { [now = clock.now(), ends = openLinks.ends] writes in
            let user = try writes.addUser(profile, role: .member, passwordHash: hash, at: now)
            try writes.useJoinLink(
                hash: code.hash, by: user.userId, at: ends.comparisonDate(for: code.hash))
            return try writes.requiredUser(user.userId)
        }
        await audit.record(
            .joined, actor: user.username, from: origin,
            detail: link.note.isEmpty ? "join link \(link.id)" : link.note)
        return user
    }

    package func beginSession(for user: User, replacing old: String?, from origin: ClientInfo) async throws
        -> SessionService.NewSession
    {
        try await sessions.begin(for: user, replacing: old, from: origin)
    }

    /// Makes a join link. Throws `RoostError.invalid` for "note", "days" (1 to 365) and "uses" (1 to 100).
    @discardableResult
    package func invite(
        note: String, days: Int, uses: Int, by owner: User, from origin: ClientInfo
    ) async throws -> (id: Int64, code: LinkCode) {
        let note = note.trimmed
        guard note.unicodeScalars.count <= 64,
            note.unicodeScalars.allSatisfy(Profile.isPrintable)
        else {
            throw RoostError.invalid(field: "note", why: "A note has at most 64 characters.")
        }
        guard (1...365).contains(days) else {
            throw RoostError.invalid(field: "days", why: "A join link is valid for 1 to 365 days.")
        }
        guard (1...100).contains(uses) else {
            throw RoostError.invalid(field: "uses", why: "A join link is for 1 to 100 people.")
        }
        let (code, now) = (LinkCode(), clock.now())
        let sealed = try sealer.seal(code.description, as: Self.context(code.hash))
        let id = try await database.write { writes in
            writes.publish(Topic.members)
            return try writes.addJoinLink(
                hash: code.hash, sealed: sealed, note: note, expiresAt: now + TimeInterval(days) * 86_400,
                uses: uses, by: owner.userId, at: now)
        }
        openLinks.ends.note(code.hash, lasting: TimeInterval(days) * 86_400)
        await audit.record(.joinLinkMade, actor: owner.username, from: origin, detail: note)
        return (id, code)
    }

    package func links(_ reads: Reads) throws -> [Listed] {
        try reads.joinLinks().map { link, hash, sealed in
            let code = (try? sealer.open(sealed, as: Self.context(hash))).flatMap(LinkCode.init)
            return (link.extended(until: openLinks.ends.expiration(of: hash)), code)
        }
    }

    package func links() async throws -> [Listed] { try await database.read { try links($0) } }

    /// Binds a sealed code to its row: copied to another row, it cannot be unsealed.
    static func context(_ hash: [UInt8]) -> String {
        "join link " + Data(hash).base64EncodedString()
    }

    /// Throws `RoostError.notFound`.
    package func revoke(_ id: Int64, by owner: User, from origin: ClientInfo) async throws {
        let link = try await database.write { [now = clock.now()] writes in
            guard let link = try writes.revokeJoinLink(id, at: now) else {
                throw RoostError.notFound("There is no such join link.")
            }
            writes.publish(Topic.members)
            return link
        }
        await audit.record(.joinLinkRevoked, actor: owner.username, from: origin, detail: link.note)
    }

    func cleanUp() async throws {
        let now = clock.now()
        try await database.write { try $0.clampJoinLinks(to: now) }
        try await database.write { try $0.removeClosedJoinLinks(before: now - Self.retention) }
    }
}
