import Foundation
import Testing

@testable import ArticleText
@testable import Reading

@Suite struct ArticlePictureLinkTests {
    @Test(
        arguments: [
            (
                "<p>a<img src=\"/pictures/1\" alt=\"x\">b</p>",
                "<p>a<a href=\"/pictures/1\" target=\"_blank\"><img src=\"/pictures/1/page\" alt=\"x\"></a>b</p>"
            ),
            (
                "<a href=\"https://example.org\"><b><img alt=\"\" src=\"/pictures/1\"></b></a><img src=\"/pictures/2\">",
                "<a href=\"https://example.org\"><b><img alt=\"\" src=\"/pictures/1/page\"></b></a>"
                    + "<a href=\"/pictures/2\" target=\"_blank\"><img src=\"/pictures/2/page\"></a>"
            ),
            ("<p>1 &lt; 2 <img alt=\"not here yet\"></p>", "<p>1 &lt; 2 <img alt=\"not here yet\"></p>"),
            ("<abbr title=\"x\">y</abbr>", "<abbr title=\"x\">y</abbr>"), ("", ""), ("a > b", "a > b"),
        ] as [(StaticString, String)])
    func `a page shows copies of an article's pictures, which link to the originals`(
        html: StaticString, shown: String
    ) {
        #expect(ArticlePictures.linked(CleanMarkup(stringLiteral: html)).html == shown)
    }

    @Test func `picture addresses are read only from their attribute`() {
        let markup: CleanMarkup = """
            <p>1 &lt; 2 <img alt="src=&quot;x&quot; &lt;img src=" src="https://a.example/1?a=1&amp;b=2">\
            <img alt="none"><img src="https://a.example/2"><img src="https://a.example/2"></p><imgx src="y">
            """
        #expect(
            ArticlePictures.addresses(in: markup) == ["https://a.example/1?a=1&b=2", "https://a.example/2"])
    }

    @Test(
        arguments: [
            ("<pre>a</pre><p>b</p>", "<pre tabindex=\"0\">a</pre><p>b</p>"),
            (
                "<table><tr><td><pre>&lt;pre&gt;</pre></td></tr></table>",
                "<table tabindex=\"0\"><tr><td><pre tabindex=\"0\">&lt;pre&gt;</pre></td></tr></table>"
            ),
            ("<p>no tag < here", "<p>no tag < here"), ("", ""), ("words", "words"),
        ] as [(StaticString, String)])
    func `code and tables can be scrolled with the keyboard`(html: StaticString, shown: String) {
        #expect(CleanMarkup(stringLiteral: html).scrollable.html == shown)
    }
}

@Suite struct CleanMarkupPassagesTests {
    /// The markup with short marks: "[a:words]".
    private func marked(_ markup: CleanMarkup, _ passages: (String, Range<Int>)...) -> String {
        markup.marking(passages.map { CleanMarkup.Passage(id: $0.0, range: $0.1) }).html
            .replacing(#/<mark class="highlight"(?: id="highlight-[^"]*")? data-highlight="([^"]*)">/#) {
                "[\($0.output.1):"
            }
            .replacing("</mark>", with: "]")
    }

    /// Sanitized markup, as read from the disk.
    private func sanitized(_ html: String) throws -> CleanMarkup {
        try JSONDecoder().decode(CleanMarkup.self, from: JSONEncoder().encode(html))
    }

    @Test func `a passage within one text node is marked in place`() {
        #expect(marked("<p>one two three</p>", ("a", 4..<7)) == "<p>one [a:two] three</p>")
    }

    @Test func `a passage across elements has a mark in each text node, and no tag is cut`() {
        let html = marked("<p>one <b>two <i>three</i></b> four</p><p>five</p>", ("a", 2..<21))
        #expect(html == "<p>on[a:e ]<b>[a:two ]<i>[a:three]</i></b>[a: four]</p><p>[a:fiv]e</p>")
    }

    @Test func `overlapping passages are nested`() {
        let html = marked("<p>abcdef</p>", ("x", 0..<4), ("y", 2..<6))
        #expect(html == "<p>[x:ab][x:[y:cd]][y:ef]</p>")
        #expect(marked("<p>abcd</p>", ("x", 1..<3), ("y", 0..<4)) == "<p>[y:a][y:[x:bc]][y:d]</p>")
        #expect(marked("<p>ab</p>", ("x", 0..<2), ("y", 0..<2)) == "<p>[x:[y:ab]]</p>")
    }

    @Test func `an entity is one character and is never split`() {
        #expect(marked("<p>a&amp;b&lt;c</p>", ("x", 1..<2)) == "<p>a[x:&amp;]b&lt;c</p>")
        #expect(marked("<p>&quot;&#39;&gt;</p>", ("x", 1..<3)) == "<p>&quot;[x:&#39;&gt;]</p>")
        #expect(marked("<p>&#128512;a</p>", ("x", 2..<3)) == "<p>&#128512;[x:a]</p>")
        #expect(marked("<p>a & b</p>", ("x", 2..<3)) == "<p>a [x:&] b</p>")
    }

    @Test func `offsets are UTF-16 units, as browsers count them`() {
        // An emoji has two units, an accented letter one, and a combining mark one more.
        #expect(marked("<p>😀é日e\u{301}x</p>", ("x", 2..<4)) == "<p>😀[x:é日]e\u{301}x</p>")
        #expect(marked("<p>😀é日e\u{301}x</p>", ("x", 6..<7)) == "<p>😀é日e\u{301}[x:x]</p>")
    }

