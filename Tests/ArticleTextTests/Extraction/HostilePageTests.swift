import Foundation
import TestSupport
import Testing

@testable import ArticleText

/// Pages that are designed to use much time or memory.
@Suite struct HostilePageTests {
    /// In seconds; work that is quadratic in a page's length would take minutes.
    private static let patience = AllTests.areWanted ? 15.0 : 3.0
    private static let size = AllTests.areWanted ? 5 << 20 : 1 << 20

    private func took(_ html: String) throws -> (article: ExtractedArticle?, seconds: Double) {
        let start = threadSeconds()
        let article = try? ArticleExtractor.extract(html.utf8, charset: nil, url: "https://a.example/")
        return (article, threadSeconds() - start)
    }

    @Test func `twenty thousand nested tags do not hide the text`() throws {
        let deep = String(repeating: "<div>", count: 20_000)
        let (article, seconds) = try took(
            "<html><body>\(deep)<p>\(SamplePage.paragraphs[0])</p><p>\(SamplePage.paragraphs[1])</p></body></html>"
        )
        #expect(try #require(article).text.contains(SamplePage.paragraphs[0]))
        #expect(seconds < Self.patience)
    }

    @Test(arguments: [
        "<div class=ln>", "<table><tr><td class=blob-code>",
        "<div class=container><div class=line>a</div><div class=line>",
        "<div data-src=/a.png>", "<blockquote class=twitter-tweet><a href=/a>", "<math><mi>x</mi></math>",
    ])
    func `nested code, pictures, posts and formulas are handled within seconds`(tag: String) throws {
        let html = String(repeating: tag, count: Self.size / tag.utf8.count)
        #expect(try took("<html><body><article>\(html)text").seconds < Self.patience)
    }

    @Test func `lists of comments inside each other are searched once`() throws {
        let count = Self.size / 300
        let html =
            String(repeating: "<div class=comments>", count: count)
            + String(repeating: "<article>", count: count)
            + String(repeating: "<p><a href=x>x</a>", count: count)
        #expect(
            try took("<html><body><article><p>\(SamplePage.paragraphs[0])</p>\(html)").seconds < Self.patience
        )
    }

    @Test func `data in a box of line numbers is left out with it`() throws {
        let data = #"<script type="application/ld+json">{"@type": "Article", "headline": "No"}</script>"#
        let article = try SamplePage.extract(inside: "<div class=\"gutter\">\(data)<b class=x>1</b></div>")
        #expect(article.text.contains(SamplePage.paragraphs[0]))
    }

    @Test func `charsets are looked for in many tags without an end`() throws {
        let html = String(repeating: "<meta ", count: Self.size / 6)
        let start = threadSeconds()
        #expect(TextDecoding.utf8(Array(html.utf8), headerCharset: nil).count == html.utf8.count)
        #expect(threadSeconds() - start < Self.patience)
    }

    @Test func `many listings far inside others are looked at once`() throws {
        let count = Self.size / 60
        let open = String(repeating: "<div class='code line'><div class=line></div>", count: count)
        #expect(try took("<html><body><article>\(open)<pre>x</pre>text").seconds < Self.patience)
    }

    @Test func `a tag may have two thousand attributes, but no more`() throws {
        func tag(_ count: Int) -> String { "<p" + (0..<count).map { " a\($0)" }.joined() + ">x</p>" }
        #expect(throws: ExtractionError.tooComplex) { try SamplePage.extract(tag(2_001)) }
        #expect(throws: Never.self) { try SamplePage.extract(tag(2_000)) }
    }

    @Test func `a comparison in a script is not taken for a tag with attributes`() throws {
        let script =
            "<script>for (i = 0; i <n; i++) { " + (0..<3_000).map { "a\($0) = b; " }.joined() + "}</script>"
        #expect(try SamplePage.extract(head: script).text.contains(SamplePage.paragraphs[0]))
    }

    @Test func `more than eight megabytes are refused`() throws {
        #expect(throws: ExtractionError.tooLong) {
            try ArticleExtractor.extract(
                [UInt8](repeating: 0x20, count: (8 << 20) + 1), charset: nil, url: nil)
        }
    }

    @Test(arguments: [
        "<p>x", "<div>", "<b>", "<a href=x>y</a> ", "<table><tr><td>x", "<br>", "<img src=a>",
        "<li class=a>b", "word ",
        "<div><p>x</p>", "<ul><li>", "<picture><source srcset='a 1w'>", "<h1>x</h1>",
        "<span class=byline><time>",
        "<noscript>x", "&amp;", "<td>", "<dl><dt>x<dd>y", "<pre>\n", "<article class='post-author'>x", "</p>",
    ])
    func `megabytes of one repeated piece are handled within seconds`(piece: String) throws {
        let html = String(repeating: piece, count: Self.size / piece.utf8.count)
        #expect(try took(html).seconds < Self.patience)
    }

    private static let beginning =
        "<body><article>" + SamplePage.paragraphs.map { "<p>\($0)</p>" }.joined()

    @Test(arguments: [
        ("<i>x</i>", 110_000), ("<br>", 210_000), ("<b>", 210_000), ("<i a b c d e f g h>x</i>", 51_000),
        ("<svg><path a b c d e f g h></svg>", 51_000), ("<p>x", 31_000),
    ])
    func `a page beyond the limits keeps its beginning and is marked as incomplete`(piece: String, count: Int)
        throws
    {
        let html = Self.beginning + String(repeating: piece, count: count)
        let article = try ArticleExtractor.extract(html.utf8, charset: nil, url: nil)
        #expect(article.isCut)
        #expect(article.text.hasSuffix("The page is too long. Its end is missing here."))
        #expect(article.text.contains(SamplePage.paragraphs[0]))
        #expect(try !SamplePage.extract(Self.beginning).isCut)
    }

    @Test func `too many different element names are refused`() {
        let html = (0..<20_000).map { "<a\($0)>" }.joined()
        #expect(throws: ExtractionError.tooComplex) {
            try ArticleExtractor.extract(html.utf8, charset: nil, url: nil)
        }
    }

    @Test func `linked data with very many objects and names is read up to its limits`() throws {
        let many = String(repeating: #"{"@type":"x"},"#, count: 50_000)
        let names = String(repeating: #""Ada","#, count: 50_000)
        let data = #"{"@type":"Article","headline":"Ropes","author":[\#(names)"Bob"],"@graph":[\#(many){}]}"#
        let html = "<script type='application/ld+json'>\(data)</script>" + Self.beginning
        let article = try ArticleExtractor.extract(html.utf8, charset: nil, url: nil)
        #expect(article.byline == "Ada")
    }

    @Test func `deep elements with many paragraphs below them are handled within seconds`() throws {
        let html =
            String(repeating: "<b>", count: 400_000) + String(repeating: "<p>some words</p>", count: 200_000)
        #expect(try took(html).seconds < Self.patience)
    }

    @Test func `a picture with many sources is handled within seconds`() throws {
        let images = String(repeating: "<img>", count: 150_000)
        let html =
            "<article><p>\(SamplePage.paragraphs[0])</p><picture>\(images)</picture>"
            + "<p>\(SamplePage.paragraphs[1])</p></article>"
        #expect(try took(html).seconds < Self.patience)
    }

    @Test(arguments: ["[", "{\"author\":", "{\"@graph\":["])
    func `endless linked data is handled within seconds`(piece: String) throws {
        let data = String(repeating: piece, count: 1_000_000)
        #expect(
            try took("<script type='application/ld+json'>\(data)</script><p>x</p>").seconds < Self.patience)
    }
}
