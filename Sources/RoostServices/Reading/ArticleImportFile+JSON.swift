import Foundation

extension ArticleImportFile {
    /// Under which names lists of articles lie in other programs' files, and in ours.
    private static let lists: Set<String> = [
        "articles", "items", "bookmarks", "entries", "data", "links", "list",
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
                try readObject(&reader)
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
            case _ where Self.lists.contains(name): try readList(&reader)
            default: break
            }
        }
    }

    private mutating func readGists(_ reader: inout JSONReader) throws {
        try reader.list { reader in
            if let gist = try ImportedArticle.Gist(&reader), gists.count < Self.maximumRows {
                gists.append(gist)
            }
        }
    }

    private mutating func readList(_ reader: inout JSONReader) throws {
        var row = 0
        try reader.list { reader in
            row += 1
            guard hasRoom else { return }
            var entry = JSONArticle()
            try entry.read(&reader)
            note(entry.format)
            if let why = entry.fault {
                refuse(why, row: row, url: entry.article.url)
            } else {
                if let slug = entry.slug { slugs[slug] = rows.count }
                add(entry.article, row: row)
            }
        }
    }
}
