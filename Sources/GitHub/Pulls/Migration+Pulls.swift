package import RoostSupport

extension Migration {
    /// Users' inbox settings. The pull requests themselves are not stored.
    ///
    /// `seen` is a digest that shows changes but no content.
    package static let pulls = Migration(
        "pulls: marks, choices and sections",
        sql: """
            CREATE TABLE pull_marks (
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                host TEXT NOT NULL COLLATE NOCASE CHECK (length(host) BETWEEN 1 AND 255),
                owner TEXT NOT NULL COLLATE NOCASE CHECK (length(owner) BETWEEN 1 AND 200),
                name TEXT NOT NULL COLLATE NOCASE CHECK (length(name) BETWEEN 1 AND 200),
                number INTEGER NOT NULL CHECK (number > 0),
                kind TEXT NOT NULL CHECK (kind IN ('until', 'change', 'mute', 'done')),
                until REAL CHECK ((kind = 'until') = (until IS NOT NULL)),
                seen TEXT NOT NULL,
                marked_at REAL NOT NULL,
                PRIMARY KEY (user_id, host, owner, name, number)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE pull_choices (
                user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
                grouping TEXT NOT NULL CHECK (grouping IN ('none', 'repository')),
                sort TEXT NOT NULL CHECK (sort IN ('age', 'update', 'size')),
                drafts TEXT NOT NULL CHECK (drafts IN ('shown', 'hidden', 'only')),
                hides_bots INTEGER NOT NULL CHECK (hides_bots IN (0, 1)),
                amber_hours INTEGER NOT NULL CHECK (amber_hours BETWEEN 1 AND 8760),
                red_hours INTEGER NOT NULL CHECK (red_hours BETWEEN amber_hours AND 8760),
                notifies INTEGER NOT NULL CHECK (notifies IN (0, 1)),
                sounds INTEGER NOT NULL CHECK (sounds IN (0, 1))
            ) STRICT;
            CREATE TABLE pull_sections (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                name TEXT NOT NULL COLLATE NOCASE CHECK (length(name) BETWEEN 1 AND 64),
                query TEXT NOT NULL CHECK (length(query) BETWEEN 1 AND 500),
                sort_order INTEGER NOT NULL CHECK (sort_order >= 0),
                UNIQUE (user_id, name)
            ) STRICT;
            """)

    package static let pullSnoozeEnds = Migration(
        "pulls: ends of snoozes",
        sql: "CREATE INDEX pull_marks_by_end ON pull_marks (until) WHERE until IS NOT NULL")

    /// Adds node ids, so that a mark follows its pull request. `node_id` is empty if unknown. Two pull requests with
    /// the same key can each have a mark, because a repository can be created under another's old name.
    package static let pullMarkNodes = Migration(
        "pulls: node ids of marks",
        sql: """
            CREATE TABLE new_pull_marks (
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                host TEXT NOT NULL COLLATE NOCASE CHECK (length(host) BETWEEN 1 AND 255),
                owner TEXT NOT NULL COLLATE NOCASE CHECK (length(owner) BETWEEN 1 AND 200),
                name TEXT NOT NULL COLLATE NOCASE CHECK (length(name) BETWEEN 1 AND 200),
                number INTEGER NOT NULL CHECK (number > 0),
                node_id TEXT NOT NULL DEFAULT '' CHECK (length(node_id) <= 200),
                kind TEXT NOT NULL CHECK (kind IN ('until', 'change', 'mute', 'done')),
                until REAL CHECK ((kind = 'until') = (until IS NOT NULL)),
                seen TEXT NOT NULL,
                marked_at REAL NOT NULL,
                PRIMARY KEY (user_id, host, owner, name, number, node_id)
            ) STRICT, WITHOUT ROWID;
            INSERT INTO new_pull_marks
                (user_id, host, owner, name, number, kind, until, seen, marked_at)
                SELECT user_id, host, owner, name, number, kind, until, seen, marked_at FROM pull_marks;
            DROP TABLE pull_marks;
            ALTER TABLE new_pull_marks RENAME TO pull_marks;
            CREATE INDEX pull_marks_by_end ON pull_marks (until) WHERE until IS NOT NULL;
            CREATE UNIQUE INDEX pull_marks_by_node ON pull_marks (user_id, host, node_id) WHERE node_id <> '';
            """)

