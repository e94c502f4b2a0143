import Foundation
import GRDB
import RoostSupport

/// Chooses unread articles by what their reader reads through.
struct SuggestionTransaction {
    let reading: ReadingTransaction

    init(_ reading: ReadingTransaction) { self.reading = reading }

    /// What says something of an article.
    private enum Trait: Hashable {
        case category(String)
        case tag(String)
        case site(String)

        func reason(_ read: Int, of opened: Int) -> String {
            let share = read == opened ? "all" : "\(read) of the last \(opened)"
            return switch self {
            case .category(let name): "You read \(share) that you opened in “\(name)”."
            case .tag(let name): "You read \(share) that you opened with the tag “\(name)”."
            case .site(let name): "You read \(share) that you opened from \(name)."
            }
        }
    }

    /// The last articles that were opened, and the newest that are unread, are looked at.
    private static let (history, candidates) = (300, 400)
    /// From here on an article was read through.
    private static let readThrough = 0.8

    static let historySQL = """
        SELECT a.id, a.category, a.site, a.progress,
            (SELECT json_group_array(tag) FROM article_tags WHERE article_id = a.id) AS tags
        FROM articles AS a INDEXED BY articles_read
        WHERE a.user_id = ? AND a.opened_at IS NOT NULL ORDER BY a.opened_at DESC LIMIT ?
        """
    static let candidatesSQL = """
        SELECT a.id, a.category, a.site, a.progress,
            (SELECT json_group_array(tag) FROM article_tags WHERE article_id = a.id) AS tags
        FROM articles AS a INDEXED BY articles_by_state
        WHERE a.user_id = ? AND a.state = 'unread' ORDER BY a.saved_at DESC, a.id DESC LIMIT ?
        """

    /// The best first: what is read through more often, and of more articles.
    func suggestions(for user: UserID, limit: Int) throws -> [(id: ArticleID, reason: String)] {
        var counts: [Trait: (read: Int, opened: Int)] = [:]
        for row in try rows(Self.historySQL, user, Self.history) {
            for trait in row.traits {
                var count = counts[trait] ?? (0, 0)
                count.opened += 1
                if row.progress >= Self.readThrough { count.read += 1 }
                counts[trait] = count
            }
        }
        // One article says nothing of a liking.
        let liked = counts.filter { $0.value.read >= 2 && 2 * $0.value.read >= $0.value.opened }
        guard !liked.isEmpty else { return [] }
        var found: [(id: ArticleID, reason: String, score: Double)] = []
        for row in try rows(Self.candidatesSQL, user, Self.candidates) where row.progress < Self.readThrough {
            let scores = row.traits.compactMap { trait in
                liked[trait].map { (trait, $0, Self.score($0.read, of: $0.opened)) }
            }
            guard let best = scores.max(by: { $0.2 < $1.2 }) else { continue }
            let sum = scores.reduce(0) { $0 + $1.2 }
            found.append((row.id, best.0.reason(best.1.read, of: best.1.opened), sum))
        }
        // Where the scores are level, the order of the list stays.
        let sorted = found.enumerated().sorted {
            ($1.element.score, $0.offset) < ($0.element.score, $1.offset)
        }
        return sorted.prefix(limit).map { ($0.element.id, $0.element.reason) }
    }

    /// Between 0 and 1: few articles prove little.
    private static func score(_ read: Int, of opened: Int) -> Double { Double(read) / Double(opened + 2) }

    private func rows(
        _ sql: String, _ user: UserID, _ limit: Int
    ) throws -> [(id: ArticleID, traits: [Trait], progress: Double)] {
        try Row.fetchAll(reading.database.cachedStatement(sql: sql), arguments: [user, limit]).readable {
            row in
            let category = try row.text("category")
            let tags: [String] = try row.json("tags")
            var traits = tags.map { Trait.tag(ArticleRules.folded($0)) } + [.site(try row.text("site"))]
            if category != Article.standardCategory { traits.append(.category(category)) }
            return (try row.id("id"), traits, try row.value("progress"))
        }
    }
}
