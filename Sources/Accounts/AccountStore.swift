import Foundation
import GRDB
import RoostSupport

enum AccountStore {
    static let select = "SELECT \(User.selection(of: "users")) FROM users"
}

extension Reads {
    func users() throws -> [User] {
        try database.rows(AccountStore.select + " ORDER BY users.id").readable { try User($0) }
    }

    func user(_ id: UserID) throws -> User? {
        try database.rows(AccountStore.select + " WHERE users.id = ?", [id])
            .readable { try User($0) }.first
    }

    func user(key: String) throws -> User? {
        try database.rows(
            AccountStore.select + " WHERE name_key = ?1 OR email_key = ?1 ORDER BY name_key <> ?1", [key]
        )
        .readable { try User($0) }.first
    }

    func passwordHash(of id: UserID) throws -> String? {
        try database.value(String.self, "SELECT password_hash FROM users WHERE id = ?", [id])
    }

    /// True if this is still the user's stored hash, or if `hash` is nil.
    func isCurrentHash(_ hash: String?, of id: UserID) throws -> Bool {
        guard let hash else { return true }
        let stored = try database.value(String.self, "SELECT password_hash FROM users WHERE id = ?", [id])
        return stored == hash
    }

    func requiredUser(_ id: UserID) throws -> User {
        guard
            let row = try database.row(AccountStore.select + " WHERE users.id = ?", [id])
        else {
            throw RoostError.notFound("There is no such user.")
        }
        return try User(row)
    }

    func ownerCount(includingPlaceholder: Bool = false) throws -> Int {
        try database.value(
            Int.self,
            "SELECT count(*) FROM users WHERE role = 'owner'"
                + (includingPlaceholder ? "" : " AND is_stand_in = 0"))
            ?? 0
    }

    fileprivate func refuseLastOwner(field: String) throws {
        guard try ownerCount() > 1 else {
            throw RoostError.conflict(
                field: field, why: "Roost needs an owner. Make someone else an owner first.")
        }
    }

    fileprivate func refuseLookalike(
        _ names: [(field: String, name: String?)], except own: UserID?
    ) throws {
        for case (let field, let name?) in names {
            guard try !hasLookalike(name, except: own) else {
                throw RoostError.conflict(field: field, why: "Another member has this name.")
            }
        }
    }
}

extension Writes {
    func ensureOwner(placeholderName: String, at now: Date) throws {
        guard try ownerCount(includingPlaceholder: true) == 0 else { return }
        try database.execute(
            sql:
                "INSERT INTO users (username, name_key, role, is_stand_in, created_at) VALUES (?, ?, 'owner', 1, ?)",
            arguments: [placeholderName, Profile.key(placeholderName), now.stored])
    }

