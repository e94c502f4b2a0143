import Foundation
import RoostSupport
import TextFormats

extension ArticleImportFile {
    /// Under which names lists of articles lie in other programs' files, and in ours.
    private static let lists: Set<String> = [
        "articles", "items", "bookmarks", "entries", "data", "links", "list", "results",
    ]
    /// The latest version of our own files.
    static let version = 1

    mutating func readJSON(_ text: [UInt8]) throws {
        var reader = JSONReader(bytes: text)
        do {
            var probe = reader
            if try probe.list({ _ in }) {
                try readList(&reader)
            } else {
                var names = reader
                try readObject(&reader)
                try refuseUnknown(&names)
            }
            try reader.end()
        } catch let malformed as JSONReader.Malformed {
            throw Self.refusal("This is no JSON: it breaks off or goes wrong at byte \(malformed.place + 1).")
        }
    }

    private mutating func readObject(_ reader: inout JSONReader) throws {
        var isOurs = false
        try reader.object { reader, name in
            switch name {
            case "collections": try readCollections(&reader)
            case "program":
                isOurs = try reader.string() == "Roost"
                if isOurs { note(.roost) }
            case "kind":
                guard isOurs, let kind = try reader.string() else { return }
                if kind != "reading" {
                    throw Self.refusal(
                        "This is a file of Roost’s with “\(kind.sanitized.prefix(40))”, no reading list.")
                }
            case "version":
                guard isOurs, let version = try reader.int(), version > Self.version else { return }
                throw Self.refusal("A newer version of Roost wrote this file: update this one first.")
            case "gists" where isOurs: try readGists(&reader)
            case _ where Self.lists.contains(name): try readList(&reader, isOwn: isOurs)
            default: break
            }
        }
    }

    /// Throws for an object without a list that Roost knows.
    private func refuseUnknown(_ reader: inout JSONReader) throws {
        var names: [String] = []
        try reader.object { _, name in
            if names.count <= Self.lists.count + Self.maximumFields { names.append(name) }
        }
        let isKnown = names.contains { Self.lists.contains($0) || ["program", "collections"].contains($0) }
        if rows.isEmpty, !isKnown, !names.isEmpty { throw Self.unknown(names) }
    }

    /// Linkwarden's: a name and links each. What is in the standard one has no category.
    private mutating func readCollections(_ reader: inout JSONReader) throws {
        try reader.list { reader in
            var category: String?
            let first = rows.count
            try reader.object { reader, name in
                switch name {
                case "name": category = try reader.string()
                case "links":
                    isOfKnownProgram = true
                    try readList(&reader)
                default: break
                }
            }
            guard let category, category != "Unorganized" else { return }
            for place in first..<rows.count { change({ $0.category = category }, at: place) }
        }
    }

    private mutating func readGists(_ reader: inout JSONReader) throws {
        try reader.list { reader in
            if let gist = try ImportedArticle.Gist(&reader), gists.count < Self.maximumRows {
                gists.append(gist)
            }
        }
    }

    private mutating func readList(_ reader: inout JSONReader, isOwn: Bool = false) throws {
        var row = 0
        var isKnown = isOwn || isOfKnownProgram
        var unknown: [String] = []
        try reader.list { reader in
            row += 1
            guard hasRoom else { return }
            var entry = JSONArticle()
            try entry.read(&reader)
            note(entry.format)
            isKnown = isKnown || entry.isOfKnownProgram
            for field in entry.unknownFields
            where unknown.count < Self.maximumFields && !unknown.contains(field) {
                unknown.append(field)
            }
            if let why = entry.fault {
                refuse(why, row: row, url: entry.article.url)
            } else {
                if let slug = entry.slug { slugs[slug] = rows.count }
                add(entry.article, row: row)
            }
        }
        // A field without a meaning may be the one that people care about: nothing is lost without a word.
        if !isKnown, !unknown.isEmpty { throw Self.unknown(unknown) }
    }

    private static let maximumFields = 8

    private static func unknown(_ fields: [String]) -> RoostError {
        let names = fields.prefix(maximumFields).map {
            "“\(String($0.unicodeScalars.prefix(40)).sanitized)”"
        }
        return refusal(
            """
            Roost does not know this kind of file: it found objects with the \(names.count == 1 ? "field" : "fields") \
            \(names.joined(separator: ", ")). It reads JSON of Roost, Omnivore, wallabag, Karakeep, Linkwarden, \
            Pinboard and linkding, and lists with url, title, tags, note, excerpt, category, state and createdAt.
            """)
    }
}
