import ArticleText
import Foundation
import RoostSupport
import TextFormats

struct ArticleExportWriter: Sendable {
    private let format: ArticleExport.Format
    private var isFirst = true
    /// The open folder, in the Netscape format.
    private var folder: String?

    init(_ format: ArticleExport.Format) { self.format = format }

    mutating func head(at now: Date) -> [UInt8] {
        switch format {
        case .json:
            let head = #"{"program":"Roost","kind":"reading","version":"# + "\(ArticleImportFile.version)"
            return Array(
                (head + #","exportedAt":""# + ISO8601.milliseconds(now) + "\",\n\"articles\":[").utf8)
        case .csv: return CSV.line(Self.columns)
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
        case .csv: CSV.line(Self.fields(article))
        case .netscape: Array(bookmark(article.item).utf8)
        }
    }

    mutating func gist(_ gist: GistDetails) throws -> [UInt8] { try line(gist) }

    /// Ends the articles and begins the gists.
    mutating func startGists() -> [UInt8] {
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
        defer { isFirst = false }
        return Array((isFirst ? "\n" : ",\n").utf8) + (try TransferLine.json(value))
    }

    // MARK: CSV

    private static let columns = [
        "url", "title", "category", "tags", "state", "favorite", "saved_at", "archived_at", "published_at",
        "site", "author", "language", "excerpt", "gist", "highlights",
    ]

    private static func fields(_ article: ExportedArticle) -> [String] {
        func time(_ time: Date?) -> String { time.map(ISO8601.milliseconds) ?? "" }
        let (item, details) = (article.item, article.item.details)
        let highlights = article.highlights.map { $0.note.isEmpty ? $0.quote : "\($0.quote)\n\($0.note)" }
        return [
            item.url, details.title, details.category, item.tags.joined(separator: ", "),
            details.state.rawValue,
            details.isFavorite ? "yes" : "no", time(details.savedAt), time(details.archivedAt),
            time(details.publishedAt), item.site, details.author ?? "", details.language ?? "",
            details.excerpt ?? "", article.gist?.content ?? "", highlights.joined(separator: "\n\n"),
        ]
    }

    // MARK: Netscape

    private mutating func bookmark(_ article: ArticleItem) -> String {
        var text = ""
        let category = article.category == Article.standardCategory ? nil : article.category
        if category != folder {
            text += closedFolder()
            if let category { text += "    <DT><H3>\(Self.line(category))</H3>\n    <DL><p>\n" }
            folder = category
        }
        let seconds = { (time: Date) in String(Int(time.timeIntervalSince1970)) }
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

    private static func line(_ text: String) -> String {
        var bytes: [UInt8] = []
        HTMLEscapes.append(text.sanitized, to: &bytes, after: nil)
        return String(decoding: bytes, as: UTF8.self)
    }
}
