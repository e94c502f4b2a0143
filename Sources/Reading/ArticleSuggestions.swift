import Foundation
import GRDB
import RoostSupport

/// Selects unread articles by category, tag and site, according to what the user usually finishes.
enum ArticleSuggestions {
    private enum Trait: Hashable {
        case category(String)
        case tag(String)
        case site(String)

        func reason(_ read: Int, of opened: Int) -> String {
            let share = read == opened ? "all articles" : "\(read) of the last \(opened) articles"
            return switch self {
            case .category(let name): "You finished \(share) that you opened in “\(name)”."
            case .tag(let name): "You finished \(share) that you opened with the tag “\(name)”."
            case .site(let name): "You finished \(share) that you opened from \(name)."
            }
        }
    }

    /// Limits for the articles last opened, and for the newest unread ones.
    private static let (history, candidates) = (300, 400)
    /// The progress from which an article counts as read.
    private static let readThrough = 0.8

    private struct Candidate: ColumnRecord {
        var id: ArticleID = 0
        var category = ""
        var site = ""
        var progress = 0.0
        var tags: [String] = []

        mutating func columns(_ columns: inout some ColumnVisitor) throws {
            try columns.column("id", &id)
            try columns.column("category", &category)
            try columns.column("site", &site)
            try columns.column("progress", &progress)
            try columns.column(
                "tags", sql: "(SELECT json_group_array(tag) FROM article_tags WHERE article_id = a.id)", &tags
            )
        }

        var traits: [Trait] {
            tags.map { .tag(ArticleRules.folded($0)) } + [.site(site)]
                + (category == Article.standardCategory ? [] : [.category(category)])
        }
    }

    private static let selection = Candidate.selection(of: "a")
    private static let historySQL = """
        SELECT \(selection) FROM articles AS a INDEXED BY articles_read
        WHERE a.user_id = ? AND a.opened_at IS NOT NULL ORDER BY a.opened_at DESC LIMIT ?
        """
    private static let candidatesSQL = """
        SELECT \(selection) FROM articles AS a INDEXED BY articles_by_state
        WHERE a.user_id = ? AND a.state = 'unread' ORDER BY a.saved_at DESC, a.id DESC LIMIT ?
        """

    static func suggestions(
        for user: UserID, limit: Int, in reads: Reads
    ) throws -> [(id: ArticleID, reason: String)] {
        var counts: [Trait: (read: Int, opened: Int)] = [:]
        for row in try articles(historySQL, of: user, limit: history, in: reads) {
            for trait in row.traits {
                var count = counts[trait] ?? (0, 0)
                count.opened += 1
                if row.progress >= readThrough { count.read += 1 }
                counts[trait] = count
            }
        }
        // One article is not enough evidence.
        let liked = counts.filter { $0.value.read >= 2 && 2 * $0.value.read >= $0.value.opened }
        guard !liked.isEmpty else { return [] }
        var found: [(id: ArticleID, reason: String, score: Double)] = []
        for row in try articles(candidatesSQL, of: user, limit: candidates, in: reads)
        where row.progress < readThrough {
            let scores = row.traits.compactMap { trait in
                liked[trait].map { (trait, $0, score($0.read, of: $0.opened)) }
            }
            guard let best = scores.max(by: { $0.2 < $1.2 }) else { continue }
            let sum = scores.reduce(0) { $0 + $1.2 }
            found.append((row.id, best.0.reason(best.1.read, of: best.1.opened), sum))
        }
        // Equal scores keep the order of the list.
        let sorted = found.enumerated().sorted {
            ($1.element.score, $0.offset) < ($0.element.score, $1.offset)
        }
        return sorted.prefix(limit).map { ($0.element.id, $0.element.reason) }
    }

    /// Between 0 and 1, and lower for few articles.
    private static func score(_ read: Int, of opened: Int) -> Double { Double(read) / Double(opened + 2) }

    private static func articles(
        _ sql: String, of user: UserID, limit: Int, in reads: Reads
    ) throws -> [Candidate] {
        try reads.database.rows(sql, [user, limit]).readable { try Candidate($0) }
    }
}

package struct SuggestedArticle: Equatable, Sendable {
    package let item: ArticleItem
    /// A sentence such as "You finish most articles of example.org."
    package let reason: String
}
