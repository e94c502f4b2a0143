import Foundation
import RoostSupport
import TextFormats

extension ArticleImportFile {
    /// The meaning of a column's heading.
    private enum Column {
        case url, title, tags, status, folder, time, archived, selection, excerpt, note, favorite, author,
            language, isRead, progress, image, content, highlights

        init?(heading: String) {
            switch heading {
            case "url", "link", "address", "href", "givenurl", "resolvedurl", "sourceurl": self = .url
            case "title", "name": self = .title
            case "tags", "labels", "documenttags", "customtags": self = .tags
            case "status", "state", "location": self = .status
            case "folder", "category", "collection", "list": self = .folder
            case "timeadded", "timestamp", "created", "createdat", "savedat", "saved", "dateadded", "added",
                "addedat",
                "saveddate", "creationdate":
                self = .time
            case "archivedat": self = .archived
            case "selection", "highlight", "quote": self = .selection
            case "excerpt", "description", "summary": self = .excerpt
            case "note", "notes", "comment", "comments": self = .note
            case "favorite", "favourite", "isfavorite", "starred", "isstarred", "favorited", "important":
                self = .favorite
            case "author": self = .author
            case "language", "lang": self = .language
            case "read", "isread", "isarchived": self = .isRead
            case "readingprogress", "progress": self = .progress
            case "cover", "image": self = .image
            case "content", "html": self = .content
            case "highlights": self = .highlights
            default: return nil
            }
        }
    }

    mutating func readCSV(_ text: UploadedText) throws {
        let table = text.table(keys: [.url], Column.init(heading:))
        guard table.hasHeadings else {
            if text.bytes.firstRange(of: Array("://".utf8)) != nil { return try readLines(text) }
            throw Self.unknownTable(table)
        }
        let found = Self.format(table.columns)
        note(found)
        let isOwn = format == .roost
        try entries.read(table) { try Self.article($0, found).checked(isOwn: isOwn) }
    }

    /// Names the columns that the file has instead of addresses.
    private static func unknownTable(_ table: CSV.Table<Column>) -> RoostError {
        var rows = table
        let names = (rows.next()?.fields ?? []).filter { !$0.isBlank }.prefix(8).map {
            "“\(String($0.unicodeScalars.prefix(40)).sanitized)”"
        }
        guard names.count > 1 else { return unknownKind }
        return .file("Roost found the columns \(names.joined(separator: ", ")). \(rules.unknownKind)")
    }

    private static func format(_ columns: [Column: Int]) -> ArticleImportFormat {
        if columns[.time] != nil, columns[.status] != nil, columns[.folder] == nil, columns[.progress] == nil
        {
            return .pocket
        }
        if columns[.selection] != nil, columns[.folder] != nil { return .instapaper }
        return .other
    }

    private static func article(
        _ row: CSV.Table<Column>.Row, _ format: ArticleImportFormat
    ) -> ImportedArticle {
        // Only files made for spreadsheets mark a text that looks like a formula.
        func cell(_ column: Column) -> String {
            (format == .other ? row[column] : row.written(column)).trimmed
        }
        var article = ImportedArticle(url: cell(.url))
        article.title = cell(.title).nonBlank
        // Pocket uses the address as the title of pages that it could not read.
        if article.title == article.url { article.title = nil }
        article.tags = tags(cell(.tags), separator: format == .pocket ? "|" : ",")
        article.savedAt = ImportedTime.parse(cell(.time))
        article.archivedAt = ImportedTime.parse(cell(.archived))
        func isSet(_ column: Column) -> Bool { ["1", "true", "yes"].contains(cell(column).lowercased()) }
        article.isArchived = isArchived(cell(.status)) || article.archivedAt != nil || isSet(.isRead)
        article.isFavorite = isSet(.favorite)
        article.progress = progress(cell(.progress))
        (article.image, article.content) = (cell(.image).nonBlank, cell(.content).nonBlank)
        (article.author, article.language) = (cell(.author).nonBlank, cell(.language).nonBlank)
        (article.excerpt, article.note) = (cell(.excerpt).nonBlank, cell(.note).nonBlank)
        if let quote = cell(.selection).nonBlank { article.highlights = [.init(quote: quote)] }
        article.highlights += highlights(cell(.highlights))
        article.apply(folder: cell(.folder), ofInstapaper: format == .instapaper)
        return article
    }

