import Foundation
import TextFormats

/// An article in a JSON file: of Omnivore, wallabag, Pocket's annotations, Karakeep, or of our own. What they have in
/// common they name alike, or nearly so.
struct JSONArticle {
    /// In bytes: the text of a book.
    static let maximumContent = 8 << 20
    /// In bytes, of notes and descriptions.
    private static let maximumText = 200_000
    static let maximumHighlights = 1_000

    private(set) var article = ImportedArticle()
    private(set) var format = ArticleImportFormat.other
    /// Omnivore's name for the files beside.
    private(set) var slug: String?
    /// Other addresses of the same page, the likeliest first.
    private var addresses: [String] = []
    private var isObject = false

    /// Whether a field says which program wrote it.
    private(set) var isOfKnownProgram = false
    /// Names that mean nothing to Roost.
    private(set) var unknownFields: [String] = []
    private var pinboard = Pinboard()

    /// Why it is no article.
    var fault: String? { isObject ? nil : "This entry is no article." }

    mutating func read(_ reader: inout JSONReader) throws {
        var probe = reader
        if let address = try probe.string(atMost: 10_000) {
            reader = probe
            (article.url, isObject) = (address, true)
            return
        }
        isObject = try reader.object { reader, name in
            note(name)
            try member(name, &reader)
        }
        if pinboard.isFound { takePinboard() }
        if article.url.isBlank { article.url = addresses.first { !$0.isBlank } ?? "" }
        if article.title == article.url { article.title = nil }
        if article.archivedAt != nil, format != .roost { article.isArchived = true }
    }

    private mutating func note(_ name: String) {
        if Self.signatures.contains(name) { isOfKnownProgram = true }
        if Pinboard.signature.contains(name) { pinboard.fields.insert(name) }
        if !Self.knownFields.contains(name), unknownFields.count < Self.maximumUnknownFields {
            unknownFields.append(name)
        }
    }

    private mutating func takePinboard() {
        isOfKnownProgram = true
        article.title = pinboard.description?.nonBlank
        article.excerpt = nil
        article.note = pinboard.extended?.nonBlank
        article.tags = ArticleImportFile.tags(pinboard.tags ?? "", separator: " ")
        article.isArchived = pinboard.isToRead == false
    }

    private mutating func member(_ name: String, _ reader: inout JSONReader) throws {
        switch name {
        case "url": article.url = try reader.string(atMost: 10_000) ?? ""
        case "text": article.text = try reader.string(atMost: Self.maximumContent)
        case "given_url", "givenUrl", "resolved_url", "originalArticleUrl", "pageUrl", "link", "href",
            "origin_url":
            if let address = try reader.string(atMost: 10_000) { addresses.append(address) }
        case "finalUrl": article.finalUrl = try reader.string(atMost: 10_000)
        case "title": article.title = try text(&reader)
        case "name": article.title = try article.title ?? text(&reader)
        case "extended": pinboard.extended = try reader.string(atMost: Self.maximumText)
        case "description":
            article.excerpt = try text(&reader)
            pinboard.description = article.excerpt
        case "toread": pinboard.isToRead = try Self.flag(&reader)
        case "titleIsGiven": article.isTitleGiven = try reader.bool()
        case "tags", "labels", "tag_names": try tags(&reader)
        case "category", "folder", "collection": article.category = try Self.name(&reader)
        case "highlights", "annotations": try highlights(&reader)
        case "content": try content(&reader)
        case "note", "notes": article.note = try text(&reader)
        case "gist": article.gist = try ImportedArticle.Gist(&reader)
        case "slug":
            slug = try reader.string()
            format = .omnivore
        case "hashed_url", "is_starred":
            format = .wallabag
            if name == "is_starred" { article.isFavorite = try Self.flag(&reader) ?? false }
        default:
            if try !state(name, &reader), try !time(name, &reader) { try words(name, &reader) }
        }
    }

