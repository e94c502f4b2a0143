extension Migration {
    static let sealedSecrets = Migration(
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