    /// Adds a user. The first owner reuses the placeholder's row, and so inherits everything that references it.
    ///
    /// Throws `RoostError.conflict` if another user has the name or the e-mail address.
    func addUser(
        _ profile: Profile, role: User.Role, passwordHash: String?, at now: Date
    ) throws -> User {
        let placeholder = try database.value(Int64.self, "SELECT id FROM users WHERE is_stand_in = 1")
        let inherits = role == .owner ? placeholder : nil
        try refuseDuplicate(profile, except: inherits, besides: placeholder)
        try refuseLookalike(
            [("username", profile.username), ("displayName", profile.displayName)], except: placeholder)
        let values: [(any DatabaseValueConvertible)?] = [
            profile.username, Profile.key(profile.username), profile.email,
            profile.email.map(Profile.key),
            profile.displayName, role.rawValue, AccountService.welcomeMessage(for: profile), passwordHash,
            now.stored,
        ]
        let id: UserID
        if let inherits {
            try database.execute(
                sql: """
                    UPDATE users SET username = ?, name_key = ?, email = ?, email_key = ?, display_name = ?,
                        role = ?, message = ?, password_hash = ?, created_at = ?, is_stand_in = 0
                    WHERE id = ?
                    """,
                arguments: StatementArguments(values + [inherits]))
            id = inherits
        } else {
            try database.execute(
                sql: """
                    INSERT INTO users (username, name_key, email, email_key, display_name, role, message,
                        password_hash, created_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: StatementArguments(values))
            id = database.lastInsertedRowID
        }
        return try requiredUser(id)
    }

    func changeUser(_ id: UserID, email: String?, displayName: String?, at now: Date) throws {
        let user = try requiredUser(id)
        let profile = try Profile(of: user, email: email, displayName: displayName)
        try refuseDuplicate(profile, except: id, besides: nil)
        if profile.displayName != user.displayName {
            try refuseLookalike([("displayName", profile.displayName)], except: id)
        }
        try database.execute(
            sql:
                "UPDATE users SET email = ?, email_key = ?, display_name = ?, updated_at = ? WHERE id = ?",
            arguments: [
                profile.email, profile.email.map(Profile.key), profile.displayName,
                now.stored, id,
            ])
        try updateShowsUsername()
    }

    /// Throws `RoostError.conflict` if no owner would remain.
    func setRole(_ role: User.Role, of id: UserID, at now: Date) throws -> User {
        let user = try requiredUser(id)
        if user.role == .owner, role != .owner {
            try refuseLastOwner(field: "role")
            try closeLinks(of: id, at: now)
        }
        try database.execute(
            sql: "UPDATE users SET role = ?, updated_at = ? WHERE id = ?",
            arguments: [role.rawValue, now.stored, id])
        return try requiredUser(id)
    }

    /// Removes a user and everything they own. Throws `RoostError.conflict` for the last owner.
    ///
    /// - Parameter verifiedHash: the stored hash that the user's password was checked against, or nil if it was not
    ///   checked; if it has changed, the password is wrong
    func removeUser(_ id: UserID, verifiedHash: String? = nil, at now: Date) throws {
        let user = try requiredUser(id)
        guard try isCurrentHash(verifiedHash, of: id) else {
            throw RoostError.invalid(field: "password", why: PasswordAuthenticator.wrongPassword)
        }
        if user.role == .owner {
            try refuseLastOwner(field: "user")
            try closeLinks(of: id, at: now)
        }
        try database.execute(sql: "DELETE FROM users WHERE id = ?", arguments: [id])
        try updateShowsUsername()
    }

    /// Replaces the hash with a more expensive one of the same password. Returns false and changes nothing if the
    /// password has been changed since.
    func upgradePasswordHash(of id: UserID, from old: String, to new: String) throws -> Bool {
        try database.execute(
            sql: "UPDATE users SET password_hash = ? WHERE id = ? AND password_hash = ?",
            arguments: [new, id, old])
        return database.changesCount > 0
    }

    /// A former owner may still know the codes of their join links and of reset links for other users.
    fileprivate func closeLinks(of owner: UserID, at now: Date) throws {
        try database.execute(
            sql: "UPDATE join_links SET revoked_at = ? WHERE created_by = ? AND revoked_at IS NULL",
            arguments: [now.stored, owner])
        try database.execute(sql: "DELETE FROM reset_links")
    }

    /// Frees the placeholder's name for the new user, by renaming the placeholder.
    fileprivate func refuseDuplicate(
        _ profile: Profile, except own: UserID?, besides placeholder: UserID?
    ) throws {
        let name = try database.value(
            Int64.self, "SELECT id FROM users WHERE name_key = ?", [Profile.key(profile.username)])
        if let name, name != own {
            guard name == placeholder else {
                throw RoostError.conflict(
                    field: "username", why: "There is already a user named “\(profile.username)”.")
            }
            try database.execute(
                sql: "UPDATE users SET username = ?, name_key = ? WHERE id = ?",
                // Users cannot choose names with an "@".
                arguments: ["nobody@\(name)", "nobody@\(name)", name])
        }
        guard let email = profile.email else { return }
        let holder = try Int64.fetchOne(
            database,
            // Names from early versions may contain an "@".
            sql: "SELECT id FROM users WHERE (email_key = ? OR name_key = ?) AND id <> coalesce(?, -1)",
            arguments: [Profile.key(email), Profile.key(email), own])
        if holder != nil {
            throw RoostError.conflict(field: "email", why: "This e-mail address belongs to another user.")
        }
    }
}
