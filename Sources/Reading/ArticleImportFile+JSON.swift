import Foundation
import RoostSupport
import TextFormats

extension ArticleImportFile {
    /// Keys of article lists in our files and in other programs' files.
    private static let lists: Set<String> = [
        "articles", "items", "bookmarks", "entries", "data", "links", "list", "results",
    ]
    static let version = 1

    mutating func readJSON(_ text: UploadedText) throws {
        var names: [String] = []
        var isRoostFile = false
        try text.readJSON {
            try readList(&$0, isOwn: false)
        } member: { reader, name in
            if names.count <= Self.lists.count + Self.maximumFields { names.append(name) }
            switch name {
            case "collections": try readCollections(&reader)
            case "roots": try readBrowserRoots(&reader)
            case "children":
                isRecognizedProgram = true
                note(.netscape)
                try reader.list { reader in
                    if entries.hasRoom { try readBrowserEntry(&reader, depth: 1) }
                }
            case "list" where try !reader.isList(): try readPocketList(&reader)
            case "program":
                isRoostFile = try reader.string() == "Roost"
                if isRoostFile { note(.roost) }
            case "kind":
                guard isRoostFile, let kind = try reader.string() else { return }
                if kind != "reading" {
                    throw RoostError.file(
                        "This Roost file contains “\(kind.sanitized.prefix(40))”, not a reading list.")
                }
            case "version":
                guard isRoostFile, let version = try reader.int(), version > Self.version else { return }
                throw RoostError.file("This file is from a newer version of Roost. Update this Roost first.")
            case "gists" where isRoostFile: try readGists(&reader)
            case _ where Self.lists.contains(name): try readList(&reader, isOwn: isRoostFile)
            default: break
            }
        }
        let isRecognized = names.contains {
            Self.lists.contains($0) || ["program", "collections", "roots", "children"].contains($0)
        }
        if entries.rows.isEmpty, !isRecognized, !names.isEmpty { throw Self.unknown(names) }
    }

    /// Reads Linkwarden's collections. Links of the default collection get no category.
    private mutating func readCollections(_ reader: inout JSONReader) throws {
        try reader.list { reader in
            var category: String?
            let first = entries.rows.count
            try reader.object { reader, name in
                switch name {
                case "name": category = try reader.string()
                case "links":
                    isRecognizedProgram = true
                    try readList(&reader, isOwn: false)
                default: break
                }
            }
            guard let category, category != "Unorganized" else { return }
            for index in first..<entries.rows.count { entries.change(at: index) { $0.category = category } }
        }
    }

    /// Reads an answer of Pocket's API, whose list is an object with the entries' numbers as names.
    private mutating func readPocketList(_ reader: inout JSONReader) throws {
        var number = 0
        try reader.object { reader, _ in
            number += 1
            guard entries.hasRoom else { return }
            var entry = JSONArticle()
            try entry.read(&reader)
            note(.pocket)
            if entry.isArticle { try add(entry.article, row: number) }
        }
    }

    /// Reads the gists without an article.
    private mutating func readGists(_ reader: inout JSONReader) throws {
        let part = entries.part
        entries.part = "gists"
        try entries.read(listIn: &reader) { try ImportedArticle.Gist(&$0).map { ImportedArticle(gist: $0) } }
        entries.part = part
    }

    private mutating func readList(_ reader: inout JSONReader, isOwn: Bool) throws {
        var number = 0
        var isRecognized = isOwn || isRecognizedProgram
        var unknown: [String] = []
        try reader.list { reader in
            number += 1
            guard entries.hasRoom else { return }
            var entry = JSONArticle()
            try entry.read(&reader)
            note(entry.format)
            isRecognized = isRecognized || entry.isRecognizedProgram
            for field in entry.unknownFields
            where unknown.count < Self.maximumFields && !unknown.contains(field) {
                unknown.append(field)
            }
            if let slug = entry.slug { slugs[slug] = entries.rows.count }
            if entry.isArticle {
                try add(entry.article, row: number)
            } else {
                entries.refuse(number, "This entry isn’t an article.")
            }
        }
        // An unknown field may hold data that users care about, so the file is rejected rather than imported without
        // it.
        if !isRecognized, !unknown.isEmpty { throw Self.unknown(unknown) }
    }

