import Foundation
import RoostSupport
import TextFormats

extension ArticleImportFile {
    /// The meaning of a column's heading.
    private enum Column {
        case url, title, tags, status, folder, time, archived, selection, excerpt, note, favorite, author,
            language

        init?(heading: String) {
            switch heading {
            case "url", "link", "address", "href", "givenurl", "resolvedurl": self = .url
            case "title", "name": self = .title
            case "tags", "labels": self = .tags
            case "status", "state": self = .status
            case "folder", "category", "collection", "list": self = .folder
            case "timeadded", "timestamp", "created", "createdat", "savedat", "saved", "dateadded", "added",
                "addedat",
                "saveddate":
                self = .time
            case "archivedat": self = .archived
            case "selection", "highlight", "quote": self = .selection
            case "excerpt", "description", "summary": self = .excerpt
            case "note", "notes", "comment", "comments": self = .note
            case "favorite", "favourite", "isfavorite", "starred", "isstarred": self = .favorite
            case "author": self = .author
            case "language", "lang": self = .language
            default: return nil
            }
        }
    }

    mutating func readCSV(_ text: UploadedText) throws {
        let table = text.table(keys: [.url], Column.init(heading:))
        guard table.hasHeadings else { throw Self.unknownKind }
        let found = Self.format(table.columns)
        note(found)
        let isOwn = format == .roost
        try entries.read(table) { try Self.article($0, found).checked(isOwn: isOwn) }
    }

    private static func format(_ columns: [Column: Int]) -> ArticleImportFormat {
        if columns[.time] != nil, columns[.status] != nil, columns[.folder] == nil { return .pocket }
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
        article.isArchived = isArchived(cell(.status)) || article.archivedAt != nil
        article.isFavorite = ["1", "true", "yes"].contains(cell(.favorite).lowercased())
        (article.author, article.language) = (cell(.author).nonBlank, cell(.language).nonBlank)
        (article.excerpt, article.note) = (cell(.excerpt).nonBlank, cell(.note).nonBlank)
        if let quote = cell(.selection).nonBlank { article.highlights = [.init(quote: quote)] }
        article.apply(folder: cell(.folder), ofInstapaper: format == .instapaper)
        return article
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