    /// The user's list of bots, separated by spaces.
    package static let pullBots = Migration(
        "pulls: bots",
        sql: """
            ALTER TABLE pull_choices
                ADD COLUMN bot_logins TEXT NOT NULL DEFAULT '' CHECK (length(bot_logins) <= 4000)
            """)

    /// The last known details of pull requests. They are removed with the account that saw them.
    ///
    /// The columns before `details` are read without its megabytes. `version` is that of the rules that sanitized it,
    /// and `bytes` its size.
    package static let pullDetails = Migration(
        "pulls: details",
        sql: """
            CREATE TABLE pull_details (
                account_id INTEGER NOT NULL REFERENCES github_accounts (id) ON DELETE CASCADE,
                owner TEXT NOT NULL COLLATE NOCASE CHECK (length(owner) BETWEEN 1 AND 200),
                name TEXT NOT NULL COLLATE NOCASE CHECK (length(name) BETWEEN 1 AND 200),
                number INTEGER NOT NULL CHECK (number > 0),
                fetched_at REAL NOT NULL,
                version INTEGER NOT NULL CHECK (version > 0),
                base_commit TEXT NOT NULL CHECK (length(base_commit) IN (0, 40, 64)),
                head_commit TEXT NOT NULL CHECK (length(head_commit) IN (0, 40, 64)),
                bytes INTEGER NOT NULL CHECK (bytes >= 0),
                details TEXT NOT NULL,
                PRIMARY KEY (account_id, owner, name, number)
            ) STRICT;
            CREATE INDEX pull_details_by_age ON pull_details (account_id, fetched_at, bytes);
            """)

    /// Files marked as viewed, with the blob at the time of the mark, and when users looked at a pull request.
    package static let pullViews = Migration(
        "pulls: viewed files and looks",
        sql: """
            CREATE TABLE pull_viewed_files (
                id INTEGER PRIMARY KEY,
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                host TEXT NOT NULL COLLATE NOCASE CHECK (length(host) BETWEEN 1 AND 255),
                owner TEXT NOT NULL COLLATE NOCASE CHECK (length(owner) BETWEEN 1 AND 200),
                name TEXT NOT NULL COLLATE NOCASE CHECK (length(name) BETWEEN 1 AND 200),
                number INTEGER NOT NULL CHECK (number > 0),
                path TEXT NOT NULL CHECK (length(path) BETWEEN 1 AND 4096),
                blob TEXT NOT NULL CHECK (length(blob) BETWEEN 40 AND 64),
                viewed_at REAL NOT NULL,
                UNIQUE (user_id, host, owner, name, number, path)
            ) STRICT;
            CREATE INDEX pull_viewed_files_by_user ON pull_viewed_files (user_id);
            CREATE TABLE pull_looks (
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                host TEXT NOT NULL COLLATE NOCASE CHECK (length(host) BETWEEN 1 AND 255),
                owner TEXT NOT NULL COLLATE NOCASE CHECK (length(owner) BETWEEN 1 AND 200),
                name TEXT NOT NULL COLLATE NOCASE CHECK (length(name) BETWEEN 1 AND 200),
                number INTEGER NOT NULL CHECK (number > 0),
                seen_at REAL NOT NULL,
                previous_at REAL,
                PRIMARY KEY (user_id, host, owner, name, number)
            ) STRICT, WITHOUT ROWID;
            """)

    package static let pullPreferences = preferences(
        "pulls", from: "pull_choices",
        value: """
            json_object('grouping', grouping, 'sort', sort, 'drafts', drafts,
                'hidesBots', json(iif(hides_bots, 'true', 'false')), 'amberHours', amber_hours, 'redHours', red_hours,
                'botLogins', json(iif(bot_logins = '', '[]', '["' || replace(bot_logins, ' ', '","') || '"]')),
                'notifies', json(iif(notifies, 'true', 'false')), 'sounds', json(iif(sounds, 'true', 'false')))
            """,
        where: "bot_logins NOT GLOB '*[\"\\]*'")
}