    @Test func `a passage that starts or ends within an emoji covers all of it`() {
        #expect(marked("<p>a😀b</p>", ("x", 2..<4)) == "<p>a[x:😀b]</p>")
        #expect(marked("<p>a😀b</p>", ("x", 0..<2)) == "<p>[x:a😀]b</p>")
    }

    @Test func `a line break at the start of a code block is left out of the offsets, as in browsers`() {
        #expect(marked("<pre>\nab</pre>", ("x", 0..<1)) == "<pre>\n[x:a]b</pre>")
        #expect(marked("<pre><code>\nab</code></pre>", ("x", 1..<2)) == "<pre><code>\n[x:a]b</code></pre>")
        let markup: CleanMarkup = "<pre>\nab</pre>"
        #expect(markup.textContent == "ab")
    }

    @Test func `white space between blocks is not marked`() {
        let html = marked("<ul>\n<li>a</li>\n<li>b</li>\n</ul>", ("x", 0..<6))
        #expect(html == "<ul>\n<li>[x:a]</li>\n<li>[x:b]</li>\n</ul>")
        #expect(marked("<p><b>a</b> <i>b</i></p>", ("x", 0..<3)) == "<p><b>[x:a]</b>[x: ]<i>[x:b]</i></p>")
    }

    @Test func `void elements do not end their parent`() {
        let html = marked("<p>a<br>b<img alt=\"x &gt; y\" src=\"/pictures/1\">c</p>", ("x", 1..<3))
        #expect(html == "<p>a<br>[x:b]<img alt=\"x &gt; y\" src=\"/pictures/1\">[x:c]</p>")
    }

    @Test func `only the first mark of a passage has its id`() {
        let markup: CleanMarkup = "<p>a<b>b</b></p>"
        let html = markup.marking([.init(id: "h-1", range: 0..<2)]).html
        #expect(html.components(separatedBy: "id=\"highlight-h-1\"").count == 2)
        #expect(html.components(separatedBy: "data-highlight=\"h-1\"").count == 3)
    }

    @Test func `a hostile id cannot end the attribute`() {
        let markup: CleanMarkup = "<p>a</p>"
        let html = markup.marking([.init(id: "\"><script>", range: 0..<1)]).html
        #expect(html.contains("data-highlight=\"&quot;&gt;&lt;script&gt;\">a</mark>"))
        #expect(!html.contains("<script"))
    }

    @Test func `an empty passage or one outside of the text marks nothing`() {
        let markup: CleanMarkup = "<p>abc</p>"
        #expect(marked(markup, ("x", 3..<9)) == "<p>abc</p>")
        #expect(marked(markup, ("x", 1..<1)) == "<p>abc</p>")
        #expect(marked(markup, ("x", 2..<100)) == "<p>ab[x:c]</p>")
    }

    /// For any passages the text stays the same, every mark is closed, and the marks cover the passage's range.
    @Test func `marking changes neither text nor elements`() throws {
        let markup: CleanMarkup =
            "<h2>A 😀 title</h2><p>one <b>two <i>th&amp;ree</i></b> <a href=\"#x\">four</a></p>\n<pre>\n let x = &lt;y&gt;\n</pre>"
        let text = Array(markup.textContent.utf16)
        var state: UInt64 = 7
        func random(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        for _ in 0..<200 {
            let passages = (0..<4).map { number in
                let start = random(text.count)
                return CleanMarkup.Passage(id: "\(number)", range: start..<(start + 1 + random(12)))
            }
            let shown = markup.marking(passages)
            #expect(shown.textContent == markup.textContent)
            let opened = shown.html.components(separatedBy: "<mark ").count
            #expect(opened == shown.html.components(separatedBy: "</mark>").count)
            let bare = shown.html.replacing(#/<mark [^>]*>|<\/mark>/#, with: "")
            #expect(bare == markup.html)
        }
    }

    @Test func `a passage is found by its text, however its white space was copied`() throws {
        let markup: CleanMarkup = "<p>A tower\nclock &amp; a 😀 wheel.</p><p>A tower</p>"
        let text = MarkupText(markup)
        let range = try #require(text.range(quoting: " tower clock  & a 😀\nwheel"))
        #expect(String(decoding: text.units[range], as: UTF16.self) == "tower\nclock & a 😀 wheel")
        #expect(text.range(quoting: "A tower") == 0..<7)
        #expect(text.range(quoting: "no such words") == nil)
        #expect(text.range(quoting: " \n") == nil)
    }

    @Test func `a thousand overlapping passages still give a page of limited size`() throws {
        let html = "<p>" + String(repeating: "<b>a</b>", count: 5_000) + "</p>"
        let markup = try sanitized(html)
        let passages = (0..<1_000).map { CleanMarkup.Passage(id: "\($0)", range: $0..<5_000) }
        let start = ContinuousClock.now
        let marked = markup.marking(passages)
        #expect(ContinuousClock.now - start < .seconds(15))
        #expect(marked.html.utf8.count < 10_000_000)
        // The passages that start last are shown.
        #expect(marked.html.contains("data-highlight=\"999\""))
        #expect(marked.textContent == markup.textContent)
    }

    @Test func `the number of marks in a text is limited`() throws {
        let html = "<p>" + String(repeating: "<b>ab</b>", count: 60_000) + "</p>"
        let marked = try sanitized(html).marking(
            (0..<4).map { CleanMarkup.Passage(id: "\($0)", range: 0..<120_000) })
        #expect(marked.html.utf8.count < 10_000_000)
    }
}
