import Foundation
import RoostSupport
import TextFormats

/// Writes one of the forms that reading lists are exported in.
struct ArticleExportWriter: Sendable {
    private let format: ArticleExport.Format
    private var isFirst = true
    /// Of Netscape's format the folder that is open.
    private var folder: String?

    init(_ format: ArticleExport.Format) { self.format = format }

    mutating func head(at now: Date) -> [UInt8] {
        switch format {
        case .json:
            let head = #"{"program":"Roost","kind":"reading","version":"# + "\(ArticleImportFile.version)"
            return Array(
                (head + #","exportedAt":""# + ISO8601.milliseconds(now) + "\",\n\"articles\":[").utf8)
        case .csv: return Array((Self.columns.joined(separator: ",") + "\r\n").utf8)
        case .netscape:
            let head = """
                <!DOCTYPE NETSCAPE-Bookmark-file-1>
                <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
                <TITLE>Bookmarks</TITLE>
                <H1>Bookmarks</H1>
                <DL><p>

                """
            return Array(head.utf8)
        }
    }

    mutating func article(_ article: ExportedArticle) throws -> [UInt8] {
        switch format {
        case .json: try line(article)
        case .csv: Array((Self.fields(article).map(CSV.written).joined(separator: ",") + "\r\n").utf8)
        case .netscape: Array(bookmark(article).utf8)
        }
    }

    mutating func gist(_ gist: ExportedArticle.Gist) throws -> [UInt8] { try line(gist) }

    /// After the last article.
    mutating func between() -> [UInt8] {
        guard format == .json else { return [] }
        isFirst = true
        return Array("\n],\n\"gists\":[".utf8)
    }

    mutating func end() -> [UInt8] {
        switch format {
        case .json: Array("\n]}\n".utf8)
        case .csv: []
        case .netscape: Array((closedFolder() + "</DL><p>\n").utf8)
        }
    }

    private mutating func line(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        defer { isFirst = false }
        return Array((isFirst ? "\n" : ",\n").utf8) + (try encoder.encode(value))
    }

    // MARK: CSV

    private static let columns = [
        "url", "title", "category", "tags", "state", "favorite", "saved_at", "archived_at", "published_at",
        "site", "author", "language", "excerpt", "gist", "highlights",
    ]

    private static func fields(_ article: ExportedArticle) -> [String] {
        func time(_ time: JSONTime?) -> String { time.map { ISO8601.milliseconds($0.date) } ?? "" }
        let highlights = article.highlights.map { $0.note.isEmpty ? $0.quote : "\($0.quote)\n\($0.note)" }
        return [
            article.url, article.title, article.category, article.tags.joined(separator: ", "),
            article.state.rawValue, article.isFavorite ? "yes" : "no", time(article.savedAt),
            time(article.archivedAt), time(article.publishedAt), article.site, article.author ?? "",
            article.language ?? "", article.excerpt ?? "", article.gist?.content ?? "",
            highlights.joined(separator: "\n\n"),
        ]
    }

    // MARK: Netscape

    private mutating func bookmark(_ article: ExportedArticle) -> String {
        var text = ""
        let category = article.category == Article.standardCategory ? nil : article.category
        if category != folder {
            text += closedFolder()
            if let category { text += "    <DT><H3>\(Self.line(category))</H3>\n    <DL><p>\n" }
            folder = category
        }
        let seconds = { (time: JSONTime) in String(Int(time.date.timeIntervalSince1970)) }
        let attributes = [
            ("HREF", article.url), ("ADD_DATE", seconds(article.savedAt)),
            ("LAST_MODIFIED", seconds(article.updatedAt)), ("PRIVATE", "1"),
            ("TOREAD", article.state == .unread ? "1" : "0"), ("TAGS", article.tags.joined(separator: ",")),
            ("FAVORITE", article.isFavorite ? "1" : ""),
        ]
        let written = attributes.filter { !$0.1.isEmpty }.map { " \($0)=\"\(Self.line($1))\"" }.joined()
        text += "        <DT><A\(written)>\(Self.line(article.title))</A>\n"
        if let excerpt = article.excerpt { text += "        <DD>\(Self.line(excerpt))\n" }
        return text
    }

    private mutating func closedFolder() -> String {
        defer { folder = nil }
        return folder == nil ? "" : "    </DL><p>\n"
    }

    private static func line(_ text: String) -> String { XMLText.escaped(text.sanitized) }
}
