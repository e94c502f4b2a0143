package import RoostSupport

extension Migration {
    /// `chat_log.seq` orders everything: a message's seq is that of its log row. A log row for one user replaces the
    /// previous one of its kind, so there are few of them.
    ///
    /// Deleting an account deletes its memberships, reactions and drafts. A trigger logs that, so it works from any
    /// process.
    package static let chat = Migration(
        "chat: conversations",
        sql: """
            CREATE TABLE chat_conversations (
                id TEXT PRIMARY KEY,
                is_group INTEGER NOT NULL CHECK (is_group IN (0, 1)),
                group_name TEXT,
                group_photo TEXT,
                pair TEXT UNIQUE,
                created_by INTEGER REFERENCES users (id) ON DELETE SET NULL,
                created_at REAL NOT NULL,
                created_seq INTEGER NOT NULL DEFAULT 0,
                message_count INTEGER NOT NULL DEFAULT 0,
                last_seq INTEGER NOT NULL DEFAULT 0,
                last_message TEXT NOT NULL DEFAULT '',
                last_message_at REAL NOT NULL,
                last_message_seq INTEGER NOT NULL DEFAULT 0,
                last_sender TEXT,
                CHECK ((pair IS NULL) = is_group)
            ) STRICT;
            CREATE INDEX chat_conversations_by_creator ON chat_conversations (created_by);
            CREATE TABLE chat_members (
                id INTEGER PRIMARY KEY,
                conversation_id TEXT NOT NULL REFERENCES chat_conversations (id) ON DELETE CASCADE,
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                is_admin INTEGER NOT NULL DEFAULT 0 CHECK (is_admin IN (0, 1)),
                joined_at REAL NOT NULL,
                joined_seq INTEGER NOT NULL,
                visible_after INTEGER NOT NULL,
                left_seq INTEGER,
                delivered_seq INTEGER NOT NULL,
                read_seq INTEGER NOT NULL,
                count_at_read INTEGER NOT NULL,
                own_since_read INTEGER NOT NULL DEFAULT 0,
                notify TEXT NOT NULL DEFAULT 'all' CHECK (notify IN ('all', 'mentions', 'none'))
            ) STRICT;
            CREATE UNIQUE INDEX chat_members_now ON chat_members (conversation_id, user_id) WHERE left_seq IS NULL;
            CREATE INDEX chat_members_by_delivery ON chat_members (conversation_id, delivered_seq)
                WHERE left_seq IS NULL;
            CREATE INDEX chat_members_by_reading ON chat_members (conversation_id, read_seq) WHERE left_seq IS NULL;
            CREATE INDEX chat_members_by_leaving ON chat_members (conversation_id, left_seq)
                WHERE left_seq IS NOT NULL;
            CREATE INDEX chat_members_by_user ON chat_members (user_id, left_seq);
            CREATE TABLE chat_messages (
                seq INTEGER PRIMARY KEY,
                id TEXT NOT NULL,
                conversation_id TEXT NOT NULL REFERENCES chat_conversations (id) ON DELETE CASCADE,
                number INTEGER NOT NULL,
                sender_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
                sender_key TEXT NOT NULL,
                bot_name TEXT,
                text TEXT NOT NULL,
                file_id TEXT,
                file TEXT,
                sent_at REAL NOT NULL,
                edited_at REAL,
                deleted_at REAL,
                delivered_at REAL,
                read_at REAL,
                reply_to INTEGER,
                mentions TEXT,
                UNIQUE (sender_key, id)
            ) STRICT;
            CREATE INDEX chat_messages_in_order ON chat_messages (conversation_id, seq);
            CREATE INDEX chat_messages_by_sender ON chat_messages (conversation_id, sender_key, seq);
            CREATE INDEX chat_messages_with_mentions ON chat_messages (conversation_id, seq) WHERE mentions IS NOT NULL;
            CREATE INDEX chat_messages_by_account ON chat_messages (sender_id) WHERE sender_id IS NOT NULL;
            CREATE TABLE chat_reactions (
                message_seq INTEGER NOT NULL REFERENCES chat_messages (seq) ON DELETE CASCADE,
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                emoji TEXT NOT NULL,
                PRIMARY KEY (message_seq, user_id, emoji)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX chat_reactions_by_user ON chat_reactions (user_id);
            CREATE TABLE chat_drafts (
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                conversation_id TEXT NOT NULL REFERENCES chat_conversations (id) ON DELETE CASCADE,
                text TEXT NOT NULL,
                changed_at REAL NOT NULL,
                PRIMARY KEY (user_id, conversation_id)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX chat_drafts_by_conversation ON chat_drafts (conversation_id);
            CREATE TABLE chat_log (
                seq INTEGER PRIMARY KEY AUTOINCREMENT,
                conversation_id TEXT NOT NULL REFERENCES chat_conversations (id) ON DELETE CASCADE,
                kind TEXT NOT NULL CHECK (
                    kind IN ('message', 'status', 'conversation', 'read', 'settings', 'draft', 'removed')),
                message_seq INTEGER,
                user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
                data TEXT,
                at REAL NOT NULL
            ) STRICT;
            CREATE INDEX chat_log_in_order ON chat_log (conversation_id, seq) WHERE user_id IS NULL;
            CREATE INDEX chat_log_by_user ON chat_log (user_id, conversation_id, kind) WHERE user_id IS NOT NULL;
            CREATE TRIGGER chat_user_goes BEFORE DELETE ON users BEGIN
                INSERT INTO chat_log (conversation_id, kind, message_seq, at)
                SELECT conversation_id, 'message', seq, (julianday('now') - 2440587.5) * 86400.0
                FROM chat_messages
                WHERE seq IN (SELECT message_seq FROM chat_reactions WHERE user_id = OLD.id);
                UPDATE chat_members SET is_admin = 1
                WHERE id IN (
                    SELECT (
                        SELECT heir.id FROM chat_members AS heir
                        WHERE heir.conversation_id = leaver.conversation_id AND heir.left_seq IS NULL
                            AND heir.user_id <> OLD.id
                        ORDER BY heir.joined_seq, heir.id LIMIT 1)
                    FROM chat_members AS leaver
                    WHERE leaver.user_id = OLD.id AND leaver.left_seq IS NULL AND leaver.is_admin = 1
                        AND NOT EXISTS (
                            SELECT 1 FROM chat_members AS other
                            WHERE other.conversation_id = leaver.conversation_id AND other.left_seq IS NULL
                                AND other.is_admin = 1 AND other.user_id <> OLD.id));
                INSERT INTO chat_log (conversation_id, kind, at)
                SELECT conversation_id, 'conversation', (julianday('now') - 2440587.5) * 86400.0
                FROM chat_members WHERE user_id = OLD.id AND left_seq IS NULL;
                UPDATE chat_conversations
                SET last_seq = (
                    SELECT max(seq) FROM chat_log
                    WHERE conversation_id = chat_conversations.id AND user_id IS NULL)
                WHERE id IN (
                    SELECT conversation_id FROM chat_members WHERE user_id = OLD.id
                    UNION SELECT conversation_id FROM chat_messages
                    WHERE seq IN (SELECT message_seq FROM chat_reactions WHERE user_id = OLD.id));
            END;
            """)

