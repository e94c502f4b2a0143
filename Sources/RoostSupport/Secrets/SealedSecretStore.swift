import Foundation
package import GRDB

/// Sealed secrets in SQLite: of what they say it knows nothing.
package struct SealedSecretStore: Sendable {
    private let database: any DatabaseWriter

    package init(database: any DatabaseWriter) {
        self.database = database
    }

    func put(_ sealed: [UInt8], as name: String, of user: UserID, at now: Date) async throws {
        try await database.write { database in
            let isUser = try Bool.fetchOne(
                database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM users WHERE id = ?)"),
                arguments: [user])
            guard isUser == true else { throw RoostError.notFound("There is no such user.") }
            try database.execute(
                sql: """
                    INSERT INTO sealed_secrets (user_id, name, sealed, created_at) VALUES (?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET sealed = excluded.sealed, created_at = excluded.created_at
                    """,
                arguments: [user, name, Data(sealed), now.timeIntervalSince1970])
        }
    }

    func sealed(_ name: String, of user: UserID) async throws -> [UInt8]? {
        try await database.fetch { database in
            try Row.fetchOne(
                database.cachedStatement(
                    sql: "SELECT sealed FROM sealed_secrets WHERE user_id = ? AND name = ?"),
                arguments: [user, name]
            ).map(Self.sealed)
        }
    }

    package static let sealedValues = SealedColumn(sql: "SELECT user_id, name, sealed FROM sealed_secrets") {
        row in
        SealedTokenStorage.context(try row.text("name"), try row.id("user_id"))
    }

    package static let stored = [
        StoredRows("sealed_secrets") { row in
            _ = (try row.id("user_id"), try row.text("name"), try sealed(row), try row.time("created_at"))
        }
    ]

    private static func sealed(_ row: Row) throws -> [UInt8] { try row.bytes("sealed", maximumBytes: 65_536) }

    func remove(_ name: String, of user: UserID) async throws {
        try await database.write { database in
            try database.execute(
                sql: "DELETE FROM sealed_secrets WHERE user_id = ? AND name = ?", arguments: [user, name])
        }
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
    /// Which key the secrets are sealed with. A NULL fingerprint: the next start takes another key.
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