    private mutating func state(_ name: String, _ reader: inout JSONReader) throws -> Bool {
        switch name {
        case "is_archived", "isArchived", "archived":
            article.isArchived = try Self.flag(&reader) ?? false || article.isArchived
        // linkding's files in HTML say the same by TOREAD.
        case "unread": if try Self.flag(&reader) == false { article.isArchived = true }
        case "isFavorite", "isStarred", "starred", "favorite", "favourited":
            article.isFavorite = try Self.flag(&reader) ?? false
        case "state", "status":
            if let state = try reader.string(), ArticleImportFile.isArchived(state) {
                article.isArchived = true
            }
        case "progress": article.progress = try reader.number().map { min(max($0, 0), 1) }
        case "readingProgress", "readingProgressPercent":
            article.progress = try reader.number().map { min(max($0 / 100, 0), 1) }
        case "fetchState": article.fetchState = try reader.string()
        case "error": article.error = try reader.string()
        case "kind": article.kind = try reader.string()
        case "mediaType": article.mediaType = try reader.string()
        default: return false
        }
        return true
    }

    private mutating func time(_ name: String, _ reader: inout JSONReader) throws -> Bool {
        switch name {
        case "created_at", "createdAt": article.createdAt = try Self.time(&reader)
        case "savedAt", "saved_at", "time_added", "added_at", "addedAt", "date_added", "time":
            article.savedAt = try Self.time(&reader)
        case "archived_at", "archivedAt": article.archivedAt = try Self.time(&reader)
        case "openedAt": article.openedAt = try Self.time(&reader)
        case "published_at", "publishedAt": article.publishedAt = try Self.time(&reader)
        case "updated_at", "updatedAt": article.updatedAt = try Self.time(&reader)
        case "fetchedAt": article.fetchedAt = try Self.time(&reader)
        default: return false
        }
        return true
    }

    private mutating func words(_ name: String, _ reader: inout JSONReader) throws {
        switch name {
        case "author", "published_by", "authors", "byline": article.author = try Self.name(&reader)
        case "site", "siteName", "site_name": article.site = try reader.string()
        case "language", "lang": article.language = try reader.string()
        case "excerpt", "description": article.excerpt = try text(&reader)
        case "image", "preview_picture", "thumbnail": article.image = try reader.string()
        default: break
        }
    }

    private func text(_ reader: inout JSONReader) throws -> String? {
        try reader.string(atMost: Self.maximumText)?.nonBlank
    }

    /// A list of names or of objects with names, or one text with commas.
    private mutating func tags(_ reader: inout JSONReader) throws {
        var probe = reader
        if let text = try probe.string(atMost: 10_000) {
            reader = probe
            article.tags = ArticleImportFile.tags(text, separator: ",")
            pinboard.tags = text
            return
        }
        try reader.list { reader in
            if let tag = try Self.name(&reader), article.tags.count < ArticleImportFile.maximumTags {
                article.tags.append(tag)
            }
        }
    }

    /// HTML, or what Karakeep has saved.
    private mutating func content(_ reader: inout JSONReader) throws {
        var probe = reader
        if let content = try probe.string(atMost: Self.maximumContent) {
            reader = probe
            article.content = content.nonBlank
            return
        }
        try reader.object { reader, name in
            // Karakeep says what kind of thing it saved.
            if name == "type" { isOfKnownProgram = true }
            switch name {
            case "url": if let address = try reader.string(atMost: 10_000) { addresses.append(address) }
            case "htmlContent": article.content = try reader.string(atMost: Self.maximumContent)?.nonBlank
            case "title", "description", "author": try words(name, &reader)
            default: break
            }
        }
    }

    private mutating func highlights(_ reader: inout JSONReader) throws {
        try reader.list { reader in
            guard let highlight = try ImportedArticle.Highlight(&reader) else { return }
            if highlight.quote.isBlank {
                // Omnivore's note about an article as a whole.
                article.note = article.note ?? highlight.note
            } else if article.highlights.count < Self.maximumHighlights {
                article.highlights.append(highlight)
            }
        }
    }

    /// A text, the first of a list of them, or the name of an object.
    private static func name(_ reader: inout JSONReader) throws -> String? {
        var probe = reader
        if let text = try probe.string() {
            reader = probe
            return text.nonBlank
        }
        var found: String?
        probe = reader
        if try probe.list({ reader in
            let text = try reader.string()
            found = found ?? text
        }) {
            reader = probe
            return found?.nonBlank
        }
        try reader.object { reader, name in
            if ["label", "name", "title"].contains(name) {
                let text = try reader.string()
                found = found ?? text
            }
        }
        return found?.nonBlank
    }

