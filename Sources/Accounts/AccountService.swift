import Foundation
package import RoostSupport

package final class AccountService: Sendable {
    /// The name of the placeholder owner, until someone sets Roost up.
    package static let placeholderName = "owner"

    private let identities: IdentityCache
    let database: Database
    private let authenticator: PasswordAuthenticator
    private let thumbnails: ThumbnailMaker
    private let audit: AuditLog
    private let clock: WallClock
    private let placeholderName: String

    init(
        identities: IdentityCache, authenticator: PasswordAuthenticator, thumbnails: ThumbnailMaker,
        audit: AuditLog,
        clock: WallClock, placeholderName: String
    ) {
        self.identities = identities
        database = identities.database
        self.authenticator = authenticator
        self.thumbnails = thumbnails
        self.audit = audit
        self.clock = clock
        self.placeholderName = placeholderName
    }

    package var users: [User] { get async throws { try await database.read(users) } }

    package func users(_ reads: Reads) throws -> [User] { try reads.users() }

    package func user(_ reads: Reads, _ id: UserID) throws -> User? { try reads.user(id) }

    package func user(_ id: UserID) async throws -> User? { try await database.read { try user($0, id) } }

    /// The user from memory, without a database read.
    package func cachedUser(_ id: UserID) -> User? { identities.user(id) }

    /// The user's formats from memory. Call after the user was found.
    package func formats(of id: UserID) -> FormatPreferences {
        identities.formats(of: id) ?? FormatPreferences()
    }

    /// Replaces the user's formats by what `change` makes of them, and returns them. Throws `RoostError.invalid`, and what
    /// `change` throws.
    @discardableResult
    package func setFormats(
        of user: UserID, _ change: @escaping @Sendable (FormatPreferences) throws -> FormatPreferences
    ) async throws -> FormatPreferences {
        try await database.write { writes in
            let formats = try change(try writes.preferences(of: user)).checked()
            try writes.setPreferences(formats, of: user)
            try writes.reportChangedFormats()
            writes.publish(Topic.account(user))
            return formats
        }
    }

    /// A member's first name, or the whole name if another's first name looks the same; nil for a deleted account.
    package func shortName(of id: UserID) -> String? { identities.shortName(of: id) }

    /// The owner with the oldest account, whom demo visitors act as. Nil before `load`.
    package var firstOwner: User? { identities.firstOwner }

    var needsOwner: Bool { !identities.hasOwner }

    /// True for the only owner, who can neither leave nor be demoted.
    package func isLastOwner(_ reads: Reads, _ user: User) throws -> Bool {
        guard user.role == .owner else { return false }
        return try reads.ownerCount() <= 1
    }

    /// Reads the accounts, and creates the placeholder owner if there is no owner. Call once, before anything else.
    package func load() async throws {
        try await database.write { [placeholderName, now = clock.now()] writes in
            try writes.ensureOwner(placeholderName: placeholderName, at: now)
        }
        try identities.refresh()
    }

    /// Adds a user, as the operator does on the command line. The first owner inherits the placeholder owner's data.
    /// Throws `RoostError.invalid` and `.conflict`.
    @discardableResult
    package func add(
        _ profile: Profile, role: User.Role, password: String?, from origin: ClientInfo = .commandLine
    ) async throws -> User {
        var hash: String?
        if let password { hash = try await authenticator.newHash(of: password, for: profile) }
        let user = try await database.write { [hash, now = clock.now()] writes in
            try writes.addUser(profile, role: role, passwordHash: hash, at: now)
        }
        await audit.record(
            .userAdded, actor: origin.address, subject: user.username, from: origin, detail: role.rawValue)
        return user
    }

    static func welcomeMessage(for profile: Profile) -> String {
        "Welcome to Roost, \(profile.displayName ?? profile.username)."
    }

    /// The user of that name or e-mail address. Throws `RoostError.notFound`.
    package func user(named name: String) async throws -> User {
        guard let user = try await find(name) else {
            throw RoostError.notFound("There is no user named “\(name)”.")
        }
        return user
    }

    func find(_ name: String) async throws -> User? {
        try await database.read { try $0.user(key: Profile.key(name)) }
    }

    /// Sets the user's public details. Throws `RoostError.invalid` and `.conflict`.
    package func change(_ user: UserID, email: String?, displayName: String?) async throws {
        try await database.write { [now = clock.now()] writes in
            try writes.changeUser(user, email: email, displayName: displayName, at: now)
        }
    }

    /// Makes a user an owner or a member. Throws `RoostError.conflict` for the last owner.
    package func setRole(_ role: User.Role, of id: UserID, by actor: User?, from origin: ClientInfo)
        async throws
    {
        guard let before = try await user(id), !before.isPlaceholder else {
            throw RoostError.notFound("There is no such user.")
        }
        guard before.role != role else { return }
        let user = try await database.write { [now = clock.now()] writes in
            try writes.setRole(role, of: id, at: now)
        }
        await audit.record(
            .roleChanged, actor: actor?.username ?? origin.address, subject: user.username, from: origin,
            detail: role.rawValue)
    }

    /// Removes a user with their lists, displays, tokens and sessions. Throws `RoostError.conflict` for the last owner,
    /// and for the actor's own account, which needs the password.
    package func remove(_ id: UserID, by actor: User?, from origin: ClientInfo) async throws {
        guard let user = try await user(id), !user.isPlaceholder else {
            throw RoostError.notFound("There is no such user.")
        }
        guard id != actor?.userId else {
            throw RoostError.conflict(
                field: "user", why: "Delete your own account on the Security page.")
        }
        try await removeUser(user, by: actor, from: origin)
    }

    private func removeUser(
        _ user: User, verifiedHash: String? = nil, by actor: User?, from origin: ClientInfo
    ) async throws {
        try await database.write { [now = clock.now()] writes in
            try writes.removeUser(user.userId, verifiedHash: verifiedHash, at: now)
        }
        await audit.record(
            .userRemoved, actor: actor?.username ?? origin.address, subject: user.username, from: origin)
    }

    /// Removes the user's own account after checking the password. Throws `RoostError.invalid` for a wrong one.
    package func leave(_ user: User, password: String, from origin: ClientInfo) async throws {
        let verifiedHash = try await authenticator.confirm(
            password, of: user, field: "password", from: origin)
        try await removeUser(user, verifiedHash: verifiedHash, by: user, from: origin)
    }

    /// Sets a user's picture, or removes it (nil). Large pictures are stored as a small copy. Throws
    /// `RoostError.invalid` for bytes that are not a picture.
    package func setAvatar(_ bytes: [UInt8]?, of user: UserID) async throws {
        guard let bytes else { return try await database.write { try $0.removeAvatar(of: user) } }
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
        try await database.write { [image] writes in
            try writes.setAvatar(image, version: Secret.make(bytes: 9), of: user)
        }
    }

    package func avatar(of user: UserID, version: String) async throws -> (mediaType: String, bytes: [UInt8])?
    {
        try await database.read { try $0.avatar(of: user, version: version) }
    }
}

extension Topic {
    /// One account's profile, sessions and tokens.
    package static func account(_ user: UserID) -> String { "account/\(user)" }
    /// All accounts and the join links, for owners.
    package static let members = "members"
}
