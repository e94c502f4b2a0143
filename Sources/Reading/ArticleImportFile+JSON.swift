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