    /// `true`, 1, "1" or "yes", and their opposites; nil for anything else.
    private static func flag(_ reader: inout JSONReader) throws -> Bool? {
        var probe = reader
        if let flag = try probe.bool() {
            reader = probe
            return flag
        }
        probe = reader
        if let text = try probe.string(), let flag = ["yes": true, "no": false][text.lowercased()] {
            reader = probe
            return flag
        }
        return try reader.number().map { $0 == 1 }
    }

    fileprivate static func time(_ reader: inout JSONReader) throws -> Date? {
        var probe = reader
        if let text = try probe.string() {
            reader = probe
            return ImportedTime.parse(text)
        }
        return try reader.number().flatMap(ImportedTime.date)
    }
}

extension JSONArticle {
    /// What means something else in Pinboard's files.
    private struct Pinboard {
        /// Other programs have some of these fields.
        static let signature: Set<String> = ["href", "description", "extended", "toread"]

        var description, extended, tags: String?
        var isToRead: Bool?
        var fields: Set<String> = []

        var isFound: Bool { fields == Self.signature }
    }

    /// Fields that only one program has: its files are known, whatever else is in them.
    private static let signatures: Set<String> = ["slug", "hashed_url", "is_starred", "tag_names"]
    private static let maximumUnknownFields = 20

    /// All that is read of an article, and what means nothing for a reading list.
    private static let knownFields: Set<String> = [
        "url", "given_url", "givenUrl", "resolved_url", "originalArticleUrl", "pageUrl", "link", "href",
        "origin_url", "finalUrl", "title", "name", "titleIsGiven", "tags", "labels", "tag_names", "category",
        "folder", "collection", "highlights", "annotations", "content", "note", "notes", "gist", "slug",
        "hashed_url", "is_starred", "is_archived", "isArchived", "archived", "unread", "toread", "isFavorite",
        "isStarred", "starred", "favorite", "favourited", "state", "status", "progress", "readingProgress",
        "readingProgressPercent", "created_at", "createdAt", "savedAt", "saved_at", "time_added", "added_at",
        "addedAt", "date_added", "time", "archived_at", "archivedAt", "openedAt", "published_at",
        "publishedAt", "updated_at", "updatedAt", "fetchedAt", "author", "published_by", "authors", "byline",
        "site", "siteName", "site_name", "language", "lang", "excerpt", "description", "extended", "image",
        "preview_picture", "thumbnail", "kind", "mediaType", "fetchState", "error",
        "id", "_id", "uid", "uuid", "guid", "type", "domain", "domain_name", "hostname", "favicon", "icon",
        "reading_time", "readingTime", "minutes", "word_count", "wordCount",
    ]
}

extension ImportedArticle.Highlight {
    /// Nil for anything else.
    fileprivate init?(_ reader: inout JSONReader) throws {
        self.init(quote: "")
        var isHighlight = false
        try reader.object { reader, name in
            switch name {
            case "quote":
                quote = try reader.string(atMost: 100_000) ?? ""
                isHighlight = true
            case "note", "annotation", "comment", "text":
                note = try reader.string(atMost: 100_000)?.nonBlank
                isHighlight = isHighlight || note != nil
            case "id": id = try reader.string()
            case "start": start = try reader.count()
            case "end": end = try reader.count()
            case "before", "prefix": before = try reader.string()
            case "after", "suffix": after = try reader.string()
            case "createdAt", "created_at": createdAt = try JSONArticle.time(&reader)
            case "updatedAt", "updated_at": updatedAt = try JSONArticle.time(&reader)
            default: break
            }
        }
        guard isHighlight else { return nil }
    }
}

extension ImportedArticle.Gist {
    /// Nil for anything else.
    init?(_ reader: inout JSONReader) throws {
        self.init(content: "")
        try reader.object { reader, name in
            switch name {
            case "title": title = try reader.string()
            case "content": content = try reader.string(atMost: 1 << 20) ?? ""
            case "sourceUrl": sourceUrl = try reader.string(atMost: 10_000)
            case "category": category = try reader.string()
            case "method": method = try reader.string()
            case "note": note = try reader.string()
            case "isEdited": isEdited = try reader.bool() ?? false
            case "createdAt": createdAt = try JSONArticle.time(&reader)
            case "updatedAt": updatedAt = try JSONArticle.time(&reader)
            default: break
            }
        }
        guard !content.isBlank else { return nil }
    }
}
