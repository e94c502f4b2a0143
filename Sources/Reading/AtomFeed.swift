import Foundation
import HTMLDocument
import RoostSupport
import TextFormats

/// Writes Atom 1.0 (RFC 4287).
struct AtomFeed {
    struct Entry {
        let item: ArticleItem
        /// Nil means that the excerpt is used.
        let gist: String?
    }

    /// A UUID that does not depend on the address.
    let id: String
    let title: String
    let page, address: String
    /// Without a trailing slash: "https://roost.example".
    let base: String
    let updatedAt: Date
    let entries: [Entry]

    func document() throws -> [UInt8] {
        let xml = try XMLWriter()
        xml.element("feed", [("xmlns", "http://www.w3.org/2005/Atom")]) {
            xml.element("id", text: "urn:uuid:\(id)")
            xml.element("title", text: title.sanitized)
            xml.element("updated", text: ISO8601.seconds(updatedAt))
            xml.element("generator", text: "Roost")
            xml.element(
                "link", [("rel", "self"), ("type", "application/atom+xml"), ("href", address.sanitized)])
            xml.element("link", [("rel", "alternate"), ("type", "text/html"), ("href", page.sanitized)])
            for entry in entries { write(entry, to: xml) }
        }
        return try xml.finish()
    }

    private func write(_ entry: Entry, to xml: XMLWriter) {
        let item = entry.item
        // Atom requires an author for each entry if the feed has none (section 4.1.1).
        let author = item.author?.nonBlank ?? item.site.nonBlank ?? "Unknown"
        xml.element("entry") {
            xml.element("id", text: "urn:uuid:\(NameBasedUUID.of("article", id, "\(item.id)"))")
            xml.element("title", text: item.title.sanitized)
            xml.element("updated", text: ISO8601.seconds(max(item.updatedAt, item.savedAt)))
            xml.element("published", text: ISO8601.seconds(item.createdAt))
            xml.element("author") { xml.element("name", text: author.sanitized) }
            xml.element("link", [("rel", "alternate"), ("href", item.url.sanitized)])
            xml.element(
                "link",
                [
                    ("rel", "related"), ("type", "text/html"), ("title", "Read in Roost"),
                    ("href", "\(base.sanitized)/reading/\(item.id)"),
                ])
            for term in [item.category] + item.tags {
                xml.element("category", [("term", term.sanitized)])
            }
            if let summary = entry.gist?.nonBlank ?? item.excerpt?.nonBlank {
                xml.element("summary", text: summary)
            }
        }
    }
}
