package import Foundation
package import RoostSupport
import TextFormats

/// One article or several as an EPUB 3 (W3C, EPUB 3.3): with their pictures, highlights and notes, and the gist on top.
package struct EPUBWriter: Sendable {
    package static let mediaType = "application/epub+zip"
    package static let maximumArticles = 200
    /// Of all pictures together, in bytes; what comes after is named by its alternative text.
    private static let maximumPictureBytes = 64 << 20

    private struct Item {
        let id, path, mediaType: String
        var properties: String?
    }

    static let tooMany = RoostError.invalid(
        field: "id", why: "An EPUB has \(maximumArticles) articles at most.")

    private let articles: [ReadingArticle]
    private let now: Date
    private var zip: ZipWriter
    private var items: [Item] = []
    /// Paths inside the EPUB by the addresses that the articles name.
    private var pictures: [String: String] = [:]
    private var pictureBytes = 0

    private init(_ articles: [ReadingArticle], at now: Date) {
        self.articles = articles
        self.now = now
        zip = ZipWriter(at: now)
    }

    /// Throws `RoostError.invalid(field: "id")` for none, and for more than `maximumArticles`; and `CancellationError`.
    ///
    /// - Parameter picture: a picture by its address as the article's markup has it; nil: it is not here
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

    /// A name for the file: the title's, of a selection the day.
    package static func fileName(of articles: [ReadingArticle], at now: Date) -> String {
        let day = ISO8601.seconds(now).prefix("2026-11-23".count)
        let title = articles.count == 1 ? articles[0].item.article.title : "Reading list \(day)"
        var name = String.UnicodeScalarView()
        for scalar in title.sanitized.unicodeScalars.prefix(80) {
            name.append("/\\:*?\"<>|".unicodeScalars.contains(scalar) ? " " : scalar)
        }
        let words = String(name).words.joined(separator: " ")
        // A leading dot would hide it.
        let visible = String(words.unicodeScalars.drop { $0 == "." })
        return (visible.isBlank ? "Article" : visible.trimmed) + ".epub"
    }

    // MARK: Parts

    private mutating func addPictures(_ picture: (String) async -> PictureCache.Picture?) async throws {
        // First, and as it is: whoever looks at the file's first bytes knows what it is (OCF 3.3, section 4.3).
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
        add(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
            <rootfiles>
            <rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/>
            </rootfiles>
            </container>

            """, as: "META-INF/container.xml")
        let xhtml = "application/xhtml+xml"
        for (place, article) in articles.enumerated() {
            try Task.checkCancellation()
            let path = Self.path(place)
            items.append(Item(id: "article-\(place + 1)", path: path, mediaType: xhtml))
            add(page(article), as: "EPUB/" + path)
        }
        items.append(Item(id: "contents", path: "contents.xhtml", mediaType: xhtml, properties: "nav"))
        add(contents, as: "EPUB/contents.xhtml")
        items.append(Item(id: "style", path: "style.css", mediaType: "text/css"))
        add(Self.style, as: "EPUB/style.css")
        add(packageDocument, as: "EPUB/package.opf")
        return zip.finish()
    }

    private mutating func add(_ text: String, as path: String) { zip.add(Array(text.utf8), as: path) }

    private static func path(_ place: Int) -> String { "article-\(place + 1).xhtml" }

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
            ? articles[0].item.article.title
            : "Reading list, \(ISO8601.seconds(now).prefix("2026-11-23".count))"
    }

    /// The one language of them all; "und" where there is none, as BCP 47 has it.
    private var language: String {
        let languages = Set(articles.map { LanguageTag.checked($0.item.language) })
        return (languages.count == 1 ? languages.first ?? nil : nil) ?? "und"
    }

    private var identifier: String {
        // The same selection, exported again, is the same book to a reader.
        NameBasedUUID.of(
            "epub", articles.map { "\($0.item.id) \($0.item.article.url)" }.joined(separator: "\n"))
    }

    private var packageDocument: String {
        var metadata = """
            <dc:identifier id="id">urn:uuid:\(identifier)</dc:identifier>
            <dc:title>\(Self.line(title))</dc:title>
            <dc:language>\(language)</dc:language>

            """
        var authors: [String] = []
        for author in articles.compactMap(\.item.author) where !author.isBlank && !authors.contains(author) {
            authors.append(author)
        }
        for author in authors { metadata += "<dc:creator>\(Self.line(author))</dc:creator>\n" }
        if articles.count == 1 {
            let item = articles[0].item
            metadata += "<dc:source>\(Self.line(item.article.url))</dc:source>\n"
            if let published = item.publishedAt {
                metadata += "<dc:date>\(ISO8601.seconds(published))</dc:date>\n"
            }
            for tag in item.tags { metadata += "<dc:subject>\(Self.line(tag))</dc:subject>\n" }
        }
        let manifest = items.map { item in
            let properties = item.properties.map { " properties=\"\($0)\"" } ?? ""
            return
                "<item id=\"\(item.id)\" href=\"\(item.path)\" media-type=\"\(item.mediaType)\"\(properties)/>\n"
        }
        let spine = articles.indices.map { "<itemref idref=\"article-\($0 + 1)\"/>\n" }
        let direction =
            LanguageTag.isRightToLeft(language) ? " page-progression-direction=\"rtl\"" : ""
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
            <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
            \(metadata)<meta property="dcterms:modified">\(ISO8601.seconds(now))</meta>
            </metadata>
            <manifest>
            \(manifest.joined())</manifest>
            <spine\(direction)>
            \(spine.joined())</spine>
            </package>

            """
    }

    private var contents: String {
        let entries = articles.enumerated().map { place, article in
            "<li><a href=\"\(Self.path(place))\">\(Self.line(article.item.article.title))</a></li>\n"
        }
        let body = """
            <nav epub:type="toc" role="doc-toc" id="toc">
            <h1>\(Self.line(title))</h1>
            <ol>
            \(entries.joined())</ol>
            </nav>
            """
        return Self.document(title: title, language: nil, body: body)
    }

    // MARK: An article

    private func page(_ article: ReadingArticle) -> String {
        let (item, prefix) = (article.item, "roost-note-")
        let text = EPUBText.write(article, prefix: prefix) { pictures[$0] }
        let title = Self.line(item.article.title)
        var body = "<header>\n<h1>\(title)</h1>\n<p class=\"about\">\(about(item))</p>\n</header>\n"
        if let gist = article.gist?.gist {
            body += "<section class=\"gist\">\n<h2>Gist</h2>\n\(Self.paragraphs(gist.content))</section>\n"
        }
        body += text.xhtml.isBlank ? "<p>The text of this page is not in Roost.</p>" : text.xhtml
        let notes = text.notes.enumerated().map { place, highlight in
            """
            <aside epub:type="footnote" role="doc-footnote" id="\(prefix)\(place + 1)">
            <p><a href="#ref-\(prefix)\(place + 1)">\(place + 1)</a></p>
            \(Self.paragraphs(highlight.note))</aside>

            """
        }
        if !notes.isEmpty {
            body += "\n<section class=\"notes\">\n<h2>Notes</h2>\n\(notes.joined())</section>"
        }
        let lost = text.lost.map { highlight in
            "<li><blockquote>\(Self.paragraphs(highlight.quote))</blockquote>\n\(Self.paragraphs(highlight.note))</li>\n"
        }
        if !lost.isEmpty {
            body +=
                "\n<section class=\"notes\">\n<h2>Highlights</h2>\n<ul>\n\(lost.joined())</ul>\n</section>"
        }
        return Self.document(title: item.article.title, language: item.language, body: body)
    }

    private func about(_ item: ArticleItem) -> String {
        var parts = [item.author, item.site].compactMap { $0.flatMap(\.nonBlank) }.map(Self.line)
        if let published = item.publishedAt {
            parts.append(String(ISO8601.seconds(published).prefix("2026-11-23".count)))
        }
        let address = item.article.url
        let isPlain = address.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        let shown = Self.line(address)
        parts.append(isPlain ? "<a href=\"\(shown)\">\(shown)</a>" : shown)
        return parts.joined(separator: " · ")
    }

    private static func line(_ text: String) -> String { XMLText.escaped(text.sanitized) }

    private static func paragraphs(_ text: String) -> String {
        text.splitBytes(at: "\n").map { String($0) }.filter { !$0.isBlank }
            .map { "<p>\(XMLText.escaped($0))</p>\n" }.joined()
    }

    private static func document(title: String, language: String?, body: String) -> String {
        let language = LanguageTag.checked(language)
        let languages = language.map { " lang=\"\($0)\" xml:lang=\"\($0)\"" } ?? ""
        let direction = LanguageTag.isRightToLeft(language) ? " dir=\"rtl\"" : ""
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE html>
            <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"\(languages)\(direction)>
            <head>
            <title>\(line(title))</title>
            <link rel="stylesheet" type="text/css" href="style.css"/>
            </head>
            <body>
            \(body)
            </body>
            </html>

            """
    }
}