    private static let maximumFields = 8

    private static func unknown(_ fields: [String]) -> RoostError {
        let names = fields.prefix(maximumFields).map {
            "“\(String($0.unicodeScalars.prefix(40)).sanitized)”"
        }
        return .file(
            """
            Roost doesn’t recognise this file. It found objects with the \(names.count == 1 ? "field" : "fields") \
            \(names.joined(separator: ", ")). It reads JSON from Roost, Omnivore, wallabag, Karakeep, Linkwarden, \
            Pinboard, linkding, Raindrop.io, Readwise Reader, Readeck, Shaarli, Pocket, feed readers and browsers, \
            and lists with url, title, tags, note, excerpt, category, state and createdAt.
            """)
    }
}

extension ArticleImportFile {
    /// Deeper folders are skipped.
    static let maximumDepth = 50

    /// Reads a folder or a bookmark of Chrome's `Bookmarks` file or of a backup by Firefox. Both have folders with
    /// `children`.
    mutating func readBrowserEntry(_ reader: inout JSONReader, in folders: [String] = [], depth: Int = 0)
        throws
    {
        var entry = BrowserEntry()
        let before = entries.rows.count
        try reader.object { reader, name in
            switch name {
            case "name", "title": entry.name = try reader.string(atMost: 10_000)
            case "url", "uri": entry.url = try reader.string(atMost: 10_000)
            case "date_added": entry.savedAt = try BrowserEntry.chromeTime(&reader)
            case "dateAdded": entry.savedAt = try reader.number().flatMap(ImportedTime.date)
            case "tags": entry.tags = ArticleImportFile.tags(try reader.string() ?? "", separator: ",")
            case "root": entry.isRoot = true
            case "children":
                guard depth < Self.maximumDepth else { return }
                // The name may come after the children: their folders are set below.
                try reader.list { reader in
                    if entries.hasRoom { try readBrowserEntry(&reader, depth: depth + 1) }
                }
            default: break
            }
        }
        if let url = entry.url {
            let isPage = ["http:", "https:"].contains { url.lowercased().hasPrefix($0) }
            if isPage { try add(entry.article(url), row: entries.rows.count + 1) }
            return
        }
        guard let name = entry.name.flatMap(ImportedFolders.name), !entry.isRoot,
            !ImportedFolders.isBrowsers(name, depth: depth)
        else { return }
        for index in before..<entries.rows.count {
            entries.change(at: index) { article in
                article.category = ImportedFolders.category([name, article.category].compactMap(\.self))
            }
        }
    }

    /// Chrome's `roots`: the bookmarks bar, other bookmarks and those of phones.
    mutating func readBrowserRoots(_ reader: inout JSONReader) throws {
        isRecognizedProgram = true
        note(.netscape)
        try reader.object { reader, _ in try readBrowserEntry(&reader) }
    }
}

private struct BrowserEntry {
    var name, url: String?
    var savedAt: Date?
    var tags: [String] = []
    /// Set for Firefox's own folders.
    var isRoot = false

    func article(_ url: String) -> ImportedArticle {
        var article = ImportedArticle(url: url)
        article.title = name == url ? nil : name?.nonBlank
        (article.savedAt, article.tags) = (savedAt, tags)
        return article
    }

    /// Microseconds since 1601, as a text.
    static func chromeTime(_ reader: inout JSONReader) throws -> Date? {
        guard let number = try reader.string().flatMap(Double.init) else { return nil }
        return ImportedTime.date(number / 1e6 - 11_644_473_600)
    }
}
