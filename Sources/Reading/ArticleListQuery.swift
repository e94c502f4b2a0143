import Foundation
import GRDB
import RoostSupport
import TextFormats

/// The last row of a page of articles, gists or shared items: its sort key and its id.
package struct ArticlePosition: Codable, Equatable, Sendable {
    var number: Double?
    var text: String?
    let id: Int64

    init(_ key: DatabaseValue, _ id: ArticleID) {
        self.id = id
        switch key.storage {
        case .int64(let value): number = Double(value)
        case .double(let value): number = value
        case .string(let value): text = value
        case .null, .blob: number = 0
        }
    }

    init(time: Date, id: Int64) {
        number = time.timeIntervalSince1970
        self.id = id
    }

    fileprivate var key: any DatabaseValueConvertible {
        if let text { return text }
        return number ?? 0
    }
}

/// Reads one page of a list. Every list has an index in the order of its rows.
struct ArticleListQuery: Sendable {
    let filter: ArticleFilter
    let user: UserID
    let position: ArticlePosition?
    let limit: Int

    private static let maximumSearched = 1_000

    private var hasText: Bool { !phrases.isEmpty }
    private var phrases: [SearchPhrase] { filter.text.map(SearchPhrase.phrases) ?? [] }

    /// A search sorts by row id, the order in which articles were first saved, because its index has that order.
    private var order: (key: String, isDescending: Bool) {
        switch filter.sort {
        case .newest: (newestKey, true)
        case .oldest: (newestKey, false)
        case .title: ("a.title_key", false)
        case .site: ("a.site", false)
        case .shortest: ("a.length_key", false)
        case .longest: ("a.reverse_length_key", true)
        }
    }

    private var newestKey: String {
        hasText ? "reading_search.rowid" : filter.tag == nil ? "a.saved_at" : "t.saved_at"
    }

    private var idColumn: String {
        hasText && isByTime ? "reading_search.rowid" : !hasText && filter.tag != nil ? "t.article_id" : "a.id"
    }

    private var isByTime: Bool { filter.sort == .newest || filter.sort == .oldest }

    /// Named explicitly, because SQLite would have to guess without statistics.
    private var index: String {
        let isState = filter.list == .unread || filter.list == .archived
        if filter.site != nil { return "articles_by_site" }
        if filter.category != nil {
            return filter.sort == .title ? "articles_by_category_and_title" : "articles_by_category"
        }
        if filter.list == .favorites { return "articles_favorite" }
        if filter.list == .failed { return "articles_failed" }
        return switch filter.sort {
        case .newest, .oldest: isState ? "articles_by_state" : "articles_by_time"
        case .title: isState ? "articles_by_state_and_title" : "articles_by_title"
        case .site: isState ? "articles_by_state_and_site" : "articles_by_site_name"
        case .shortest: isState ? "articles_by_state_and_length" : "articles_by_length"
        case .longest: isState ? "articles_by_state_and_reverse_length" : "articles_by_reverse_length"
        }
    }

    private var source: String {
        if hasText {
            return isByTime
                ? "reading_search CROSS JOIN articles AS a ON a.id = reading_search.rowid"
                : """
                (SELECT rowid FROM reading_search WHERE reading_search MATCH :match
                    ORDER BY rowid DESC LIMIT \(Self.maximumSearched)) AS found
                CROSS JOIN articles AS a ON a.id = found.rowid
                """
        }
        if filter.tag != nil { return "article_tags AS t CROSS JOIN articles AS a ON a.id = t.article_id" }
        return "articles AS a INDEXED BY \(index)"
    }

    private var conditions: [String] {
        var conditions = ["a.user_id = :user"]
        if hasText, isByTime { conditions.append("reading_search MATCH :match") }
        if filter.tag != nil {
            conditions.append(
                hasText
                    ? "EXISTS (SELECT 1 FROM article_tags WHERE article_id = a.id AND folded = :tag)"
                    : "t.user_id = :user AND t.folded = :tag")
        }
        switch filter.list {
        case .unread, .archived: conditions.append("a.state = '\(filter.list.rawValue)'")
        case .favorites: conditions.append("a.is_favorite = 1")
        case .failed: conditions.append("a.fetch_state = 'failed'")
        case .suggested: conditions.append("a.state = 'unread'")
        case .all: break
        }
        if filter.category != nil { conditions.append("a.category = :category") }
        if filter.site != nil { conditions.append("a.site = :site") }
        return conditions
    }

    private func arguments(_ database: GRDB.Database) throws -> [String: (any DatabaseValueConvertible)?] {
        var arguments: [String: (any DatabaseValueConvertible)?] = ["user": user]
        if let tag = filter.tag { arguments["tag"] = ArticleRules.folded(tag) }
        if let category = filter.category { arguments["category"] = category }
        if let site = filter.site { arguments["site"] = site }
        if hasText { arguments["match"] = match(usesPrefix: try usesPrefix(database)) }
        return arguments
    }

