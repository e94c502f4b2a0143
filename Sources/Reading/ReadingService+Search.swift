import Foundation
import GRDB
package import RoostSupport
import TextFormats

/// The search of everything: short lists of the best matches, each from an index.
extension ReadingService {
    /// Returns articles whose title begins with the text, then the latest that contain all its words. Without text,
    /// returns the articles that the user opened last.
    package func search(
        _ reads: Reads, _ text: String, of user: UserID, limit: Int
    ) throws -> [ArticleItem] {
        let found =
            text.isBlank
            ? try reads.openedArticles(of: user, limit: limit)
            : try reads.articles(matching: text, of: user, limit: limit)
        return found.map(shown)
    }

    /// Returns highlights with all words in their quotation and note, and the titles of their articles. Looks at the
    /// latest articles that contain the words.
    package func highlights(
        _ reads: Reads, matching text: String, of user: UserID, limit: Int
    ) throws -> [(highlight: Highlight, title: String)] {
        try reads.highlights(matching: text, of: user, limit: limit)
    }
}

extension GistService {
    /// Returns the user's own gists with all words of the text, the latest first.
    package func search(
        _ reads: Reads, _ text: String, of user: UserID, limit: Int
    ) throws -> [GistItem] { try reads.gists(matching: text, of: user, limit: limit) }
}

extension Reads {
    fileprivate func openedArticles(of user: UserID, limit: Int) throws -> [ArticleItem] {
        try database.rows(
            """
            SELECT \(ArticleItem.selection) FROM articles AS a INDEXED BY articles_read
            WHERE a.user_id = ? AND a.opened_at IS NOT NULL ORDER BY a.opened_at DESC LIMIT ?
            """, [user, limit]
        ).readable { try ArticleItem($0) }
    }

    fileprivate func articles(
        matching text: String, of user: UserID, limit: Int
    ) throws -> [ArticleItem] {
        let key = ArticleRules.titleKey(text.trimmed)
        let titled = try database.rows(
            """
            SELECT \(ArticleItem.selection) FROM articles AS a INDEXED BY articles_by_title
            WHERE a.user_id = ? AND a.title_key >= ? AND a.title_key < ? ORDER BY a.title_key, a.id LIMIT ?
            """, [user, key, key + "\u{10FFFF}", limit]
        ).readable { try ArticleItem($0) }
        let query = wordQuery(text, of: user, limit: limit)
        guard titled.count < limit, query.hasText else { return titled }
        let known = Set(titled.map(\.id))
        let others = try query.items(database, hasSnippets: false).map(\.item).filter {
            !known.contains($0.id)
        }
        return Array((titled + others).prefix(limit))
    }

    fileprivate func highlights(
        matching text: String, of user: UserID, limit: Int
    ) throws -> [(highlight: Highlight, title: String)] {
        let query = wordQuery(text, of: user, limit: limit)
        guard query.hasText else { return [] }
        let filter = Self.filter(text)
        let rows = try database.cursor(
            """
            SELECT \(Highlight.selection), a.title AS title
            FROM (SELECT rowid FROM reading_search WHERE reading_search MATCH ?
                ORDER BY rowid DESC LIMIT \(ArticleListQuery.maximumSearched)) AS found
            CROSS JOIN articles AS a ON a.id = found.rowid
            CROSS JOIN article_highlights INDEXED BY article_highlights_by_article
                ON article_highlights.article_id = a.id
            WHERE a.user_id = ? LIMIT \(2 * ArticleListQuery.maximumSearched)
            """, [try query.match(database), user])
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

    fileprivate func gists(matching text: String, of user: UserID, limit: Int) throws -> [GistItem] {
        let phrases = SearchPhrase.phrases(in: text)
        guard !phrases.isEmpty else { return [] }
        let ofArticles = try database.rows(
            GistItem.select + """
                 WHERE g.article_id IN (SELECT rowid FROM reading_search WHERE reading_search MATCH ?
                    ORDER BY rowid DESC LIMIT ?) AND +g.user_id = ?
                ORDER BY g.created_at DESC, g.id DESC
                """, ["gist : (\(SearchPhrase.match(phrases))) AND owner : \"u\(user)\"", limit, user]
        ).readable { try GistItem($0) }
        let filter = Self.filter(text)
        // Gists of pasted text are in no index: only the latest are searched.
        let others = try database.rows(
            GistItem.select + """
                 WHERE g.id IN (SELECT id FROM gists WHERE user_id = ? ORDER BY created_at DESC, id DESC LIMIT 1000)
                    AND g.article_id IS NULL
                ORDER BY g.id DESC
                """, [user]
        ).readable { try GistItem($0) }
        let matches = others.lazy.filter { gist in
            filter.matches([FoldedText(lines: [gist.title, gist.content], ignoresAccents: true)])
        }
        return (ofArticles + Array(matches.prefix(limit))).sorted { $0.createdAt > $1.createdAt }
    }

    private func wordQuery(_ text: String, of user: UserID, limit: Int) -> ArticleListQuery {
        ArticleListQuery(
            filter: ArticleFilter(list: .all, text: text), user: user, position: nil, limit: limit)
    }

    private static func filter(_ text: String) -> TextFilter {
        TextFilter(text.replacingBytes(of: "\"", with: " "), ignoresAccents: true)
    }
}
