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
