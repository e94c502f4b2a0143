import Foundation
import TextFormats

/// The JSON of browsers: Chrome's `Bookmarks` file, or a backup by Firefox. Both have folders with `children`.
enum BrowserBackup {
    /// Deeper folders are skipped.
    static let maximumDepth = 50

    /// Reads a folder or a bookmark.
    static func read(
        _ reader: inout JSONReader, depth: Int = 0, into file: inout ArticleImportFile
    ) throws {
        var entry = BrowserEntry()
        let before = file.entries.rows.count
        try reader.object { reader, name in
            switch name {
            case "name", "title": entry.name = try reader.string(atMost: 10_000)
            case "url", "uri": entry.url = try reader.string(atMost: 10_000)
            case "date_added": entry.savedAt = try BrowserEntry.chromeTime(&reader)
            case "dateAdded": entry.savedAt = try reader.number().flatMap(ImportedTime.date)
            case "tags": entry.tags = ArticleImportFile.tags(try reader.string() ?? "", separator: ",")
            case "root": entry.isRoot = true
            case "children":
                guard depth < maximumDepth else { return }
                // The name may come after the children: their folders are set below.
                try reader.list { reader in
                    if file.entries.hasRoom { try read(&reader, depth: depth + 1, into: &file) }
                }
            default: break
            }
        }
        if let url = entry.url {
            let isPage = ["http:", "https:"].contains { url.lowercased().hasPrefix($0) }
            if isPage { try file.add(entry.article(url), row: file.entries.rows.count + 1) }
            return
        }
        guard let name = entry.name.flatMap(ImportedFolders.name), !entry.isRoot,
            !ImportedFolders.isBrowsers(name, depth: depth)
        else { return }
        for index in before..<file.entries.rows.count {
            file.entries.change(at: index) { article in
                article.category = ImportedFolders.category([name, article.category].compactMap(\.self))
            }
        }
    }

    /// Chrome's `roots`: the bookmarks bar, other bookmarks and those of phones.
    static func readRoots(_ reader: inout JSONReader, into file: inout ArticleImportFile) throws {
        file.isRecognizedProgram = true
        file.note(.netscape)
        try reader.object { reader, _ in try read(&reader, into: &file) }
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
