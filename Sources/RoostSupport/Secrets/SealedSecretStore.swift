package import Foundation
import GRDB

/// Users' secrets for other services, such as GitHub tokens, sealed with a key outside the database.
package enum SealedSecretStore {
    package static let sealedValues = SealedColumn(sql: "SELECT user_id, name, sealed FROM sealed_secrets") {
        row in
        context(try row.text("name"), try row.id("user_id"))
    }

    package static let stored = [
        StoredRows("sealed_secrets") { row in
            _ = (try row.id("user_id"), try row.text("name"), try sealed(row), try row.time("created_at"))
        }
    ]

    fileprivate static func sealed(_ row: Row) throws -> [UInt8] {
        try row.bytes("sealed", maximumBytes: 65_536)
    }

    /// The context binds a value to its row: it cannot be opened under another user or name.
    fileprivate static func context(_ name: String, _ user: UserID) -> String { "user \(user): \(name)" }
}

extension Reads {
    package func hasUser(_ id: UserID) throws -> Bool {
        try database.value(Bool.self, "SELECT EXISTS (SELECT 1 FROM users WHERE id = ?)", [id]) == true
    }

    /// Returns nil without a secret of this name. Throws `RoostError.unavailable` if it cannot be opened.
    package func secret(_ name: String, of user: UserID, with sealer: Sealer) throws -> String? {
        try database.row("SELECT sealed FROM sealed_secrets WHERE user_id = ? AND name = ?", [user, name]).map
        { try sealer.open(SealedSecretStore.sealed($0), as: SealedSecretStore.context(name, user)) }
    }
}

extension Writes {
    /// Replaces the secret of this name. Throws `RoostError.notFound` if the user does not exist.
    package func putSecret(
        _ secret: String, as name: String, of user: UserID, with sealer: Sealer, at now: Date
    ) throws {
        let sealed = try sealer.seal(secret, as: SealedSecretStore.context(name, user))
        guard try hasUser(user) else { throw RoostError.notFound("There is no such user.") }
        try database.execute(
            sql: """
                INSERT INTO sealed_secrets (user_id, name, sealed, created_at) VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET sealed = excluded.sealed, created_at = excluded.created_at
                """,
            arguments: [user, name, Data(sealed), now.stored])
    }

    package func removeSecret(_ name: String, of user: UserID) throws {
        try database.execute(
            sql: "DELETE FROM sealed_secrets WHERE user_id = ? AND name = ?", arguments: [user, name])
    }
}

extension Migration {
    package static let sealedSecrets = Migration(
        "secrets: sealed",
        sql: """
            CREATE TABLE sealed_secrets (
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
                sealed BLOB NOT NULL CHECK (length(sealed) >= 29),
                created_at REAL NOT NULL,
                PRIMARY KEY (user_id, name)
            ) STRICT, WITHOUT ROWID;
            """)
}

extension Migration {
    /// The key that seals the secrets. A NULL fingerprint lets the next start use another key.
    package static let secretKey = Migration(
        "secrets: key",
        sql: """
            CREATE TABLE secret_key (
                only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
                fingerprint BLOB CHECK (length(fingerprint) = 32),
                path TEXT NOT NULL
            ) STRICT;
            """)
}
