import Foundation
import FoundationXML
import TestSupport
import Testing

@testable import ArticleText
@testable import Reading
@testable import RoostSupport

/// Opens exported books as a reading program does.
@Suite struct FilesEPUBTests {
    private static let now = Date(timeIntervalSince1970: 1_794_312_000)
    private static let address = "https://example.org/one?a=1&b=2"

    private func article(
        _ title: String = "A title", id: ArticleID = 1, language: String? = "en", markup: CleanMarkup? = nil,
        text: String = "", highlights: [Highlight] = [], gist: String? = nil
    ) throws -> ReadingArticle {
        var item = ArticleItem()
        (item.id, item.owner, item.title, item.url) = (id, 1, title, Self.address)
        (item.createdAt, item.savedAt, item.updatedAt) = (Self.now, Self.now, Self.now)
        (item.author, item.publishedAt, item.language) = ("Ada <Byron>", Self.now, language)
        (item.site, item.tags, item.fetch) = ("example.org", ["a & b"], .fetched)
        let gistItem = gist.map { content in
            var item = GistItem()
            (item.id, item.owner, item.title, item.content) = (7, 1, title, content)
            return item
        }
        return ReadingArticle(item: item, markup: markup, text: text, highlights: highlights, gist: gistItem)
    }

    private func highlight(_ quote: String, at start: Int, note: String = "", id: String = "h") -> Highlight {
        Highlight(
            id: id, articleId: 1, start: start, end: start + quote.utf16.count, quote: quote, note: note,
            createdAt: Self.now, updatedAt: Self.now)
    }

    /// The files by name, after checking that all XML is well-formed.
    private func files(
        _ articles: [ReadingArticle],
        picture: @escaping @Sendable (String) -> PictureCache.Picture? = { _ in nil }
    ) async throws -> [String: String] {
        let bytes = try await EPUBWriter.write(articles, at: Self.now) { picture($0) }
        return try ZipArchive.read(bytes) { archive in
            var files: [String: String] = [:]
            for entry in archive.entries {
                let content = try archive.read(entry)
                files[entry.name] = String(decoding: content, as: UTF8.self)
                if [".xhtml", ".opf", ".xml"].contains(where: { entry.name.hasSuffix($0) }) {
                    #expect(XMLElements(content).isWellFormed, "\(entry.name)")
                }
            }
            return files
        }
    }

    private func body(_ article: ReadingArticle) async throws -> String {
        try #require(try await files([article])["EPUB/article-1.xhtml"])
    }

    @Test func `a text of several megabytes keeps its elements and its end`() async throws {
        let filler = "<p>" + String(repeating: "word ", count: 2_000) + "</p>"
        let html = "<h2>Head</h2>" + String(repeating: filler, count: 300) + "<ul><li>Last</li></ul>"
        let markup = try JSONDecoder().decode(CleanMarkup.self, from: JSONEncoder().encode(html))
        let body = try await body(article(markup: markup, text: "Head"))
        #expect(body.contains("<h2>Head</h2>") && body.contains("<li>Last</li>"))
    }

    // MARK: The file

    @Test func `the first entry is the media type, uncompressed`() async throws {
        let bytes = try await EPUBWriter.write([try article()], at: Self.now)
        #expect(Array(bytes[30..<38]) == Array("mimetype".utf8))
        #expect(Array(bytes[38..<58]) == Array("application/epub+zip".utf8))
        #expect(bytes[8] == 0 && bytes[9] == 0)
    }

    @Test func `the same articles at the same time give the same bytes`() async throws {
        let articles = [try article(markup: "<p>Text.</p>")]
        let first = try await EPUBWriter.write(articles, at: Self.now)
        #expect(try await EPUBWriter.write(articles, at: Self.now) == first)
    }

    @Test func `every file that the package lists exists, and the contents link to every article`()
        async throws
    {
        let files = try await files([try article("One"), try article("Two", id: 2)])
        #expect(files["META-INF/container.xml"]?.contains("full-path=\"EPUB/package.opf\"") == true)
        let package = XMLElements(Array((files["EPUB/package.opf"] ?? "").utf8))
        let paths = package.values(of: "href", in: "item")
        #expect(!paths.isEmpty && paths.allSatisfy { files["EPUB/" + $0] != nil })
        #expect(package.values(of: "idref", in: "itemref") == ["article-1", "article-2"])
        #expect(package.values(of: "properties", in: "item") == ["nav"])
        let contents = XMLElements(Array((files["EPUB/contents.xhtml"] ?? "").utf8))
        #expect(contents.values(of: "href", in: "a") == ["article-1.xhtml", "article-2.xhtml"])
    }

