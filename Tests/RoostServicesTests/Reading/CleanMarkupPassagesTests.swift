import Foundation
import Testing

@testable import ArticleText
@testable import Reading

/// Highlights in an article's markup.
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
    func `a page shows copies of an article's pictures, and links to the pictures`(
        html: StaticString, shown: String
    ) {
        #expect(ArticlePictures.linked(CleanMarkup(stringLiteral: html)).html == shown)
    }

    @Test func `the addresses of pictures are read from their attribute alone`() {
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
    func `code and tables can be scrolled by keyboard`(html: StaticString, shown: String) {
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

    /// As it is read from the disk.
    private func kept(_ html: String) throws -> CleanMarkup {
        try JSONDecoder().decode(CleanMarkup.self, from: JSONEncoder().encode(html))
    }

    @Test func `a passage within a text is marked where it stands`() {
        #expect(marked("<p>one two three</p>", ("a", 4..<7)) == "<p>one [a:two] three</p>")
    }

    @Test func `a passage over elements has a mark in each text, and no tag is cut`() {
        let html = marked("<p>one <b>two <i>three</i></b> four</p><p>five</p>", ("a", 2..<21))
        #expect(html == "<p>on[a:e ]<b>[a:two ]<i>[a:three]</i></b>[a: four]</p><p>[a:fiv]e</p>")
    }

    @Test func `passages that overlap stand one in the other`() {
        let html = marked("<p>abcdef</p>", ("x", 0..<4), ("y", 2..<6))
        #expect(html == "<p>[x:ab][x:[y:cd]][y:ef]</p>")
        #expect(marked("<p>abcd</p>", ("x", 1..<3), ("y", 0..<4)) == "<p>[y:a][y:[x:bc]][y:d]</p>")
        #expect(marked("<p>ab</p>", ("x", 0..<2), ("y", 0..<2)) == "<p>[x:[y:ab]]</p>")
    }

    @Test func `an entity is one character, and is never cut`() {
        #expect(marked("<p>a&amp;b&lt;c</p>", ("x", 1..<2)) == "<p>a[x:&amp;]b&lt;c</p>")
        #expect(marked("<p>&quot;&#39;&gt;</p>", ("x", 1..<3)) == "<p>&quot;[x:&#39;&gt;]</p>")
        #expect(marked("<p>&#128512;a</p>", ("x", 2..<3)) == "<p>&#128512;[x:a]</p>")
        #expect(marked("<p>a & b</p>", ("x", 2..<3)) == "<p>a [x:&] b</p>")
    }

    @Test func `offsets are UTF-16 units, as browsers count them`() {
        // An emoji has two, an accented letter one, a combining mark one of its own.
        #expect(marked("<p>😀é日e\u{301}x</p>", ("x", 2..<4)) == "<p>😀[x:é日]e\u{301}x</p>")
        #expect(marked("<p>😀é日e\u{301}x</p>", ("x", 6..<7)) == "<p>😀é日e\u{301}[x:x]</p>")
    }

    @Test func `a passage that begins or ends within an emoji takes it whole`() {
        #expect(marked("<p>a😀b</p>", ("x", 2..<4)) == "<p>a[x:😀b]</p>")
        #expect(marked("<p>a😀b</p>", ("x", 0..<2)) == "<p>[x:a😀]b</p>")
    }

    @Test func `a browser leaves out the line's end that begins a block of code, and so do the offsets`() {
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

    @Test func `elements without content do not end the one that holds them`() {
        let html = marked("<p>a<br>b<img alt=\"x &gt; y\" src=\"/pictures/1\">c</p>", ("x", 1..<3))
        #expect(html == "<p>a<br>[x:b]<img alt=\"x &gt; y\" src=\"/pictures/1\">[x:c]</p>")
    }

    @Test func `only the first mark of a passage has its id`() {
        let markup: CleanMarkup = "<p>a<b>b</b></p>"
        let html = markup.marking([.init(id: "h-1", range: 0..<2)]).html
        #expect(html.components(separatedBy: "id=\"highlight-h-1\"").count == 2)
        #expect(html.components(separatedBy: "data-highlight=\"h-1\"").count == 3)
    }

    @Test func `a hostile id ends no attribute`() {
        let markup: CleanMarkup = "<p>a</p>"
        let html = markup.marking([.init(id: "\"><script>", range: 0..<1)]).html
        #expect(html.contains("data-highlight=\"&quot;&gt;&lt;script&gt;\">a</mark>"))
        #expect(!html.contains("<script"))
    }

    @Test func `nothing is marked of what lies outside of the text, or is empty`() {
        let markup: CleanMarkup = "<p>abc</p>"
        #expect(marked(markup, ("x", 3..<9)) == "<p>abc</p>")
        #expect(marked(markup, ("x", 1..<1)) == "<p>abc</p>")
        #expect(marked(markup, ("x", 2..<100)) == "<p>ab[x:c]</p>")
    }

    /// Of any passages: the text stays what it was, every mark is closed, and each has the words of its range.
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

    @Test func `a passage is found by its words, however its white space was copied`() throws {
        let markup: CleanMarkup = "<p>A tower\nclock &amp; a 😀 wheel.</p><p>A tower</p>"
        let text = MarkupText(markup)
        let place = try #require(text.place(quoting: " tower clock  & a 😀\nwheel"))
        #expect(String(decoding: text.units[place], as: UTF16.self) == "tower\nclock & a 😀 wheel")
        #expect(text.place(quoting: "A tower") == 0..<7)
        #expect(text.place(quoting: "no such words") == nil)
        #expect(text.place(quoting: " \n") == nil)
    }

    @Test func `a thousand passages, one over the other, become no page that nobody can hold`() throws {
        let html = "<p>" + String(repeating: "<b>a</b>", count: 5_000) + "</p>"
        let markup = try kept(html)
        let passages = (0..<1_000).map { CleanMarkup.Passage(id: "\($0)", range: $0..<5_000) }
        let start = ContinuousClock.now
        let marked = markup.marking(passages)
        #expect(ContinuousClock.now - start < .seconds(15))
        #expect(marked.html.utf8.count < 10_000_000)
        // Those that began last are shown.
        #expect(marked.html.contains("data-highlight=\"999\""))
        #expect(marked.textContent == markup.textContent)
    }

    @Test func `there is an end to the marks of a text`() throws {
        let html = "<p>" + String(repeating: "<b>ab</b>", count: 60_000) + "</p>"
        let marked = try kept(html).marking(
            (0..<4).map { CleanMarkup.Passage(id: "\($0)", range: 0..<120_000) })
        #expect(marked.html.utf8.count < 10_000_000)
    }
}
