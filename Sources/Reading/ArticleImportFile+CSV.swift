import Foundation
import TextFormats

extension ArticleImportFile {
    /// What a column's head means, written in any case and with or without lines between the words.
    private enum Column: String {
        case url, title, tags, status, folder, time, archived, selection, excerpt, note, favorite, author,
            language

        init?(head: String) {
            switch head.lowercased().filter(\.isLetter) {
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

    /// Longer than any field that is kept, in bytes.
    private static let maximumField = 200_000

    mutating func readCSV(_ text: [UInt8]) throws {
        let records = CSV.Records(text: text, separator: CSV.separator(in: text))
        var iterator = records.makeIterator()
        guard let head = iterator.next() else { throw Self.notUnderstood() }
        var columns: [Column: Int] = [:]
        for (place, field) in head.fields.enumerated() where field.utf8.count <= 40 {
            if let column = Column(head: field), columns[column] == nil { columns[column] = place }
        }
        guard columns[.url] != nil else { throw Self.notUnderstood() }
        let found = Self.format(columns)
        note(found)
        while hasRoom, let record = iterator.next() {
            if record.isOpen {
                refuse("A quotation mark is opened here and never closed.", row: record.line)
            } else {
                add(Self.article(record, columns, found), row: record.line)
            }
        }
    }

    private static func format(_ columns: [Column: Int]) -> ArticleImportFormat {
        if columns[.time] != nil, columns[.status] != nil, columns[.folder] == nil { return .pocket }
        if columns[.selection] != nil, columns[.folder] != nil { return .instapaper }
        return .other
    }

    private static func article(
        _ record: CSV.Record, _ columns: [Column: Int], _ format: ArticleImportFormat
    ) -> ImportedArticle {
        func cell(_ column: Column) -> String {
            guard let place = columns[column], place < record.fields.count,
                record.fields[place].utf8.count <= maximumField
            else { return "" }
            // Only files that are made for spreadsheets have a sign before what would be a formula.
            return (format == .other ? CSV.read(record.fields[place]) : record.fields[place]).trimmed
        }
        var article = ImportedArticle(url: cell(.url))
        article.title = cell(.title).nonBlank
        // Pocket names by their address the pages which it could not read.
        if article.title == article.url { article.title = nil }
        article.tags = tags(cell(.tags), separator: format == .pocket ? "|" : ",")
        article.savedAt = ImportedTime.parse(cell(.time))
        article.archivedAt = ImportedTime.parse(cell(.archived))
        article.isArchived = isArchived(cell(.status)) || article.archivedAt != nil
        article.isFavorite = ["1", "true", "yes"].contains(cell(.favorite).lowercased())
        (article.author, article.language) = (cell(.author).nonBlank, cell(.language).nonBlank)
        (article.excerpt, article.note) = (cell(.excerpt).nonBlank, cell(.note).nonBlank)
        if let quote = cell(.selection).nonBlank { article.highlights = [.init(quote: quote)] }
        article.take(folder: cell(.folder), ofInstapaper: format == .instapaper)
        return article
    }

    static func isArchived(_ status: String) -> Bool {
        ["archive", "archived", "read"].contains(status.trimmed.lowercased())
    }
}

extension ImportedArticle {
    /// Instapaper has its lists among the folders.
    fileprivate mutating func take(folder: String, ofInstapaper: Bool) {
        switch folder.lowercased() {
        case "": break
        case "unread" where ofInstapaper: break
        case "archive" where ofInstapaper: isArchived = true
        case "starred" where ofInstapaper, "liked" where ofInstapaper: isFavorite = true
        default: category = folder
        }
    }
}

extension String {
    /// The text, or nil where there is nothing to see in it.
    var nonBlank: String? { isBlank ? nil : self }
}
