import Foundation
import TextFormats

/// An article in a JSON file of Omnivore, wallabag, Pocket's annotations, Karakeep or Roost. Most field names are the
/// same or similar.
struct JSONArticle {
    /// In bytes; enough for a book.
    static let maximumContent = 8 << 20
    /// Of notes and descriptions, in bytes.
    private static let maximumText = 200_000
    static let maximumHighlights = 1_000

    private(set) var article = ImportedArticle()
    private(set) var format = ArticleImportFormat.other
    /// The name of Omnivore's files with the text and highlights.
    private(set) var slug: String?
    /// Other addresses of the page, most likely first.
    private var addresses: [String] = []
    private(set) var isArticle = false

    /// Whether a field shows which program wrote the file.
    private(set) var isRecognizedProgram = false
    private(set) var unknownFields: [String] = []
    private var pinboard = Pinboard()
    private var sourceURL: String?
    private var isPocket = false
    private var pocketStatus: String?

    mutating func read(_ reader: inout JSONReader) throws {
        if try reader.isString() {
            if let address = try reader.string(atMost: 10_000) { (article.url, isArticle) = (address, true) }
            return
        }
        isArticle = try reader.object { reader, name in
            if Self.signatures.contains(name) { isRecognizedProgram = true }
            if Pinboard.signature.contains(name) { pinboard.fields.insert(name) }
            let isKnown =
                try readIdentity(name, &reader) || readState(name, &reader)
                || readTime(name, &reader) || readMetadata(name, &reader)
                || Self.unneededFields.contains(name)
            if !isKnown, unknownFields.count < Self.maximumUnknownFields { unknownFields.append(name) }
        }
        if pinboard.isFound { applyPinboard() }
        // An address of Readwise Reader itself, which only its owner can open.
        if let sourceURL, article.url.isBlank || article.url.containsBytes("readwise.io/") {
            article.url = sourceURL
        }
        if isPocket, pocketStatus == "1" { article.isArchived = true }
        if article.url.isBlank { article.url = addresses.first { !$0.isBlank } ?? "" }
        if article.title == article.url { article.title = nil }
        if article.archivedAt != nil, format != .roost { article.isArchived = true }
    }

    private mutating func applyPinboard() {
        isRecognizedProgram = true
        article.title = pinboard.description?.nonBlank
        article.excerpt = nil
        article.note = pinboard.extended?.nonBlank
        article.tags = ArticleImportFile.tags(pinboard.tags ?? "", separator: " ")
        article.isArchived = pinboard.isToRead == false
    }

    private mutating func readIdentity(_ name: String, _ reader: inout JSONReader) throws -> Bool {
        switch name {
        case "url": article.url = try reader.string(atMost: 10_000) ?? ""
        case "text":
            article.text = try reader.string(atMost: Self.maximumContent)
            // Only our own files may have it.
            return false
        case "comments":
            // Other programs have their number or a list.
            if try reader.isString() {
                article.comments = try reader.string(atMost: Self.maximumContent)?.nonBlank
            }
            return false
        case "given_url", "givenUrl", "resolved_url", "originalArticleUrl", "pageUrl", "link", "href",
            "origin_url":
            if let address = try reader.string(atMost: 10_000) { addresses.append(address) }
        case "source_url": sourceURL = try reader.string(atMost: 10_000)?.nonBlank
        // Feed readers have lists of links.
        case "canonical", "alternate":
            try reader.list { reader in
                try reader.object { reader, name in
                    if name == "href", let address = try reader.string(atMost: 10_000) {
                        addresses.append(address)
                    }
                }
            }
        case "finalUrl": article.finalUrl = try reader.string(atMost: 10_000)
        case "title": article.title = try text(&reader)
        case "given_title", "resolved_title": article.title = try text(&reader) ?? article.title
        case "name": article.title = try article.title ?? text(&reader)
        case "extended": pinboard.extended = try reader.string(atMost: Self.maximumText)
        case "description":
            article.excerpt = try text(&reader)
            pinboard.description = article.excerpt
        case "titleIsGiven": article.isTitleGiven = try reader.bool()
        case "tags", "labels", "tag_names":
            // Pocket has an object with the tags as names.
            if isPocket || name == "tags", try !reader.isList(), try !reader.isString() {
                try reader.object { _, tag in
                    if article.tags.count < ArticleImportFile.maximumTags { article.tags.append(tag) }
                }
                return true
            }
            let names = try reader.names(atMost: ArticleImportFile.maximumTags) { text in
                pinboard.tags = text
                return ArticleImportFile.tags(text, separator: ",")
            }
            article.tags += names
        case "category", "folder", "collection": article.category = try reader.name()?.nonBlank
        case "highlights", "annotations": try highlights(&reader)
        case "content": try content(&reader)
        case "note", "notes": article.note = try text(&reader)
        case "gist": article.gist = try ImportedArticle.Gist(&reader)
        case "slug":
            slug = try reader.string()
            format = .omnivore
        case "hashed_url": format = .wallabag
        default: return false
        }
        return true
    }