    /// "0.4" or "40 %".
    private static func progress(_ text: String) -> Double {
        guard let number = Double(text.prefix { "0123456789.".contains($0) }) else { return 0 }
        return min(max(text.hasSuffix("%") || number > 1 ? number / 100 : number, 0), 1)
    }

    /// Raindrop.io writes "Highlight:" and "Note:" in one cell.
    private static func highlights(_ text: String) -> [ImportedArticle.Highlight] {
        let (mark, noteMark) = ("Highlight:", "Note:")
        var highlights: [ImportedArticle.Highlight] = []
        var isInNote = false
        for line in text.splitBytes(at: "\n").map({ String($0).trimmed }) {
            if line.hasPrefix(mark) {
                highlights.append(.init(quote: String(line.dropFirst(mark.count)).trimmed))
                isInNote = false
            } else if let last = highlights.indices.last {
                isInNote = isInNote || line.hasPrefix(noteMark)
                let text = line.hasPrefix(noteMark) ? String(line.dropFirst(noteMark.count)).trimmed : line
                if isInNote {
                    if highlights[last].note == nil {
                        highlights[last].note = text
                    } else {
                        highlights[last].note?.append("\n" + text)
                    }
                } else {
                    highlights[last].quote += "\n" + text
                }
            }
        }
        return highlights.filter { !$0.quote.isBlank }
    }

    static func isArchived(_ status: String) -> Bool {
        ["archive", "archived", "read"].contains(status.trimmed.lowercased())
    }
}

extension ImportedArticle {
    /// Instapaper exports its lists as folders.
    fileprivate mutating func apply(folder: String, ofInstapaper: Bool) {
        switch folder.lowercased() {
        case "": break
        case "unread" where ofInstapaper: break
        case "archive" where ofInstapaper: isArchived = true
        case "starred" where ofInstapaper, "liked" where ofInstapaper: details.isFavorite = true
        default: category = folder
        }
    }
}

extension String {
    var nonBlank: String? { isBlank ? nil : self }
}

extension ArticleImportFile {
    /// Reads a text without columns: an address in each line, or Markdown with links in lists and below headings.
    ///
    /// A line may have words around its addresses. A heading of Markdown becomes the category.
    mutating func readLines(_ text: UploadedText) throws {
        let lines = String(decoding: text.bytes, as: UTF8.self)
            .splitBytes(at: "\n", omittingEmptySubsequences: false)
        var headings: [(level: Int, name: String)] = []
        var isInCode = false
        for (number, line) in lines.enumerated() where entries.hasRoom {
            let line = String(line).trimmed
            if line.hasPrefix("```") { isInCode.toggle() }
            guard !isInCode, !line.isEmpty else { continue }
            if let heading = Self.heading(line) {
                headings.removeAll { $0.level >= heading.level }
                headings.append(heading)
                continue
            }
            for var article in MarkdownLink.articles(in: Array(line.utf8)) {
                // The title of the whole file is not a category.
                article.category = ImportedFolders.category(
                    headings.filter { $0.level > 1 }.compactMap { ImportedFolders.name($0.name) })
                try add(article, row: number + 1)
            }
        }
        guard !entries.rows.isEmpty else { throw Self.unknownKind }
        note(.other)
    }

    /// "## Boats": level 2.
    private static func heading(_ line: String) -> (level: Int, name: String)? {
        let level = line.utf8.prefix { $0 == UInt8(ascii: "#") }.count
        let rest = line.utf8.dropFirst(level)
        guard (1...6).contains(level), rest.first == 0x20 else { return nil }
        let name = String(Substring(rest)).trimmed
        return name.isEmpty ? nil : (level, name)
    }
}

/// The first web link of a line: `[title](address)`, `<address>` or a plain address.
private enum MarkdownLink {
    private static let schemes = ["https://", "http://"]
    /// In bytes.
    private static let maximumLine = 20_000

