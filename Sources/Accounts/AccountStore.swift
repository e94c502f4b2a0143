import Foundation
import GRDB
import RoostSupport

/// Users in SQLite.
struct AccountStore: Sendable {
    let database: any DatabaseWriter

    static let select = """
        SELECT users.id, username, email, display_name, role, message, is_stand_in, users.created_at, updated_at,
            joined_with, shows_username, password_hash, avatars.version AS avatar
        FROM users LEFT JOIN avatars ON avatars.user_id = users.id
        """

    static func user(_ row: Row) throws -> User {
        User(
            userId: try row.id("id"), username: try row.text("username"),
            email: try row.textIfPresent("email"), displayName: try row.textIfPresent("display_name"),
            role: try row.choice("role"), message: try row.text("message"),
            createdAt: try row.time("created_at"), updatedAt: try row.timeIfPresent("updated_at"),
            // Of another table: a person is not left out for a picture.
            avatar: (try? row.textIfPresent("avatar")) ?? nil, joinedWith: try row.idIfPresent("joined_with"),
            isStandIn: try row.value("is_stand_in"), showsUsername: try row.value("shows_username"))
    }

    /// Everybody, in the order of their coming.
    func all() async throws -> [User] {
        try await database.fetch { database in
            try Row.fetchAll(database.cachedStatement(sql: Self.select + " ORDER BY users.id")).readable(
                Self.user)
        }
    }

    func user(_ id: UserID) async throws -> User? {
        try await database.fetch { database in
            try Row.fetchAll(
                database.cachedStatement(sql: Self.select + " WHERE users.id = ?"), arguments: [id]
            )
            .readable(Self.user).first
        }
    }

