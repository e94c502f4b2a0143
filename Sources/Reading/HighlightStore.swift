import ArticleText
import Foundation
import GRDB
import RoostSupport

extension Reads {
    func highlights(of id: ArticleID) throws -> [Highlight] {
        try database.rows(
            """
            SELECT \(Highlight.selection) FROM article_highlights WHERE article_id = ? ORDER BY start_offset, id
            """, [id]
        ).readable { try Highlight($0) }
    }

    func highlight(_ id: String, of article: ArticleID, by user: UserID) throws -> Highlight {
        let article = try requiredArticle(article, of: user).id
        guard
            let row = try database.row(
                "SELECT \(Highlight.selection) FROM article_highlights WHERE id = ? AND article_id = ?",
                [id.lowercased(), article])
        else { throw RoostError.notFound("There is no such highlight.") }
        return try Highlight(row)
    }
}

extension Writes {
    func insertHighlight(_ highlight: Highlight, by user: UserID) throws {
        try insert(highlight, into: "article_highlights", keys: ["user_id": user])
    }

    func setNote(_ note: String, of highlight: Highlight, at now: Date) throws {
        // Always later than before, because the time identifies the version.
        try execute(
            "UPDATE article_highlights SET note = ?, updated_at = max(?, updated_at + 0.001) WHERE id = ?",
            [note, now.stored, highlight.id])
    }

    func removeHighlight(_ highlight: Highlight) throws {
        try execute("DELETE FROM article_highlights WHERE id = ?", [highlight.id])
    }

    /// Finds each passage again in a changed text. If it is gone, its quotation stays with an empty range.
    func relocateHighlights(of id: ArticleID) throws {
        let highlights = try highlights(of: id)
        guard !highlights.isEmpty, let body = try articleBody(of: id) else { return }
        let text = MarkupText(CleanMarkup(cleaned: body.markup))
        for highlight in highlights {
            let range = text.range(of: highlight) ?? 0..<0
            guard range.lowerBound != highlight.start || range.upperBound != highlight.end else { continue }
            try execute(
                "UPDATE article_highlights SET start_offset = ?, end_offset = ? WHERE id = ?",
                [range.lowerBound, range.upperBound, highlight.id])
        }
    }
}