    private mutating func readState(_ name: String, _ reader: inout JSONReader) throws -> Bool {
        switch name {
        case "is_archived", "isArchived", "archived":
            article.isArchived = try Self.flag(&reader) ?? false || article.isArchived
        case "is_marked", "important": article.isFavorite = try Self.flag(&reader) ?? false
        case "item_id":
            isPocket = true
            format = .pocket
        case "location":
            if try reader.string() == "archive" { article.isArchived = true }
        case "is_starred":
            format = .wallabag
            article.isFavorite = try Self.flag(&reader) ?? false
        case "toread": pinboard.isToRead = try Self.flag(&reader)
        // In linkding's HTML files TOREAD has the same meaning.
        case "unread": if try Self.flag(&reader) == false { article.isArchived = true }
        case "isFavorite", "isStarred", "starred", "favorite", "favourited":
            article.isFavorite = try Self.flag(&reader) ?? false
        case "state", "status":
            guard let state = try reader.string() else { return true }
            pocketStatus = state
            if ArticleImportFile.isArchived(state) { article.isArchived = true }
        case "progress": article.progress = min(max(try reader.number() ?? 0, 0), 1)
        case "reading_progress": article.progress = min(max(try reader.number() ?? 0, 0), 1)
        case "readingProgress", "readingProgressPercent", "read_progress":
            article.progress = min(max((try reader.number() ?? 0) / 100, 0), 1)
        case "fetchState": article.fetchState = try reader.string()
        case "error": article.error = try reader.string()
        case "kind": article.kind = try reader.string()
        case "isPartial": article.isPartial = try reader.bool()
        case "mediaType": article.mediaType = try reader.string()
        default: return false
        }
        return true
    }

    private mutating func readTime(_ name: String, _ reader: inout JSONReader) throws -> Bool {
        switch name {
        case "created_at", "createdAt", "created": article.createdAt = try Self.time(&reader)
        case "savedAt", "saved_at", "time_added", "added_at", "addedAt", "date_added", "time":
            article.savedAt = try Self.time(&reader)
        case "archived_at", "archivedAt": article.archivedAt = try Self.time(&reader)
        case "openedAt": article.openedAt = try Self.time(&reader)
        case "published_at", "publishedAt", "published", "published_date":
            article.publishedAt = try Self.time(&reader)
        case "updated_at", "updatedAt", "updated", "lastUpdate", "time_updated":
            article.updatedAt = try Self.time(&reader)
        case "fetchedAt": article.fetchedAt = try Self.time(&reader)
        default: return false
        }
        return true
    }

    private mutating func readMetadata(_ name: String, _ reader: inout JSONReader) throws -> Bool {
        switch name {
        case "author", "published_by", "authors", "byline": article.author = try reader.name()?.nonBlank
        case "site", "siteName", "site_name": article.site = try reader.string()
        case "language", "lang": article.language = try reader.string()
        case "excerpt", "description": article.excerpt = try text(&reader)
        case "summary":
            if try reader.isString() {
                article.excerpt = try text(&reader)
            } else {
                try content(&reader)
            }
        case "image", "preview_picture", "thumbnail", "cover", "image_url":
            article.image = try reader.string()
        default: return false
        }
        return true
    }