    /// The user of that name or else of that e-mail address.
    func user(key: String) async throws -> User? {
        try await database.fetch { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: Self.select + " WHERE name_key = ?1 OR email_key = ?1 ORDER BY name_key <> ?1"),
                arguments: [key]
            )
            .readable(Self.user).first
        }
    }

    /// How many owners there are, without the stand-in.
    func owners() async throws -> Int { try await database.fetch { try Self.owners($0) } }

    /// Makes the stand-in when there is no owner at all.
    func ensureOwner(standInName: String, at now: Date) async throws {
        try await database.write { database in
            guard try Self.owners(database, real: false) == 0 else { return }
            try database.execute(
                sql:
                    "INSERT INTO users (username, name_key, role, is_stand_in, created_at) VALUES (?, ?, 'owner', 1, ?)",
                arguments: [standInName, Profile.key(standInName), now.timeIntervalSince1970])
        }
    }

    /// Adds a user; the first owner takes the stand-in's row over, and with it all that hangs on it.
    ///
    /// - Parameters:
    ///   - check: runs in the same transaction, before anything is written, and may refuse by throwing
    ///   - then: runs in it once the user is there, and may refuse as well
    /// - Throws: `RoostError.conflict` when the name or the e-mail address is somebody else's
    func add(
        _ profile: Profile, role: User.Role, message: String = "", passwordHash: String?, at now: Date,
        check: @escaping @Sendable (GRDB.Database) throws -> Void = { _ in },
        then: @escaping @Sendable (UserID, GRDB.Database) throws -> Void = { _, _ in }
    ) async throws -> User {
        try await database.write { database in
            try check(database)
            let standIn = try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT id FROM users WHERE is_stand_in = 1"))
            let inherits = role == .owner ? standIn : nil
            try Self.refuseTaken(profile, except: inherits, besides: standIn, in: database)
            try Self.refuseLookalike(
                [("username", profile.username), ("displayName", profile.displayName)], except: standIn,
                in: database)
            let values: [(any DatabaseValueConvertible)?] = [
                profile.username, Profile.key(profile.username), profile.email,
                profile.email.map(Profile.key),
                profile.displayName, role.rawValue, message, passwordHash, now.timeIntervalSince1970,
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
            try then(id, database)
            return try Self.one(id, in: database)
        }
    }

    func change(_ id: UserID, email: String?, displayName: String?, at now: Date) async throws -> User {
        try await database.write { database in
            let user = try Self.one(id, in: database)
            let profile = try Profile(of: user, email: email, displayName: displayName)
            try Self.refuseTaken(profile, except: id, besides: nil, in: database)
            if profile.displayName != user.displayName {
                try Self.refuseLookalike([("displayName", profile.displayName)], except: id, in: database)
            }
            try database.execute(
                sql:
                    "UPDATE users SET email = ?, email_key = ?, display_name = ?, updated_at = ? WHERE id = ?",
                arguments: [
                    profile.email, profile.email.map(Profile.key), profile.displayName,
                    now.timeIntervalSince1970, id,
                ])
            try NamesakeRecord.mark(in: database)
            return try Self.one(id, in: database)
        }
    }

    /// Throws `RoostError.conflict` where the last owner would be none any more.
    func setRole(_ role: User.Role, of id: UserID, at now: Date) async throws -> User {
        try await database.write { database in
            let user = try Self.one(id, in: database)
            if user.role == .owner, role != .owner {
                try Self.refuseLastOwner(field: "role", in: database)
                try Self.closeLinks(of: id, at: now, in: database)
            }
            try database.execute(
                sql: "UPDATE users SET role = ?, updated_at = ? WHERE id = ?",
                arguments: [role.rawValue, now.timeIntervalSince1970, id])
            return try Self.one(id, in: database)
        }
    }

    /// Removes a user with all that is his. Throws `RoostError.conflict` for the last owner.
    ///
    /// - Parameter shown: the stored hash of his password where he had to show it; it must still be his
    func remove(_ id: UserID, shown: String? = nil, at now: Date) async throws -> User {
        try await database.write { database in
            let user = try Self.one(id, in: database)
            guard try Self.holds(shown, id, in: database) else {
                throw RoostError.invalid(field: "password", why: PasswordAuthenticator.notYours)
            }
            if user.role == .owner {
                try Self.refuseLastOwner(field: "user", in: database)
                try Self.closeLinks(of: id, at: now, in: database)
            }
            try database.execute(sql: "DELETE FROM users WHERE id = ?", arguments: [id])
            try NamesakeRecord.mark(in: database)
            return user
        }
    }

    /// Nil for a user without a password.
    func passwordHash(of id: UserID) async throws -> String? {
        try await database.fetch { database in
            try String.fetchOne(
                database.cachedStatement(sql: "SELECT password_hash FROM users WHERE id = ?"), arguments: [id]
            )
        }
    }

    /// The same password with dearer parameters; false, and nothing is changed, if it is another one by now.
    func upgradePasswordHash(of id: UserID, from old: String, to new: String) async throws -> Bool {
        try await database.write { database in
            try database.execute(
                sql: "UPDATE users SET password_hash = ? WHERE id = ? AND password_hash = ?",
                arguments: [new, id, old])
            return database.changesCount > 0
        }
    }

    /// True while this is the user's stored hash; nil is nobody's claim.
    static func holds(_ hash: String?, _ id: UserID, in database: GRDB.Database) throws -> Bool {
        guard let hash else { return true }
        let stored = try String.fetchOne(
            database.cachedStatement(sql: "SELECT password_hash FROM users WHERE id = ?"), arguments: [id])
        return stored == hash
    }

    static func one(_ id: UserID, in database: GRDB.Database) throws -> User {
        guard
            let row = try Row.fetchOne(
                database.cachedStatement(sql: select + " WHERE users.id = ?"), arguments: [id])
        else {
            throw RoostError.notFound("There is no such user.")
        }
        return try user(row)
    }

    static func owners(_ database: GRDB.Database, real: Bool = true) throws -> Int {
        try Int.fetchOne(
            database.cachedStatement(
                sql: "SELECT count(*) FROM users WHERE role = 'owner'" + (real ? " AND is_stand_in = 0" : ""))
        )
            ?? 0
    }

    /// Who is an owner no more may still know the links that he made: to join by, and to other people's passwords.
    private static func closeLinks(of owner: UserID, at now: Date, in database: GRDB.Database) throws {
        try database.execute(
            sql: "UPDATE join_links SET revoked_at = ? WHERE created_by = ? AND revoked_at IS NULL",
            arguments: [now.timeIntervalSince1970, owner])
        try database.execute(sql: "DELETE FROM reset_links")
    }

    private static func refuseLastOwner(field: String, in database: GRDB.Database) throws {
        guard try owners(database) > 1 else {
            throw RoostError.conflict(
                field: field, why: "The last owner stays owner: make somebody else an owner first.")
        }
    }

    /// Throws `RoostError.conflict` for a name that looks like another member's user name or display name.
    private static func refuseLookalike(
        _ names: [(field: String, name: String?)], except own: UserID?, in database: GRDB.Database
    ) throws {
        for case (let field, let name?) in names {
            guard try !NamesakeRecord.isTaken(name, except: own, in: database) else {
                throw RoostError.conflict(field: field, why: "Another member is called that.")
            }
        }
    }

    /// The stand-in's name is free for whoever takes it: he only keeps the place.
    private static func refuseTaken(
        _ profile: Profile, except own: UserID?, besides standIn: UserID?, in database: GRDB.Database
    ) throws {
        let name = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM users WHERE name_key = ?"),
            arguments: [Profile.key(profile.username)])
        if let name, name != own {
            guard name == standIn else {
                throw RoostError.conflict(
                    field: "username", why: "There already is a user named “\(profile.username)”.")
            }
            try database.execute(
                sql: "UPDATE users SET username = ?, name_key = ? WHERE id = ?",
                // Nobody can choose a name with an "@".
                arguments: ["nobody@\(name)", "nobody@\(name)", name])
        }
        guard let email = profile.email else { return }
        let holder = try Int64.fetchOne(
            database,
            // A name may hold an "@" from the days when it could.
            sql: "SELECT id FROM users WHERE (email_key = ? OR name_key = ?) AND id <> coalesce(?, -1)",
            arguments: [Profile.key(email), Profile.key(email), own])
        if holder != nil {
            throw RoostError.conflict(field: "email", why: "This e-mail address belongs to another user.")
        }
    }
}
