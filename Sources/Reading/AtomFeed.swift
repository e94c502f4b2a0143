import Foundation
import RoostSupport
import TextFormats

/// Writes Atom 1.0 (RFC 4287).
struct AtomFeed {
    struct Entry {
        let item: ArticleItem
        /// Nil: the excerpt stands for it.
        let gist: String?
    }

    /// A UUID that stays, whatever the address is.
    let id: String
    let title: String
    /// The page of the list, and the feed's own address.
    let page, address: String
    /// Without a slash at the end: "https://roost.example".
    let base: String
    let updatedAt: Date
    let entries: [Entry]

    func document() -> [UInt8] {
        let head = """
            <?xml version="1.0" encoding="utf-8"?>
            <feed xmlns="http://www.w3.org/2005/Atom">
            <id>urn:uuid:\(id)</id>
            <title>\(Self.line(title))</title>
            <updated>\(ISO8601.seconds(updatedAt))</updated>
            <generator>Roost</generator>
            <link rel="self" type="application/atom+xml" href="\(Self.line(address))"/>
            <link rel="alternate" type="text/html" href="\(Self.line(page))"/>

            """
        return Array((head + entries.map(entry).joined() + "</feed>\n").utf8)
    }

    private func entry(_ entry: Entry) -> String {
        let item = entry.item
        let id = NameBasedUUID.of("article", self.id, "\(item.id)")
        // Atom asks each entry of a feed without an author for one (section 4.1.1).
        let author =
            [item.author, item.site, Self.unknown].lazy.compactMap { $0.flatMap(\.nonBlank) }.first
            ?? Self.unknown
        var text = """
            <entry>
            <id>urn:uuid:\(id)</id>
            <title>\(Self.line(item.article.title))</title>
            <updated>\(ISO8601.seconds(max(item.updatedAt, item.savedAt)))</updated>
            <published>\(ISO8601.seconds(item.article.createdAt ?? item.savedAt))</published>
            <author><name>\(Self.line(author))</name></author>
            <link rel="alternate" href="\(Self.line(item.article.url))"/>
            <link rel="related" type="text/html" title="Read in Roost" href="\(Self.line(base))/reading/\(item.id)"/>

            """
        for term in [item.article.category] + item.tags {
            text += "<category term=\"\(Self.line(term))\"/>\n"
        }
        if let summary = entry.gist?.nonBlank ?? item.excerpt?.nonBlank {
            text += "<summary>\(XMLText.escaped(summary))</summary>\n"
        }
        return text + "</entry>\n"
    }

    private static let unknown = "Unknown"

    private static func line(_ text: String) -> String { XMLText.escaped(text.sanitized) }
}