    /// Returns up to `limit` + 1 rows with their sort keys.
    func items(
        _ database: GRDB.Database
    ) throws -> [(item: ArticleItem, key: DatabaseValue)] {
        let (key, isDescending) = order
        let direction = isDescending ? "DESC" : "ASC"
        var (conditions, arguments) = (conditions, try arguments(database))
        if let position {
            let sign = isDescending ? "<" : ">"
            if hasText, isByTime {
                conditions.append("reading_search.rowid \(sign) :lastID")
            } else {
                conditions.append("(\(key), \(idColumn)) \(sign) (:lastKey, :lastID)")
                arguments["lastKey"] = position.key
            }
            arguments["lastID"] = position.id
        }
        arguments["limit"] = limit + 1
        let hasSnippet = hasText && isByTime
        let texts =
            hasSnippet ? Self.textColumns.map { ", reading_search.\($0) AS found_\($0)" }.joined() : ""
        let highlighter =
            hasSnippet ? SearchHighlighter(phrases, isBeginning: try usesPrefix(database)) : nil
        let ordering =
            key == idColumn ? "\(key) \(direction)" : "\(key) \(direction), \(idColumn) \(direction)"
        let sql = """
            SELECT \(ArticleItem.selection), \(key) AS order_key\(texts)
            FROM \(source)
            WHERE \(conditions.joined(separator: " AND "))
            ORDER BY \(ordering)
            LIMIT :limit
            """
        return try database.cursor(sql, StatementArguments(arguments)).readable { row in
            var item = try ArticleItem(row)
            if let highlighter { item.snippet = try Self.snippet(row, highlighter) }
            return (item, try row.value("order_key"))
        }
    }

    func total(_ database: GRDB.Database) throws -> Int {
        if !hasText, let (kind, name) = countedGroup {
            let names = name.map { [$0] } ?? ArticleState.allCases.map(\.rawValue)
            return try names.reduce(0) { sum, name in
                try sum
                    + (database.value(
                        Int.self,
                        "SELECT count FROM reading_counts WHERE user_id = ? AND kind = ? AND name = ?",
                        [user, kind, name]) ?? 0)
            }
        }
        let sql = """
            SELECT count(*) FROM (
                SELECT 1 FROM \(source) WHERE \(conditions.joined(separator: " AND "))
                LIMIT \(hasText ? Self.maximumSearched : ArticlePage.maximumCount))
            """
        return try database.value(Int.self, sql, StatementArguments(try arguments(database))) ?? 0
    }

    /// The matching row of `reading_counts`; a nil name means the sum of all states.
    private var countedGroup: (kind: String, name: String?)? {
        let groups = [filter.category, filter.tag, filter.site].compactMap(\.self).count
        switch (filter.list, groups) {
        case (.unread, 0), (.archived, 0): return ("state", filter.list.rawValue)
        case (.favorites, 0): return ("favorite", "")
        case (.failed, 0): return ("failed", "")
        case (.all, 0): return ("state", nil)
        case (.all, 1):
            if let category = filter.category { return ("category", category) }
            if let site = filter.site { return ("site", site) }
            return filter.tag.map { ("tag", ArticleRules.folded($0)) }
        default: return nil
        }
    }

    /// The latest articles that match the text; none without a word in it.
    func latestMatches(_ database: GRDB.Database) throws -> [ArticleID] {
        guard hasText else { return [] }
        return try database.values(
            ArticleID.self,
            "SELECT rowid FROM reading_search WHERE reading_search MATCH ? ORDER BY rowid DESC LIMIT ?",
            [match(usesPrefix: try usesPrefix(database)), Self.maximumSearched])
    }

    func ids(_ database: GRDB.Database) throws -> [ArticleID] {
        let sql = "SELECT a.id FROM \(source) WHERE \(conditions.joined(separator: " AND "))"
        return try database.values(ArticleID.self, sql, StatementArguments(try arguments(database)))
    }

    // MARK: Search

    /// Whether to match an unfinished last word as a prefix: if it is short (there is an index for that) or if too few
    /// articles contain it as a whole word.
    private func usesPrefix(_ database: GRDB.Database) throws -> Bool {
        guard let last = phrases.last, last.mayBePrefix, last.content.unicodeScalars.count >= 2 else {
            return false
        }
        if last.content.unicodeScalars.count <= 3 { return true }
        let count = try database.value(
            Int.self,
            """
            SELECT count(*) FROM (
                SELECT rowid FROM reading_search WHERE reading_search MATCH ?
                ORDER BY rowid DESC LIMIT ?)
            """, [match(usesPrefix: false), limit])
        return (count ?? 0) < limit
    }

    private func match(usesPrefix: Bool) -> String {
        let terms = SearchPhrase.match(phrases, isBeginning: usesPrefix)
        return "{title text gist notes} : (\(terms)) AND owner : \"u\(user)\""
    }

    /// Those shown around a match; the title is in the row anyway, so it comes last.
    private static let textColumns = ["text", "gist", "notes", "title"]
    /// In code points: before the first match, and in all.
    private static let (snippetBefore, snippetLength) = (60, 180)

    /// Returns the part of the text with the most of the words, with an ellipsis where it is cut.
    private static func snippet(
        _ row: Row, _ highlighter: SearchHighlighter
    ) throws -> [SearchSnippet.Piece]? {
        var (best, bestText) = (SearchHighlighter.Found(), "")
        for column in textColumns {
            let text = try row.value("found_\(column)") as String? ?? ""
            let found = highlighter.matches(in: text, length: snippetLength * 4)
            if found.phraseCount > best.phraseCount { (best, bestText) = (found, text) }
        }
        guard best.phraseCount > 0 else { return nil }
        let snippet = SearchSnippet(
            bestText.replacingBytes(of: "\n", with: " "), matches: best.ranges, before: snippetBefore,
            length: snippetLength)
        let ellipsis = SearchSnippet.Piece(text: "…", isMatch: false)
        return (snippet.isCutBefore ? [ellipsis] : []) + snippet.pieces
            + (snippet.isCutAfter ? [ellipsis] : [])
    }
}
