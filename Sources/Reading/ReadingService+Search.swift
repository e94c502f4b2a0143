import Foundation
import GRDB
package import RoostSupport
import TextFormats

/// What the search of everything finds in the reading list.
package struct ReadingMatches: Sendable {
    package var articles: [ArticleItem] = []
    /// With the titles of their articles.
    package var highlights: [(highlight: Highlight, title: String)] = []
    /// The user's own, the latest first.
    package var gists: [GistItem] = []
}

extension ReadingService {
    /// Returns at most `limit` of each kind: articles whose title begins with the text and the latest that contain all
    /// its words, and the highlights and gists with all words. Without text, returns the articles that the user read last.
    ///
    /// Searches the index once: a beginning of four letters of a common word takes most of the time.
    package func search(
        _ reads: Reads, _ text: String, of user: UserID, limit: Int
    ) throws -> ReadingMatches {
        guard !text.isBlank else {
            return ReadingMatches(articles: try reads.openedArticles(of: user, limit: limit).map(shown))
        }
        let query = ArticleListQuery(
            filter: ArticleFilter(list: .all, text: text), user: user, position: nil, limit: limit)
        let ids = try query.latestMatches(reads.database)
        let titled = try reads.articles(titled: text, of: user, limit: limit)
        let known = Set(titled.map(\.id))
        let others = try reads.articles(
            ids.lazy.filter { !known.contains($0) }.prefix(limit).map(\.self), of: user)
        let filter = TextFilter(text.replacingBytes(of: "\"", with: " "), ignoresAccents: true)
        return ReadingMatches(
            articles: (titled + others).prefix(limit).map(shown),
            highlights: try reads.highlights(in: ids, of: user, filter, limit: limit),
            gists: try reads.gists(in: ids, of: user, filter, limit: limit))
    }
}

extension Reads {
    private static let maximumHighlights = 2_000
    private static let maximumGists = 500

    fileprivate func openedArticles(of user: UserID, limit: Int) throws -> [ArticleItem] {
        try database.rows(
            """
            SELECT \(ArticleItem.selection) FROM articles AS a INDEXED BY articles_read
            WHERE a.user_id = ? AND a.opened_at IS NOT NULL ORDER BY a.opened_at DESC LIMIT ?
            """, [user, limit]
        ).readable { try ArticleItem($0) }
    }

    fileprivate func articles(titled text: String, of user: UserID, limit: Int) throws -> [ArticleItem] {
        let key = ArticleRules.titleKey(text.trimmed)
        return try database.rows(
            """
            SELECT \(ArticleItem.selection) FROM articles AS a INDEXED BY articles_by_title
            WHERE a.user_id = ? AND a.title_key >= ? AND a.title_key < ? ORDER BY a.title_key, a.id LIMIT ?
            """, [user, key, key + "\u{10FFFF}", limit]
        ).readable { try ArticleItem($0) }
    }

    fileprivate func highlights(
        in articles: [ArticleID], of user: UserID, _ filter: TextFilter, limit: Int
    ) throws -> [(highlight: Highlight, title: String)] {
        guard !articles.isEmpty else { return [] }
        let rows = try database.cursor(
            """
            SELECT \(Highlight.selection), a.title AS title
            FROM json_each(?) AS wanted CROSS JOIN article_highlights INDEXED BY article_highlights_by_article
                ON article_highlights.article_id = wanted.value
            CROSS JOIN articles AS a ON a.id = article_highlights.article_id
            WHERE a.user_id = ? LIMIT \(Self.maximumHighlights)
            """, [articles.jsonArray, user])
        var found: [(highlight: Highlight, title: String)] = []
        while found.count < limit, let row = try rows.next() {
            guard let highlight = try? Highlight(row), let title = try? row.text("title"),
                filter.matches([
                    FoldedText(lines: [highlight.quote, highlight.note], ignoresAccents: true)
                ])
            else { continue }
            found.append((highlight, title))
        }
        return found
    }

    /// Searches the gists of these articles, and of the user's latest gists those of pasted text, which are in no index.
    fileprivate func gists(
        in articles: [ArticleID], of user: UserID, _ filter: TextFilter, limit: Int
    ) throws -> [GistItem] {
        let ofArticles = try gists(
            "WHERE g.article_id IN (SELECT value FROM json_each(?)) AND +g.user_id = ?",
            [Array(articles.prefix(Self.maximumGists)).jsonArray, user], filter, limit: limit)
        let others = try gists(
            """
            WHERE g.id IN (SELECT id FROM gists WHERE user_id = ?
                ORDER BY created_at DESC, id DESC LIMIT \(Self.maximumGists)) AND g.article_id IS NULL
            """, [user], filter, limit: limit)
        return Array((ofArticles + others).sorted { $0.createdAt > $1.createdAt }.prefix(limit))
    }

    private func gists(
        _ condition: String, _ arguments: StatementArguments, _ filter: TextFilter, limit: Int
    ) throws -> [GistItem] {
        let rows = try database.cursor("\(GistItem.select) \(condition) ORDER BY g.id DESC", arguments)
        var found: [GistItem] = []
        while found.count < limit, let row = try rows.next() {
            guard let gist = try? GistItem(row),
                filter.matches([FoldedText(lines: [gist.title, gist.content], ignoresAccents: true)])
            else { continue }
            found.append(gist)
        }
        return found
    }
}