    @Test func `the package has a title, an author and a language`() async throws {
        let package = try #require(try await files([try article(language: "de_AT")])["EPUB/package.opf"])
        #expect(package.contains("<dc:title>A title</dc:title>"))
        #expect(package.contains("<dc:language>de-AT</dc:language>"))
        #expect(package.contains("<dc:creator>Ada &lt;Byron&gt;</dc:creator>"))
        #expect(package.contains("<dc:source>https://example.org/one?a=1&amp;b=2</dc:source>"))
        #expect(package.contains("<meta property=\"dcterms:modified\">2026-11-10T12:00:00Z</meta>"))
    }

    @Test func `the same selection gives the same book id`() async throws {
        let later = Self.now + 3_600
        let (one, two) = (try article(), try article("Other", id: 2))
        func identifier(_ articles: [ReadingArticle], _ time: Date) async throws -> String? {
            let book = try await EPUBWriter.write(articles, at: time)
            let package = try ZipArchive.read(book) { archive in
                let entry = try #require(archive.entries.first { $0.name == "EPUB/package.opf" })
                return String(decoding: try archive.read(entry), as: UTF8.self)
            }
            return package.firstMatch(of: #/urn:uuid:[0-9a-f\-]{36}/#).map { String($0.output) }
        }
        let first = try await identifier([one], Self.now)
        let (again, other) = (try await identifier([one], later), try await identifier([two], Self.now))
        #expect(first != nil && first == again && first != other)
    }

    // MARK: Hostile and other languages

    @Test(arguments: [
        "</title><script>alert(1)</script>", "\u{0}\u{1}\u{1B}\u{FFFE}\u{FFFF}", "\u{202E}evil\u{2066}",
        "]]>",
        "&amp; &nbsp; \"'", "a\u{301}\u{D4E}<\u{301}b>",
    ])
    func `for any title the files are well-formed and contain no active content`(
        title: String
    ) async throws {
        let files = try await files([try article(title + "x", gist: title + "x")])
        for (name, text) in files where name.hasSuffix(".xhtml") {
            #expect(XMLElements(Array(text.utf8)).names.contains("script") == false)
            #expect(text.unicodeScalars.allSatisfy { $0 != "\u{202E}" && $0 != "\u{0}" })
        }
    }

    @Test func `the text contains no active content and loads nothing external`() async throws {
        let text = try await body(
            try article(
                markup: """
                    <p onclick="x()">Before<script>bad()</script><style>bad</style>after<iframe src="https://e.org/"></iframe></p>
                    <p><img src="https://tracker.example/p.png" alt="A picture"><a href="javascript:x()">link</a></p>
                    <p><a href="https://example.org/x?a=1&amp;b=2">good</a><form><input name="q"></form></p>
                    """))
        #expect(!text.contains("bad") && !text.contains("onclick") && !text.contains("tracker.example"))
        #expect(!text.contains("javascript") && !text.contains("<img") && !text.contains("<form"))
        #expect(text.contains("[A picture]") && text.contains("Before") && text.contains("after"))
        #expect(text.contains("<a href=\"https://example.org/x?a=1&amp;b=2\">good</a>"))
    }

    @Test func `an Arabic article runs from right to left`() async throws {
        let files = try await files([try article("عنوان", language: "ar", markup: "<p>نص</p>")])
        #expect(files["EPUB/article-1.xhtml"]?.contains("lang=\"ar\" xml:lang=\"ar\" dir=\"rtl\"") == true)
        #expect(files["EPUB/package.opf"]?.contains("page-progression-direction=\"rtl\"") == true)
        #expect(files["EPUB/article-1.xhtml"]?.contains("نص") == true)
    }

    @Test func `unclosed and empty elements become valid XML`() async throws {
        let text = try await body(
            try article(markup: "<p>a<br>b<hr><ul><li>one<li>two</ul><table><tr><td colspan=\"2\">x</table>"))
        #expect(text.contains("<br/>") && text.contains("<hr/>") && text.contains("<td colspan=\"2\">x</td>"))
    }

    @Test func `a link within the text points to its target, and is removed if there is none`() async throws {
        let text = try await body(
            try article(
                markup:
                    "<h2 id=\"user-content-a\">A</h2><p><a href=\"#user-content-a\">up</a><a href=\"#b\">no</a></p>"
            ))
        #expect(text.contains("<a href=\"#user-content-a\">up</a>") && !text.contains("#b"))
    }

    // MARK: Pictures

    @Test func `a stored picture is in the file once`() async throws {
        let files = try await files([
            try article(
                markup: "<p><img src=\"/pictures/a\" alt=\"One\"><img src=\"/pictures/a\" alt=\"\"></p>")
        ]) { $0 == "/pictures/a" ? PictureCache.Picture(mediaType: "image/png", bytes: [1, 2, 3]) : nil }
        #expect(files["EPUB/pictures/1.png"] != nil && files["EPUB/pictures/2.png"] == nil)
        let text = files["EPUB/article-1.xhtml"] ?? ""
        #expect(text.contains("<img src=\"pictures/1.png\" alt=\"One\"/>"))
        #expect(
            files["EPUB/package.opf"]?.contains("href=\"pictures/1.png\" media-type=\"image/png\"") == true)
    }

