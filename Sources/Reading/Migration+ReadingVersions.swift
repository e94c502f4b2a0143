import GRDB
package import RoostSupport

extension Migration {
    /// Moves the address that a page declares itself to `canonical_url`, so that it never keeps another page from being
    /// saved. `article_new_texts` has texts that wait for the user's decision.
    package static let readingCanonicals = Migration("reading: canonical addresses and new texts") {
        database in
        try database.execute(
            sql: """
                ALTER TABLE articles ADD COLUMN canonical_url TEXT;
                CREATE INDEX articles_by_canonical ON articles (user_id, canonical_url)
                    WHERE canonical_url IS NOT NULL;
                CREATE TABLE article_new_texts (
                    article_id INTEGER PRIMARY KEY REFERENCES articles (id) ON DELETE CASCADE,
                    reason TEXT NOT NULL CHECK (
                        reason IN ('notFound', 'check', 'signIn', 'shorter', 'otherTitle', 'otherText')
                    ),
                    fetched_at REAL NOT NULL,
                    title TEXT,
                    word_count INTEGER NOT NULL CHECK (word_count >= 0),
                    version TEXT NOT NULL
                ) STRICT;
                """)
        var last: Int64 = 0
        while true {
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT id, user_id, given_url, final_url, normalized_url FROM articles
                    WHERE user_id IS NOT NULL AND id > ? ORDER BY id LIMIT 500
                    """, arguments: [last])
            guard let end = rows.last else { return }
            last = end["id"]
            for row in rows { try separateCanonical(of: row, database) }
        }
    }

    /// Null for texts that were stored before Roost looked for paywalls.
    package static let readingPartialTexts = Migration("reading: texts cut by a paywall") { database in
        try database.execute(
            sql: "ALTER TABLE articles ADD COLUMN is_partial INTEGER CHECK (is_partial IN (0, 1))")
    }

    /// The readers' comments of a page, apart from its text. Null for texts that were fetched before.
    package static let readingComments = Migration("reading: comments from the page") { database in
        try database.execute(sql: "ALTER TABLE article_texts ADD COLUMN comments TEXT")
    }

    /// Null for web pages.
    package static let readingPages = Migration("reading: pages of PDFs") { database in
        try database.execute(
            sql: "ALTER TABLE articles ADD COLUMN page_count INTEGER CHECK (page_count > 0)")
    }

    /// Moves changes that can be undone to `undos`. They get new ids, after all former ones, so that a form on an open
    /// page never undoes another change. Steps with properties instead of columns get the form of `ReadingUndoStep`.
    package static let readingUndosMoved = Migration("reading: undos of all features") { database in
        let offset = try Int64.fetchOne(
            database,
            sql: "SELECT max(seq) FROM sqlite_sequence WHERE name IN ('undos', 'reading_undos')")
        try database.execute(
            sql: """
                INSERT INTO undos (id, user_id, feature, made_at, size)
                SELECT id + :offset, user_id, 'reading', made_at, (
                    SELECT count(*) FROM reading_undo_steps WHERE undo = reading_undos.id)
                FROM reading_undos;
                INSERT INTO undo_steps (undo, step)
                SELECT undo + :offset, CASE
                    WHEN NOT json_valid(step) THEN step
                    WHEN step -> '$.article.state' IS NOT NULL THEN json_object('article', json_object(
                        'id', step -> '$.article.id', 'tags', step -> '$.article.tags', 'columns', json_object(
                            'state', step -> '$.article.state', 'is_favorite', step -> '$.article.isFavorite',
                            'category', step -> '$.article.category',
                            'archived_at', step -> '$.article.archivedAt')))
                    WHEN step -> '$.gist.userId' IS NOT NULL THEN json_object('gist', json_object(
                        'id', step -> '$.gist.id', 'owner', step -> '$.gist.userId',
                        'articleId', step -> '$.gist.articleId', 'details', json_set(
                            step -> '$.gist', '$.sourceUrl', step -> '$.gist.sourceURL')))
                    ELSE step END
                FROM reading_undo_steps
                JOIN reading_undos ON reading_undos.id = undo ORDER BY reading_undo_steps.id;
                UPDATE articles SET deleted_in = deleted_in + :offset WHERE deleted_in > 0;
                UPDATE sqlite_sequence SET seq = 2 * :offset WHERE name = 'undos';
                DROP TABLE reading_undo_steps;
                DROP TABLE reading_undos;
                """, arguments: ["offset": offset])
    }

    private static func separateCanonical(of row: Row, _ database: GRDB.Database) throws {
        let (id, user): (Int64, Int64) = (row["id"], row["user_id"])
        let former: String = row["normalized_url"]
        guard let savedAddress = try? ArticleAddress(row["given_url"] as String) else { return }
        let final = (row["final_url"] as String?).flatMap { try? ArticleAddress($0) }
        if savedAddress.documentFragment != nil {
            try database.execute(
                sql:
                    "INSERT OR IGNORE INTO article_addresses (user_id, address, article_id) VALUES (?, ?, ?)",
                arguments: [user, savedAddress.normalized, id])
        }
        let isRoute = savedAddress.hasRoute
        let own = isRoute ? savedAddress.normalized : (final ?? savedAddress).normalizedPage
        guard former != own, isRoute || former != savedAddress.normalizedPage else { return }
        try database.execute(
            sql: "DELETE FROM article_addresses WHERE user_id = ? AND address = ? AND article_id = ?",
            arguments: [user, former, id])
        try database.execute(
            sql: """
                UPDATE articles SET canonical_url = iif(:isRoute, NULL, normalized_url), normalized_url = iif(EXISTS (
                    SELECT 1 FROM articles WHERE user_id = :user AND normalized_url = :own), 'article:' || id, :own)
                WHERE id = :id
                """, arguments: ["isRoute": isRoute, "user": user, "own": own, "id": id])
    }
}