    /// Finds the replies to a message, which are logged again when it changes.
    package static let chatReplies = Migration(
        "chat: replies",
        sql: """
            CREATE INDEX chat_messages_by_reply ON chat_messages (reply_to) WHERE reply_to IS NOT NULL;
            """)

    /// Clients identify a message by its number in the conversation. Links of earlier versions use a log position; the
    /// only row of `chat_older_links` is the last position that such a link can have.
    package static let chatNumbers = Migration(
        "chat: messages by number",
        sql: """
            CREATE UNIQUE INDEX chat_messages_by_number ON chat_messages (conversation_id, number);
            CREATE TABLE chat_older_links (last_seq INTEGER NOT NULL CHECK (last_seq >= 0)) STRICT;
            INSERT INTO chat_older_links (last_seq) SELECT coalesce(max(seq), 0) FROM chat_log;
            """)

    /// Logs a member's new name or picture in their conversations.
    package static let chatNames = Migration(
        "chat: new names and pictures",
        sql: [
            (
                "user_renamed", "UPDATE OF username, display_name ON users", "NEW.id",
                "NEW.username IS NOT OLD.username OR NEW.display_name IS NOT OLD.display_name"
            ),
            ("picture_added", "INSERT ON avatars", "NEW.user_id", "TRUE"),
            ("picture_changed", "UPDATE OF version ON avatars", "NEW.user_id", "NEW.version <> OLD.version"),
            ("picture_gone", "DELETE ON avatars", "OLD.user_id", "TRUE"),
        ].map { name, event, user, condition in
            """
            CREATE TRIGGER chat_\(name) AFTER \(event) WHEN \(condition) BEGIN
                INSERT INTO chat_log (conversation_id, kind, at)
                SELECT conversation_id, 'conversation', (julianday('now') - 2440587.5) * 86400.0
                FROM chat_members WHERE user_id = \(user) AND left_seq IS NULL;
                UPDATE chat_conversations
                SET last_seq = (
                    SELECT max(seq) FROM chat_log
                    WHERE conversation_id = chat_conversations.id AND user_id IS NULL)
                WHERE id IN (
                    SELECT conversation_id FROM chat_members WHERE user_id = \(user) AND left_seq IS NULL);
            END;
            """
        }.joined(separator: "\n"))

    /// Logs in a member's conversations whether their name is shown with the user name.
    package static let chatShownNames = Migration(
        "chat: names with user names",
        sql: """
            CREATE TRIGGER chat_username_shown AFTER UPDATE OF shows_username ON users
            WHEN NEW.shows_username <> OLD.shows_username BEGIN
                INSERT INTO chat_log (conversation_id, kind, at)
                SELECT conversation_id, 'conversation', (julianday('now') - 2440587.5) * 86400.0
                FROM chat_members WHERE user_id = NEW.id AND left_seq IS NULL;
                UPDATE chat_conversations
                SET last_seq = (
                    SELECT max(seq) FROM chat_log
                    WHERE conversation_id = chat_conversations.id AND user_id IS NULL)
                WHERE id IN (
                    SELECT conversation_id FROM chat_members WHERE user_id = NEW.id AND left_seq IS NULL);
            END;
            """)
}

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
