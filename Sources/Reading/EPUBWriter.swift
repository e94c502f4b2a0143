package import Foundation
import HTMLDocument
package import RoostSupport
import TextFormats

/// Writes articles as an EPUB 3 (W3C, EPUB 3.3), each with its gist, pictures, highlights and notes.
package struct EPUBWriter: Sendable {
    package static let mediaType = "application/epub+zip"
    package static let maximumArticles = 200
    /// Bytes of all pictures; later ones are replaced by their alternative text.
    private static let maximumPictureBytes = 64 << 20

    private struct Item {
        let id, path, mediaType: String
        var properties: String?
    }

    static let tooMany = RoostError.invalid(
        field: "id", why: "An EPUB can have up to \(maximumArticles) articles.")

    private let articles: [ReadingArticle]
    private let now: Date
    private var zip: ZipWriter
    private var items: [Item] = []
    private var pictures: [String: String] = [:]
    private var pictureBytes = 0

    private init(_ articles: [ReadingArticle], at now: Date) {
        self.articles = articles
        self.now = now
        zip = ZipWriter(at: now)
    }

    /// Throws `RoostError.invalid(field: "id")` for no articles or more than `maximumArticles`, and
    /// `CancellationError`.
    ///
    /// - Parameter picture: returns a picture by its address in the markup, or nil if it isn't available
    package static func write(
        _ articles: [ReadingArticle], at now: Date,
        picture: (String) async -> PictureCache.Picture? = { _ in nil }
    ) async throws -> [UInt8] {
        guard !articles.isEmpty else {
            throw RoostError.invalid(field: "id", why: "Choose an article first.")
        }
        guard articles.count <= maximumArticles else { throw tooMany }
        var writer = EPUBWriter(articles, at: now)
        try await writer.addPictures(picture)
        return try writer.finish()
    }

    package static func fileName(of articles: [ReadingArticle], at now: Date) -> String {
        let day = ISO8601.seconds(now).prefix("2026-11-23".count)
        let title = articles.count == 1 ? articles[0].item.title : "Reading list \(day)"
        var name = String.UnicodeScalarView()
        for scalar in title.sanitized.unicodeScalars.prefix(80) {
            name.append("/\\:*?\"<>|".unicodeScalars.contains(scalar) ? " " : scalar)
        }
        let singleSpaced = String(name).words.joined(separator: " ")
        // A leading dot would hide the file.
        let visible = String(singleSpaced.unicodeScalars.drop { $0 == "." })
        return (visible.isBlank ? "Article" : visible.trimmed) + ".epub"
    }

    // MARK: Parts

    private mutating func addPictures(_ picture: (String) async -> PictureCache.Picture?) async throws {
        // Must be first and uncompressed, so that the file's type shows in its first bytes (OCF 3.3, section 4.3).
        zip.add(Array(Self.mediaType.utf8), as: "mimetype", isStored: true)
        for address in articles.flatMap(EPUBText.pictures) where pictures[address] == nil {
            try Task.checkCancellation()
            guard let found = await picture(address), let ending = Self.endings[found.mediaType],
                pictureBytes + found.bytes.count <= Self.maximumPictureBytes
            else { continue }
            pictureBytes += found.bytes.count
            let path = "pictures/\(pictures.count + 1).\(ending)"
            zip.add(found.bytes, as: "EPUB/" + path, isStored: true)
            items.append(Item(id: "picture-\(pictures.count + 1)", path: path, mediaType: found.mediaType))
            pictures[address] = path
        }
    }

    private static let endings = [
        "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp",
    ]

    private mutating func finish() throws -> [UInt8] {
        zip.add(try Self.container(), as: "META-INF/container.xml")
        let xhtml = "application/xhtml+xml"
        for (index, article) in articles.enumerated() {
            try Task.checkCancellation()
            let path = Self.path(index)
            items.append(Item(id: "article-\(index + 1)", path: path, mediaType: xhtml))
            zip.add(try page(article), as: "EPUB/" + path)
        }
        items.append(Item(id: "contents", path: "contents.xhtml", mediaType: xhtml, properties: "nav"))
        zip.add(try contents(), as: "EPUB/contents.xhtml")
        items.append(Item(id: "style", path: "style.css", mediaType: "text/css"))
        zip.add(Array(Self.style.utf8), as: "EPUB/style.css")
        zip.add(try packageDocument(), as: "EPUB/package.opf")
        return try zip.finish()
    }

    private static func path(_ index: Int) -> String { "article-\(index + 1).xhtml" }

    private static let style = """
        body { line-height: 1.5; margin: 0 5%; }
        img { max-width: 100%; height: auto; }
        pre { white-space: pre-wrap; }
        table { border-collapse: collapse; }
        th, td { border: 1px solid; padding: 0.2em 0.5em; }
        .about { font-size: 0.85em; }
        .gist { border-inline-start: 0.2em solid; padding-inline-start: 1em; }
        .notes { border-top: 1px solid; margin-top: 2em; }

        """

    // MARK: The package

    private var title: String {
        articles.count == 1
            ? articles[0].item.title
            : "Reading list, \(ISO8601.seconds(now).prefix("2026-11-23".count))"
    }

    /// The articles' common language, or "und" (BCP 47).
    private var language: String {
        let languages = Set(articles.map { LanguageTag.checked($0.item.language) })
        return (languages.count == 1 ? languages.first ?? nil : nil) ?? "und"
    }

    private var identifier: String {
        // Exporting the same articles again gives the same book to a reading program.
        NameBasedUUID.of(
            "epub", articles.map { "\($0.item.id) \($0.item.url)" }.joined(separator: "\n"))
    }

    private static func container() throws -> [UInt8] {
        let xml = try XMLWriter()
        let name = "urn:oasis:names:tc:opendocument:xmlns:container"
        xml.element("container", [("version", "1.0"), ("xmlns", name)]) {
            xml.element("rootfiles") {
                xml.element(
                    "rootfile",
                    [("full-path", "EPUB/package.opf"), ("media-type", "application/oebps-package+xml")])
            }
        }
        return try xml.finish()
    }

    private func packageDocument() throws -> [UInt8] {
        let xml = try XMLWriter()
        xml.element(
            "package",
            [("xmlns", "http://www.idpf.org/2007/opf"), ("version", "3.0"), ("unique-identifier", "id")]
        ) {
            xml.element("metadata", [("xmlns:dc", "http://purl.org/dc/elements/1.1/")]) {
                writeMetadata(to: xml)
            }
            xml.element("manifest") {
                for item in items {
                    xml.element(
                        "item",
                        [
                            ("id", item.id), ("href", item.path), ("media-type", item.mediaType),
                            ("properties", item.properties),
                        ])
                }
            }
            let direction = LanguageTag.isRightToLeft(language) ? "rtl" : nil
            xml.element("spine", [("page-progression-direction", direction)]) {
                for number in 1...articles.count { xml.element("itemref", [("idref", "article-\(number)")]) }
            }
        }
        return try xml.finish()
    }

    private func writeMetadata(to xml: XMLWriter) {
        xml.element("dc:identifier", [("id", "id")], text: "urn:uuid:\(identifier)")
        xml.element("dc:title", text: title.sanitized)
        xml.element("dc:language", text: language)
        var authors: [String] = []
        for author in articles.compactMap(\.item.author) where !author.isBlank && !authors.contains(author) {
            authors.append(author)
        }
        for author in authors { xml.element("dc:creator", text: author.sanitized) }
        if articles.count == 1 {
            let item = articles[0].item
            xml.element("dc:source", text: item.url.sanitized)
            if let published = item.publishedAt { xml.element("dc:date", text: ISO8601.seconds(published)) }
            for tag in item.tags { xml.element("dc:subject", text: tag.sanitized) }
        }
        xml.element("meta", [("property", "dcterms:modified")], text: ISO8601.seconds(now))
    }

    private func contents() throws -> [UInt8] {
        try Self.document(title: title, language: nil) { xml in
            xml.element("nav", [("epub:type", "toc"), ("role", "doc-toc"), ("id", "toc")]) {
                xml.element("h1", text: title.sanitized)
                xml.element("ol") {
                    for (index, article) in articles.enumerated() {
                        xml.element("li") {
                            xml.element(
                                "a", [("href", Self.path(index))], text: article.item.title.sanitized)
                        }
                    }
                }
            }
        }
    }

    // MARK: An article

    private func page(_ article: ReadingArticle) throws -> [UInt8] {
        let item = article.item
        return try Self.document(title: item.title, language: item.language) { xml in
            xml.element("header") {
                xml.element("h1", text: item.title.sanitized)
                xml.element("p", [("class", "about")]) { Self.writeAbout(item, to: xml) }
            }
            if let gist = article.gist?.gist {
                xml.element("section", [("class", "gist")]) {
                    xml.element("h2", text: "Gist")
                    Self.writeParagraphs(gist.content, to: xml)
                }
            }
            let prefix = "roost-note-"
            let text = EPUBText.write(article, to: xml, prefix: prefix) { pictures[$0] }
            if text.isBlank { xml.element("p", text: "The text of this page is not in Roost.") }
            if !text.notes.isEmpty { Self.writeNotes(text.notes, prefix: prefix, to: xml) }
            if !text.lost.isEmpty { Self.writeLost(text.lost, to: xml) }
        }
    }

    private static func writeNotes(_ notes: [Highlight], prefix: String, to xml: XMLWriter) {
        xml.element("section", [("class", "notes")]) {
            xml.element("h2", text: "Notes")
            for (index, highlight) in notes.enumerated() {
                let id = "\(prefix)\(index + 1)"
                xml.element("aside", [("epub:type", "footnote"), ("role", "doc-footnote"), ("id", id)]) {
                    xml.element("p") { xml.element("a", [("href", "#ref-\(id)")], text: "\(index + 1)") }
                    writeParagraphs(highlight.note, to: xml)
                }
            }
        }
    }

    private static func writeLost(_ highlights: [Highlight], to xml: XMLWriter) {
        xml.element("section", [("class", "notes")]) {
            xml.element("h2", text: "Highlights")
            xml.element("ul") {
                for highlight in highlights {
                    xml.element("li") {
                        xml.element("blockquote") { writeParagraphs(highlight.quote, to: xml) }
                        writeParagraphs(highlight.note, to: xml)
                    }
                }
            }
        }
    }

    private static func writeAbout(_ item: ArticleItem, to xml: XMLWriter) {
        let published = item.publishedAt.map { String(ISO8601.seconds($0).prefix("2026-11-23".count)) }
        for part in [item.author?.nonBlank, item.site.nonBlank, published] {
            if let part { xml.text("\(part.sanitized) · ") }
        }
        let address = item.url
        if address.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
            xml.element("a", [("href", address)], text: address)
        } else {
            xml.text(address.sanitized)
        }
    }

    private static func writeParagraphs(_ text: String, to xml: XMLWriter) {
        for line in text.splitBytes(at: "\n").map(String.init) where !line.isBlank {
            xml.element("p", text: line)
        }
    }

    private static func document(
        title: String, language: String?, body: (XMLWriter) -> Void
    ) throws -> [UInt8] {
        let language = LanguageTag.checked(language)
        let xml = try XMLWriter(doctype: "html")
        xml.element(
            "html",
            [
                ("xmlns", "http://www.w3.org/1999/xhtml"), ("xmlns:epub", "http://www.idpf.org/2007/ops"),
                ("lang", language), ("xml:lang", language),
                ("dir", LanguageTag.isRightToLeft(language) ? "rtl" : nil),
            ]
        ) {
            xml.element("head") {
                xml.element("title", text: title.sanitized)
                xml.element("link", [("rel", "stylesheet"), ("type", "text/css"), ("href", "style.css")])
            }
            xml.element("body") { body(xml) }
        }
        return try xml.finish()
    }
}