    // MARK: Highlights and gists

    @Test func `the gist comes first, and a highlight is marked with its note below`() async throws {
        let text = try await body(
            try article(
                markup: "<p>First a <em>marked pas</em>sage here.</p>",
                highlights: [highlight("marked passage", at: 8, note: "My <note>\nSecond")],
                gist: "Short.\nTwo."))
        let gist = try #require(text.range(of: "<p>Short.</p>"))
        let first = try #require(text.range(of: "First a"))
        #expect(gist.upperBound < first.lowerBound && text.contains("<p>Two.</p>"))
        #expect(text.contains("<em><mark>marked pas</mark></em><mark>sage</mark>"))
        #expect(text.contains("epub:type=\"noteref\"") && text.contains("href=\"#roost-note-1\">1</a>"))
        #expect(text.contains("id=\"roost-note-1\"") && text.contains("<p>My &lt;note&gt;</p>"))
    }

    @Test func `a highlight is found by its quote in a changed text`() async throws {
        let text = try await body(
            try article(
                markup: "<p>Some new words, then the\n  passage.</p>",
                highlights: [highlight("the passage", at: 3)]))
        #expect(text.contains("<mark>the\n  passage</mark>"))
    }

    @Test func `a highlight whose quote is gone is listed at the end`() async throws {
        let text = try await body(
            try article(markup: "<p>Text.</p>", highlights: [highlight("vanished", at: 3, note: "why")]))
        #expect(text.contains("<blockquote><p>vanished</p>") && text.contains("<p>why</p>"))
        #expect(!text.contains("<mark>"))
    }

    @Test func `overlapping highlights lose no character of the text`() async throws {
        let text = try await body(
            try article(
                markup: "<p>abcdefghij</p>",
                highlights: [
                    highlight("abcdef", at: 0, note: "1", id: "a"),
                    highlight("defgh", at: 3, note: "2", id: "b"),
                    highlight("cde", at: 2, note: "3", id: "c"),
                ]))
        let body = XMLElements(Array(text.utf8))
        #expect(body.text.contains("abcdef"))
        #expect(text.contains("<mark>gh</mark>") && text.contains("ij</p>"))
        #expect(text.contains("<p>1</p>") && text.contains("<p>2</p>") && text.contains("<p>3</p>"))
    }

    @Test func `an article without markup has its plain text or says that it has none`() async throws {
        let plain = try await body(try article(text: "One & two\nThree"))
        let none = try await body(try article())
        #expect(plain.contains("<p>One &amp; two</p>") && plain.contains("<p>Three</p>"))
        #expect(none.contains("The text of this page is not in Roost."))
    }

    @Test func `no articles and too many articles are refused`() async throws {
        let one = try article()
        for articles in [[], Array(repeating: one, count: EPUBWriter.maximumArticles + 1)] {
            let refused = await refusal { _ = try await EPUBWriter.write(articles, at: Self.now) }
            #expect(refused?.field == "id")
        }
    }

    @Test(arguments: [
        ("A title", "A title.epub"), ("a/b\\c:d*e", "a b c d e.epub"), ("..hidden", "hidden.epub"),
        ("\u{202E}x\u{0}", "x.epub"), ("...", "Article.epub"),
    ])
    func `a file's name is valid on every system`(title: String, name: String) throws {
        #expect(EPUBWriter.fileName(of: [try article(title)], at: Self.now) == name)
    }

    @Test func `articles that are too large together are refused`() async throws {
        try await withReading { fixture in
            try fixture.fill(3)
            try fixture.services.change(
                "UPDATE article_texts SET markup = '<p>' || replace(hex(zeroblob(6000000)), '0', 'a') || '</p>'"
            )
            let epubs = fixture.services.services.reading.epubs
            let error = await refusal { _ = try await epubs.epub(of: [1, 2, 3], for: fixture.ada) }
            #expect(
                error
                    == .invalid(
                        field: "id",
                        why: "These articles are too long for one EPUB. Choose fewer."))
        }
    }
}

/// The elements and the text of an XML document.
final class XMLElements: NSObject, XMLParserDelegate {
    private(set) var names: [String] = []
    private(set) var text = ""
    private(set) var isWellFormed = false
    private var attributes: [(element: String, name: String, value: String)] = []

    init(_ bytes: [UInt8]) {
        super.init()
        let parser = XMLParser(data: Data(bytes))
        parser.delegate = self
        isWellFormed = parser.parse()
    }

    func values(of attribute: String, in element: String) -> [String] {
        attributes.filter { $0.element == element && $0.name == attribute }.map(\.value)
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        names.append(name)
        for (key, value) in attributes { self.attributes.append((name, key, value)) }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
}
