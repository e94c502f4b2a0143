import Foundation
package import RoostSupport
import Synchronization

/// How people come to have an account: the first by the setup code, all others by a join link.
package final class InvitationService: Sendable {
    /// A join link with its code; nil where it was sealed with another key.
    package typealias Listed = (link: JoinLink, code: LinkCode?)

    static let closed = "This join link is not valid any more. Ask whoever sent it for a new one."
    private static let wrongSetup = "This is not the setup code that Roost printed when it started."
    /// Links that have neither ended nor been withdrawn, at most.
    static let limit = 100
    /// How long a closed link is still listed, in seconds.
    private static let retention: TimeInterval = 30 * 86_400

    private let identities: IdentityCache
    private let store: JoinLinkStore
    private let openLinks: OpenLinks
    private let people: AccountStore
    private let sessions: SessionService
    private let gate: PasswordAuthenticator
    private let sealer: Sealer
    private let audit: AuditLog
    private let feed: ChangeFeed
    private let clock: WallClock
    private let code = LinkCode()

    init(
        identities: IdentityCache, sessions: SessionService, gate: PasswordAuthenticator, links: OpenLinks,
        sealer: Sealer, audit: AuditLog, feed: ChangeFeed, clock: WallClock
    ) {
        self.identities = identities
        store = links.joins
        openLinks = links
        people = AccountStore(database: identities.database)
        self.sessions = sessions
        self.gate = gate
        self.sealer = sealer
        self.audit = audit
        self.feed = feed
        self.clock = clock
    }

    /// The code of this start with which the first owner is made; nil once there is one.
    package var setupCode: LinkCode? { identities.hasOwner ? nil : code }

    /// Makes the first owner, who takes over what the stand-in has.
    ///
    /// Throws `RoostError.invalid`, `.conflict` once there is an owner, and `.tooMany`.
    package func setUp(
        code typed: String, _ profile: Profile, password: String, from origin: ClientInfo
    ) async throws -> User {
        guard setupCode != nil else { throw Self.isSetUp }
        try checkSetup(code: typed, from: origin)
        let hash = try await gate.newHash(of: password, for: profile)
        let user = try await people.add(
            profile, role: .owner, message: AccountService.welcome(profile), passwordHash: hash,
            at: clock.now()
        ) { database in
            if try AccountStore.owners(database) > 0 { throw Self.isSetUp }
        }
        await audit.record(.setUp, actor: user.username, from: origin)
        return user
    }

    private func checkSetup(code typed: String, from origin: ClientInfo) throws {
        try gate.admit(origin, to: "setup code")
        guard LinkCode(typed) == code else {
            gate.missed(origin, "setup code")
            throw RoostError.invalid(field: "code", why: Self.wrongSetup)
        }
    }

    private static let isSetUp = RoostError.conflict(
        field: "code", why: "Roost is set up already: sign in, or ask an owner for a join link.")

    /// The link that a code opens. Throws `RoostError.notFound` for one that lets nobody in any more.
    package func openLink(_ typed: String, from origin: ClientInfo) async throws -> JoinLink {
        let link = if let code = LinkCode(typed) { try await openLinks.join(code) } else { JoinLink?.none }
        guard let link, link.state(at: clock.now()) == .open else {
            try gate.admit(origin, to: "join code")
            if link == nil { gate.missed(origin, "join code") }
            throw RoostError.notFound(Self.closed)
        }
        return link
    }

    /// Makes a member by a join link, which is used up by one.
    ///
    /// Throws `RoostError.invalid`, `.conflict`, `.notFound` for a closed link, and `.tooMany`.
    package func join(
        code typed: String, _ profile: Profile, password: String, from origin: ClientInfo
    ) async throws -> User {
        let link = try await openLink(typed, from: origin)
        guard let code = LinkCode(typed) else { throw RoostError.notFound(Self.closed) }
        let hash = try await gate.newHash(of: password, for: profile)
        let now = clock.now()
        let user = try await people.add(
            profile, role: .member, message: AccountService.welcome(profile), passwordHash: hash, at: now,
            then: { [ends = openLinks.ends] in
                try JoinLinkStore.use(hash: code.hash, by: $0, at: ends.dateToJudge(code.hash), in: $1)
            })
        await audit.record(
            .joined, actor: user.username, from: origin,
            detail: link.note.isEmpty ? "join link \(link.id)" : link.note)
        return user
    }

    /// Signs somebody in who has just come.
    package func welcome(_ user: User, replacing old: String?, from origin: ClientInfo) async throws
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
            throw RoostError.invalid(field: "days", why: "A join link is open for 1 to 365 days.")
        }
        guard (1...100).contains(uses) else {
            throw RoostError.invalid(field: "uses", why: "A join link is good for 1 to 100 people.")
        }
        let (code, now) = (LinkCode(), clock.now())
        let id = try await store.add(
            hash: code.hash, sealed: try sealer.seal(code.description, as: Self.context(code.hash)),
            note: note,
            expiresAt: now + TimeInterval(days) * 86_400, uses: uses, by: owner.userId, at: now)
        openLinks.ends.note(code.hash, lasting: TimeInterval(days) * 86_400)
        feed.publish(Topic.members)
        await audit.record(.joinLinkMade, actor: owner.username, from: origin, detail: note)
        return (id, code)
    }

    /// All links, the newest first.
    package func links() async throws -> [Listed] {
        try await store.all().map { link, hash, sealed in
            let code = (try? sealer.open(sealed, as: Self.context(hash))).flatMap(LinkCode.init)
            return (link.lasting(until: openLinks.ends.end(of: hash)), code)
        }
    }

    /// A sealed code belongs to its own row: in another one's place it opens nothing.
    static func context(_ hash: [UInt8]) -> String {
        "join link " + Data(hash).base64EncodedString()
    }

    /// Throws `RoostError.notFound`.
    package func revoke(_ id: Int64, by owner: User, from origin: ClientInfo) async throws {
        guard let link = try await store.revoke(id, at: clock.now()) else {
            throw RoostError.notFound("There is no such join link.")
        }
        feed.publish(Topic.members)
        await audit.record(.joinLinkRevoked, actor: owner.username, from: origin, detail: link.note)
    }

    func tidy() async throws {
        let now = clock.now()
        try await store.clampMade(to: now)
        try await store.removeClosed(before: now - Self.retention)
    }
}
