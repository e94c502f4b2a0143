import RoostSupport
import TextFormats

/// CSV with a heading for each column, as Pocket, Instapaper, Raindrop.io, Readwise Reader and others write it.
enum ArticleTable {
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

    static func read(_ text: UploadedText, into file: inout ArticleImportFile) throws {
        let table = text.table(keys: [.url], Column.init(heading:))
        guard table.hasHeadings else {
            if text.bytes.firstRange(of: Array("://".utf8)) != nil {
                return try AddressList.read(text, into: &file)
            }
            throw unknownTable(table)
        }
        let found = format(table.columns)
        file.note(found)
        let isOwn = file.format == .roost
        try file.entries.read(table) { try article($0, found).checked(isOwn: isOwn) }
    }

    /// Names the columns that the file has instead of addresses.
    private static func unknownTable(_ table: CSV.Table<Column>) -> RoostError {
        var rows = table
        let names = (rows.next()?.fields ?? []).filter { !$0.isBlank }.prefix(8).map {
            "“\(String($0.unicodeScalars.prefix(40)).sanitized)”"
        }
        guard names.count > 1 else { return ArticleImportFile.unknownKind }
        return .file(
            "Roost found the columns \(names.joined(separator: ", ")). \(ArticleImportFile.rules.unknownKind)"
        )
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
        article.tags = ArticleImportFile.tags(cell(.tags), separator: format == .pocket ? "|" : ",")
        article.savedAt = ImportedTime.parse(cell(.time))
        article.archivedAt = ImportedTime.parse(cell(.archived))
        func isSet(_ column: Column) -> Bool { ["1", "true", "yes"].contains(cell(column).lowercased()) }
        article.isArchived =
            ArticleImportFile.isArchived(cell(.status)) || article.archivedAt != nil || isSet(.isRead)
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