    /// All addresses of a plain line, but only the link of a line in Markdown, whose other links belong to its words.
    static func articles(in line: [UInt8]) -> [ImportedArticle] {
        guard line.count <= maximumLine else { return [] }
        var (articles, rest) = ([ImportedArticle](), line[...])
        while let (article, end) = article(in: Array(rest)) {
            articles.append(article)
            guard let end else { break }
            rest = rest.dropFirst(end)
        }
        return articles
    }

    /// - Returns: the article, and where a plain address ends
    private static func article(in bytes: [UInt8]) -> (ImportedArticle, Int?)? {
        guard let start = start(in: bytes) else { return nil }
        let isInParentheses =
            start > 1 && bytes[start - 1] == UInt8(ascii: "(") && bytes[start - 2] == UInt8(ascii: "]")
        let end = end(of: bytes, from: start, isInParentheses: isInParentheses)
        var article = ImportedArticle(url: String(decoding: bytes[start..<end], as: UTF8.self))
        if isInParentheses, let open = opening(in: bytes[..<(start - 2)]) {
            article.title = text(bytes[(open + 1)..<(start - 2)]).nonBlank
        }
        if article.title == article.url { article.title = nil }
        var rest = bytes[end...]
        if isInParentheses, let close = rest.firstIndex(of: UInt8(ascii: ")")) { rest = rest[(close + 1)...] }
        article.tags = tags(in: &rest)
        let marks = "*-+ \t"
        let before = text(bytes[..<start].drop { marks.utf8.contains($0) })
        article.isArchived = before.lowercased().hasPrefix("[x]")
        if isInParentheses {
            let after = text(rest).unicodeScalars.drop { " -–—:.|>".unicodeScalars.contains($0) }
            article.excerpt = String(Substring(after)).trimmed.nonBlank
        }
        return (article, isInParentheses ? nil : end)
    }

    private static func start(in bytes: [UInt8]) -> Int? {
        let small = bytes.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
        return schemes.compactMap { small.firstRange(of: Array($0.utf8))?.lowerBound }.min()
    }

    /// Parentheses in an address come in pairs.
    private static func end(of bytes: [UInt8], from start: Int, isInParentheses: Bool) -> Int {
        var (end, depth) = (start, 0)
        while end < bytes.count, bytes[end] > 0x20, ![0x22, 0x3C, 0x3E].contains(bytes[end]) {
            if bytes[end] == UInt8(ascii: "(") { depth += 1 }
            if bytes[end] == UInt8(ascii: ")") {
                if depth == 0 { break }
                depth -= 1
            }
            end += 1
        }
        while !isInParentheses, end > start, ".,;:!]".utf8.contains(bytes[end - 1]) { end -= 1 }
        return end
    }

    private static func opening(in bytes: ArraySlice<UInt8>) -> Int? {
        var depth = 0
        for index in bytes.indices.reversed() {
            if bytes[index] == UInt8(ascii: "]") { depth += 1 }
            if bytes[index] == UInt8(ascii: "[") {
                if depth == 0 { return index }
                depth -= 1
            }
        }
        return nil
    }

    /// buku writes tags as a comment: `<!-- TAGS: boats,knots -->`.
    private static func tags(in rest: inout ArraySlice<UInt8>) -> [String] {
        guard let start = rest.firstRange(of: Array("<!--".utf8)),
            let end = rest.firstRange(of: Array("-->".utf8)), start.upperBound <= end.lowerBound
        else { return [] }
        let comment = text(rest[start.upperBound..<end.lowerBound])
        rest = rest[..<start.lowerBound] + rest[end.upperBound...]
        guard comment.lowercased().hasPrefix("tags:") else { return [] }
        return ArticleImportFile.tags(String(comment.dropFirst(5)), separator: ",").map(\.trimmed)
    }

    private static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: Array(bytes), as: UTF8.self).trimmed
    }
}

enum MarkdownList {
    /// A text that begins with `[` is JSON, or Markdown whose first line is a link: `[title](address)`.
    static func isLikely(_ text: [UInt8]) -> Bool {
        let line = text.drop { $0 <= 0x20 }.prefix { $0 != 0x0A }
        guard let middle = line.firstRange(of: Array("](".utf8)) else { return false }
        return line[middle.upperBound...].starts(with: "http".utf8)
            && !line[..<middle.lowerBound].contains(UInt8(ascii: "\""))
    }
}
