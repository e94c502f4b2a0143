import Foundation
package import RoostSupport

/// The people of this Roost: their names, roles and pictures.
package final class AccountService: Sendable {
    /// The name of the owner that nobody has named yet.
    package static let standInName = "owner"

    private let identities: IdentityCache
    private let store: AccountStore
    private let avatars: AvatarStore
    private let gate: PasswordAuthenticator
    private let thumbnails: ThumbnailMaker
    private let audit: AuditLog
    private let clock: WallClock
    private let standIn: String

    init(
        identities: IdentityCache, gate: PasswordAuthenticator, thumbnails: ThumbnailMaker, audit: AuditLog,
        clock: WallClock, standInName: String
    ) {
        self.identities = identities
        store = AccountStore(database: identities.database)
        avatars = AvatarStore(database: identities.database)
        self.gate = gate
        self.thumbnails = thumbnails
        self.audit = audit
        self.clock = clock
        standIn = standInName
    }

    /// Everybody, the stand-in among them, in the order of their coming.
    package var users: [User] { get async throws { try await store.all() } }

    package func user(_ id: UserID) async throws -> User? { try await store.user(id) }

    /// The same from memory, for those who cannot wait for the disk.
    package func known(_ id: UserID) -> User? { identities.user(id) }

    /// A member's first name, or the whole name if another member's first name looks the same; nil for a deleted account.
    package func shortName(of id: UserID) -> String? { identities.shortName(of: id) }

    /// The first owner: whoever visits the demo. Nil before `load`.
    package var firstOwner: User? { identities.firstOwner }

    /// True until somebody has taken the stand-in's place.
    var needsOwner: Bool { !identities.hasOwner }

    /// The last owner can neither leave nor be demoted.
    package func isLastOwner(_ user: User) async throws -> Bool {
        guard user.role == .owner else { return false }
        return try await store.owners() <= 1
    }

    /// Reads who may ask, and makes the stand-in where there is no owner; once, before anything is asked.
    package func load() async throws {
        try await store.ensureOwner(standInName: standIn, at: clock.now())
        try identities.refresh()
    }

    /// Adds a user, as the operator on the command line does; the first owner inherits what the stand-in has.
    ///
    /// Throws `RoostError.invalid` and `.conflict`.
    @discardableResult
    package func add(
        _ profile: Profile, role: User.Role, password: String?, from origin: ClientInfo = .commandLine
    ) async throws -> User {
        var hash: String?
        if let password { hash = try await gate.newHash(of: password, for: profile) }
        let user = try await store.add(
            profile, role: role, message: Self.welcome(profile), passwordHash: hash, at: clock.now())
        await audit.record(
            .userAdded, actor: origin.address, subject: user.username, from: origin, detail: role.rawValue)
        return user
    }

    static func welcome(_ profile: Profile) -> String {
        "Welcome to Roost, \(profile.displayName ?? profile.username)."
    }

    /// The user of that name or e-mail address. Throws `RoostError.notFound`.
    package func user(named name: String) async throws -> User {
        guard let user = try await find(name) else {
            throw RoostError.notFound("There is no user named “\(name)”.")
        }
        return user
    }

    func find(_ name: String) async throws -> User? { try await store.user(key: Profile.key(name)) }

    /// Sets what others see. Throws `RoostError.invalid` and `.conflict`.
    package func change(_ user: UserID, email: String?, displayName: String?) async throws {
        _ = try await store.change(user, email: email, displayName: displayName, at: clock.now())
    }

    /// Makes somebody an owner or a member. Throws `RoostError.conflict` for the last owner.
    package func setRole(_ role: User.Role, of id: UserID, by actor: User?, from origin: ClientInfo)
        async throws
    {
        guard let before = try await user(id), !before.isStandIn else {
            throw RoostError.notFound("There is no such user.")
        }
        guard before.role != role else { return }
        let user = try await store.setRole(role, of: id, at: clock.now())
        await audit.record(
            .roleChanged, actor: actor?.username ?? origin.address, subject: user.username, from: origin,
            detail: role.rawValue)
    }

    /// Removes a user and all that is his: lists, displays, tokens and sessions. Throws `RoostError.conflict` for the
    /// last owner, and for oneself, who has to show the password.
    package func remove(_ id: UserID, by actor: User?, from origin: ClientInfo) async throws {
        guard let user = try await user(id), !user.isStandIn else {
            throw RoostError.notFound("There is no such user.")
        }
        guard id != actor?.userId else {
            throw RoostError.conflict(
                field: "user", why: "You delete your own account on the page Security, with your password.")
        }
        try await end(user, by: actor, from: origin)
    }

    private func end(
        _ user: User, shown: String? = nil, by actor: User?, from origin: ClientInfo
    ) async throws {
        _ = try await store.remove(user.userId, shown: shown, at: clock.now())
        await audit.record(
            .userRemoved, actor: actor?.username ?? origin.address, subject: user.username, from: origin)
    }

    /// Removes one's own account, once the password has been shown. Throws `RoostError.invalid` for a wrong one.
    package func leave(_ user: User, password: String, from origin: ClientInfo) async throws {
        let shown = try await gate.confirm(password, of: user, field: "password", from: origin)
        try await end(user, shown: shown, by: user, from: origin)
    }

    /// Sets or takes away (nil) a person's picture; of a large one a small copy is kept. Throws `RoostError.invalid` for what
    /// is no picture.
    package func setAvatar(_ bytes: [UInt8]?, of user: UserID) async throws {
        guard let bytes else { return try await avatars.remove(of: user) }
        var image = try CheckedImage(bytes)
        if !ThumbnailMaker.isSmall(image, for: .avatar) {
            guard let small = try await thumbnails.thumbnail(of: image, .avatar, key: Secret.make(bytes: 9))
            else {
                throw RoostError.invalid(
                    field: "avatar",
                    why: "This picture is damaged or incomplete. Save it again, or choose another one.")
            }
            image = small
        }
        try await avatars.set(image, version: Secret.make(bytes: 9), of: user)
    }

    /// The picture of that version, nil where it is another's by now.
    package func avatar(of user: UserID, version: String) async throws -> (mediaType: String, bytes: [UInt8])?
    {
        try await avatars.avatar(of: user, version: version)
    }
}

extension Topic {
    /// A person's own account: profile, sessions and tokens.
    package static func account(_ user: UserID) -> String { "account/\(user)" }
    /// Everybody's accounts and the join links, for owners.
    package static let members = "members"
}
