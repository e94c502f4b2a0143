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
