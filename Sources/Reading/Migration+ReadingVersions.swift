import GRDB
package import RoostSupport

extension Migration {
    /// What a page calls its own address leaves the addresses that an article is known under: it goes to `canonical_url`,
    /// and never keeps another page from being saved. `article_new_texts` has texts that wait for the user's choice.
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

    private static func separateCanonical(of row: Row, _ database: GRDB.Database) throws {
        let (id, user): (Int64, Int64) = (row["id"], row["user_id"])
        let former: String = row["normalized_url"]
        guard let given = try? ArticleAddress(row["given_url"] as String) else { return }
        let final = (row["final_url"] as String?).flatMap { try? ArticleAddress($0) }
        if given.documentFragment != nil {
            try database.execute(
                sql:
                    "INSERT OR IGNORE INTO article_addresses (user_id, address, article_id) VALUES (?, ?, ?)",
                arguments: [user, given.normalized, id])
        }
        let isRoute = given.hasRoute
        let own = isRoute ? given.normalized : (final ?? given).normalizedPage
        guard former != own, isRoute || former != given.normalizedPage else { return }
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
