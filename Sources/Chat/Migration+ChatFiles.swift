package import RoostSupport

extension SearchIndex {
    package static let messages = SearchIndex(
        "chat_search", of: "chat_messages", key: "seq", viewKey: "seq", columns: "text, facets")
}

extension Migration {
    /// The full-text index of messages, except deleted ones. Tokens for the conversation, the sender and a file allow
    /// filtering, so that searching a small conversation does not depend on the size of others. All content comes from
    /// the message's own row, so that the triggers delete exactly what they inserted.
    package static let chatSearch = Migration(
        "chat: search",
        sql: """
            CREATE VIEW chat_search_rows AS
            SELECT seq, text,
                'c' || replace(conversation_id, '-', '') || ' s' || replace(sender_key, '-', '')
                    || CASE WHEN file_id IS NULL THEN '' ELSE ' file' END AS facets
            FROM chat_messages WHERE deleted_at IS NULL;
            CREATE VIRTUAL TABLE chat_search USING fts5(
                text, facets, content='chat_search_rows', content_rowid='seq', columnsize=0, prefix='2 3',
                tokenize='unicode61 remove_diacritics 2'
            );
            CREATE TRIGGER chat_search_added AFTER INSERT ON chat_messages WHEN NEW.deleted_at IS NULL
            BEGIN
                INSERT INTO chat_search (rowid, text, facets)
                SELECT seq, text, facets FROM chat_search_rows WHERE seq = NEW.seq;
            END;
            CREATE TRIGGER chat_search_changing BEFORE UPDATE OF text, file_id, deleted_at ON chat_messages
            WHEN OLD.deleted_at IS NULL
            BEGIN
                INSERT INTO chat_search (chat_search, rowid, text, facets)
                SELECT 'delete', seq, text, facets FROM chat_search_rows WHERE seq = OLD.seq;
            END;
            CREATE TRIGGER chat_search_changed AFTER UPDATE OF text, file_id, deleted_at ON chat_messages
            WHEN NEW.deleted_at IS NULL
            BEGIN
                INSERT INTO chat_search (rowid, text, facets)
                SELECT seq, text, facets FROM chat_search_rows WHERE seq = NEW.seq;
            END;
            CREATE TRIGGER chat_search_removing BEFORE DELETE ON chat_messages WHEN OLD.deleted_at IS NULL
            BEGIN
                INSERT INTO chat_search (chat_search, rowid, text, facets)
                SELECT 'delete', seq, text, facets FROM chat_search_rows WHERE seq = OLD.seq;
            END;
            INSERT INTO chat_search (chat_search) VALUES ('rebuild');
            """)

    /// The same for all scripts.
    package static let chatSearchInAllScripts = searchIndex(
        .messages,
        rows: """
            SELECT seq, text,
                'c' || replace(conversation_id, '-', '') || ' s' || replace(sender_key, '-', '')
                    || CASE WHEN file_id IS NULL THEN '' ELSE ' file' END AS facets
            FROM chat_messages WHERE deleted_at IS NULL AND seq > \(SearchIndex.remaining(in: "chat_search"))
            """)

    /// Large columns go last: SQLite walks their overflow pages to reach any later column.
    package static let chatFiles = Migration(
        "chat: files and webhooks",
        sql: """
            CREATE TABLE chat_files (
                id TEXT PRIMARY KEY CHECK (length(id) = 36),
                conversation_id TEXT NOT NULL REFERENCES chat_conversations (id) ON DELETE CASCADE,
                user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
                message_seq INTEGER,
                name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
                type TEXT NOT NULL CHECK (
                    type IN ('image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/octet-stream')
                ),
                width INTEGER CHECK (width > 0),
                height INTEGER CHECK (height > 0),
                byte_count INTEGER NOT NULL CHECK (byte_count BETWEEN 0 AND 10485760),
                created_at REAL NOT NULL,
                thumbnail_type TEXT CHECK (
                    thumbnail_type IN ('image/png', 'image/jpeg', 'image/gif', 'image/webp')
                ),
                thumbnail BLOB CHECK (length(thumbnail) <= 1048576),
                bytes BLOB NOT NULL CHECK (length(bytes) = byte_count),
                CHECK ((width IS NULL) = (type = 'application/octet-stream') AND (width IS NULL) = (height IS NULL)),
                CHECK ((thumbnail IS NULL) = (thumbnail_type IS NULL))
            ) STRICT;
            CREATE INDEX chat_files_by_conversation ON chat_files (conversation_id);
            CREATE INDEX chat_files_by_user ON chat_files (user_id);
            CREATE INDEX chat_files_unsent ON chat_files (created_at) WHERE message_seq IS NULL;
            CREATE TABLE chat_webhooks (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                conversation_id TEXT NOT NULL REFERENCES chat_conversations (id) ON DELETE CASCADE,
                name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
                token_hash BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
                created_by INTEGER REFERENCES users (id) ON DELETE SET NULL,
                created_at REAL NOT NULL,
                last_used_at REAL
            ) STRICT;
            CREATE INDEX chat_webhooks_by_conversation ON chat_webhooks (conversation_id);
            CREATE INDEX chat_webhooks_by_user ON chat_webhooks (created_by);
            """)

    /// Ids keep their clients' spelling, but are unique regardless of case.
    package static let chatCaseInsensitiveIds = Migration(
        "chat: ids in any case",
        sql: """
            CREATE UNIQUE INDEX chat_conversations_by_id ON chat_conversations (id COLLATE NOCASE);
            CREATE UNIQUE INDEX chat_messages_by_id ON chat_messages (sender_key, id COLLATE NOCASE);
            """)

    /// Deletes a webhook with the membership of its creator, including those whose creator has already left. Ids are
    /// not reused, because messages refer to them.
    package static let chatWebhookCreators = Migration(
        "chat: webhooks end with their makers",
        sql: """
            CREATE TABLE chat_webhooks_of_members (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                conversation_id TEXT NOT NULL REFERENCES chat_conversations (id) ON DELETE CASCADE,
                name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
                token_hash BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
                created_by INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                created_at REAL NOT NULL,
                last_used_at REAL
            ) STRICT;
            INSERT INTO chat_webhooks_of_members
            SELECT hook.id, hook.conversation_id, hook.name, hook.token_hash, hook.created_by, hook.created_at,
                hook.last_used_at
            FROM chat_webhooks AS hook
            JOIN chat_members AS member ON member.conversation_id = hook.conversation_id
                AND member.user_id = hook.created_by AND member.left_seq IS NULL;
            DELETE FROM sqlite_sequence WHERE name = 'chat_webhooks_of_members';
            INSERT INTO sqlite_sequence (name, seq)
            SELECT 'chat_webhooks_of_members', seq FROM sqlite_sequence WHERE name = 'chat_webhooks';
            DROP TABLE chat_webhooks;
            ALTER TABLE chat_webhooks_of_members RENAME TO chat_webhooks;
            CREATE INDEX chat_webhooks_by_conversation ON chat_webhooks (conversation_id);
            CREATE INDEX chat_webhooks_by_user ON chat_webhooks (created_by);
            """)
}