    private func text(_ reader: inout JSONReader) throws -> String? {
        try reader.string(atMost: Self.maximumText)?.nonBlank
    }

    private mutating func content(_ reader: inout JSONReader) throws {
        if try reader.isString() {
            article.content = try reader.string(atMost: Self.maximumContent)?.nonBlank
            return
        }
        try reader.object { reader, name in
            // Only Karakeep names the type of content.
            if name == "type" { isRecognizedProgram = true }
            switch name {
            case "url": if let address = try reader.string(atMost: 10_000) { addresses.append(address) }
            case "content", "htmlContent":
                article.content = try reader.string(atMost: Self.maximumContent)?.nonBlank
            case "description", "author": _ = try readMetadata(name, &reader)
            default: break
            }
        }
    }

    private mutating func highlights(_ reader: inout JSONReader) throws {
        try reader.list { reader in
            guard let highlight = try ImportedArticle.Highlight(&reader) else { return }
            if highlight.quote.isBlank {
                // Omnivore's note on the whole article.
                article.note = article.note ?? highlight.note
            } else if article.highlights.count < Self.maximumHighlights {
                article.highlights.append(highlight)
            }
        }
    }

    /// Reads `true`, 1, "1" or "yes", and their opposites; returns nil for anything else.
    private static func flag(_ reader: inout JSONReader) throws -> Bool? {
        if try reader.isString() {
            return try ["yes": true, "no": false, "1": true, "0": false][reader.string()?.lowercased() ?? ""]
        }
        var probe = reader
        if let flag = try probe.bool() {
            reader = probe
            return flag
        }
        return try reader.number().map { $0 == 1 }
    }

    fileprivate static func time(_ reader: inout JSONReader) throws -> Date? {
        if try reader.isString() { return try reader.string().flatMap(ImportedTime.parse) }
        return try reader.number().flatMap(ImportedTime.date)
    }
}

extension JSONArticle {
    /// Fields with another meaning in Pinboard's files.
    private struct Pinboard {
        /// All of them together; other programs have some.
        static let signature: Set<String> = ["href", "description", "extended", "toread"]

        var description, extended, tags: String?
        var isToRead: Bool?
        var fields: Set<String> = []

        var isFound: Bool { fields == Self.signature }
    }

    /// Fields that identify a program.
    private static let signatures: Set<String> = [
        "slug", "hashed_url", "is_starred", "tag_names", "shorturl", "is_marked", "item_id", "crawlTimeMsec",
        "reading_progress", "important", "collectionId",
    ]
    private static let maximumUnknownFields = 20

    /// Fields without anything that users care about.
    private static let unneededFields: Set<String> = [
        "id", "_id", "uid", "uuid", "guid", "type", "domain", "domain_name", "hostname", "favicon", "icon",
        "reading_time", "readingTime", "minutes", "word_count", "wordCount",
    ]
}

extension ImportedArticle.Highlight {
    fileprivate init?(_ reader: inout JSONReader) throws {
        self.init(quote: "")
        var isHighlight = false
        var hasQuote = false
        var text: String?
        try reader.object { reader, name in
            switch name {
            case "quote":
                quote = try reader.string(atMost: 100_000) ?? ""
                (isHighlight, hasQuote) = (true, true)
            case "text":
                text = try reader.string(atMost: 100_000)?.nonBlank
                isHighlight = isHighlight || text != nil
            case "note", "annotation", "comment":
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
        // The text is wallabag's note on the quotation; for Raindrop.io and Karakeep it is the quotation.
        if let text {
            if hasQuote { note = note ?? text } else { quote = text }
        }
    }
}

extension ImportedArticle.Gist {
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
