import Foundation
import RoostSupport
import TextFormats

/// The JSON of Roost and of other programs: lists of articles, also inside objects.
enum ArticleLists {
    /// Keys of article lists in our files and in other programs' files.
    private static let lists: Set<String> = [
        "articles", "items", "bookmarks", "file.entries", "data", "links", "list", "results",
    ]

    static func read(_ text: UploadedText, into file: inout ArticleImportFile) throws {
        var names: [String] = []
        var isRoostFile = false
        try text.readJSON {
            try readList(&$0, isOwn: false, into: &file)
        } member: { reader, name in
            if names.count <= lists.count + maximumFields { names.append(name) }
            switch name {
            case "collections": try readCollections(&reader, into: &file)
            case "roots": try BrowserBackup.readRoots(&reader, into: &file)
            case "children":
                file.isRecognizedProgram = true
                file.note(.netscape)
                try reader.list { reader in
                    if file.entries.hasRoom { try BrowserBackup.read(&reader, depth: 1, into: &file) }
                }
            case "list" where try !reader.isList(): try readPocketList(&reader, into: &file)
            case "program":
                isRoostFile = try reader.string() == "Roost"
                if isRoostFile { file.note(.roost) }
            case "kind":
                guard isRoostFile, let kind = try reader.string() else { return }
                if kind != "reading" {
                    throw RoostError.file(
                        "This Roost file contains “\(kind.sanitized.prefix(40))”, not a reading list.")
                }
            case "version":
                guard isRoostFile, let version = try reader.int(), version > ArticleImportFile.version else {
                    return
                }
                throw RoostError.file("This file is from a newer version of Roost. Update this Roost first.")
            case "gists" where isRoostFile: try readGists(&reader, into: &file)
            case _ where lists.contains(name): try readList(&reader, isOwn: isRoostFile, into: &file)
            default: break
            }
        }
        let isRecognized = names.contains {
            lists.contains($0) || ["program", "collections", "roots", "children"].contains($0)
        }
        if file.entries.rows.isEmpty, !isRecognized, !names.isEmpty { throw unknown(names) }
    }

    /// Reads Linkwarden's collections. Links of the default collection get no category.
    private static func readCollections(
        _ reader: inout JSONReader, into file: inout ArticleImportFile
    ) throws {
        try reader.list { reader in
            var category: String?
            let first = file.entries.rows.count
            try reader.object { reader, name in
                switch name {
                case "name": category = try reader.string()
                case "links":
                    file.isRecognizedProgram = true
                    try readList(&reader, isOwn: false, into: &file)
                default: break
                }
            }
            guard let category, category != "Unorganized" else { return }
            for index in first..<file.entries.rows.count {
                file.entries.change(at: index) { $0.category = category }
            }
        }
    }

    /// Reads an answer of Pocket's API, whose list is an object with the file.entries' numbers as names.
    private static func readPocketList(
        _ reader: inout JSONReader, into file: inout ArticleImportFile
    ) throws {
        var number = 0
        try reader.object { reader, _ in
            number += 1
            guard file.entries.hasRoom else { return }
            var entry = JSONArticle()
            try entry.read(&reader)
            file.note(.pocket)
            if entry.isArticle { try file.add(entry.article, row: number) }
        }
    }

    /// Reads the gists without an article.
    private static func readGists(
        _ reader: inout JSONReader, into file: inout ArticleImportFile
    ) throws {
        let part = file.entries.part
        file.entries.part = "gists"
        try file.entries.read(listIn: &reader) {
            try ImportedArticle.Gist(&$0).map { ImportedArticle(gist: $0) }
        }
        file.entries.part = part
    }

    private static func readList(
        _ reader: inout JSONReader, isOwn: Bool, into file: inout ArticleImportFile
    ) throws {
        var number = 0
        var isRecognized = isOwn || file.isRecognizedProgram
        var unknown: [String] = []
        try reader.list { reader in
            number += 1
            guard file.entries.hasRoom else { return }
            var entry = JSONArticle()
            try entry.read(&reader)
            file.note(entry.format)
            isRecognized = isRecognized || entry.isRecognizedProgram
            for field in entry.unknownFields
            where unknown.count < maximumFields && !unknown.contains(field) {
                unknown.append(field)
            }
            if let slug = entry.slug { file.slugs[slug] = file.entries.rows.count }
            if entry.isArticle {
                try file.add(entry.article, row: number)
            } else {
                file.entries.refuse(number, "This entry isn’t an article.")
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
