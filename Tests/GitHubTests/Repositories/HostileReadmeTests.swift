import Foundation
import TestSupport
import Testing

@testable import GitHub

/// READMEs written as attacks: their cleaned form is always strict.
@Suite struct HostileReadmeTests {
    @Test(arguments: [
        "<script>alert(1)</script>", "<SCRIPT SRC=//x></SCRIPT>", "<img src=x onerror=alert(1)>",
        "<svg onload=alert(1)><a xlink:href=javascript:1>x</a></svg>",
        "<p onclick='x' style='y' class=z data-a=b>t",
        "<iframe srcdoc='<script>x</script>'></iframe>",
        "<form action=//x><button formaction=javascript:1>b</form>",
        "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
        "<svg></p><style><a id='</style><img src=1 onerror=alert(1)>'>",
        "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
        "<template><script>x</script></template>",
        "<textarea></textarea><script>x</script>", "<title><p title='</title><script>x</script>'>",
        "<xmp><p title='</xmp><script>x</script>'>", "<plaintext><script>x", "<!--><script>x</script>-->",
        "<!-- --!><script>x</script> -->", "<![CDATA[<script>x</script>]]>", "<?x ><script>y</script>?>",
        "<a href='javascript:x'>l</a>", "<a href=' &#x6A;avascript:x'>l</a>",
        "<a href='java&Tab;script:x'>l</a>",
        "<a href=\"https://x/' onclick='y\">l</a>", "<a href='x\" onclick=\"y'>l</a>",
        "<base href=//x><a href=y>l</a>",
        "<meta http-equiv=refresh content='0;url=//x'>", "<link rel=stylesheet href=//x>",
        "<object data=//x></object>",
        "<p id='x\"><script>y</script>'>t", "<p lang='en\"><b>'>t", "{{#x}}{{{y}}}{{/x}}",
        "<p title='{{x}}'>{</p>{</p>",
        "<a href='{{x}}'>{<b>{</b></a>", "&lt;script&gt;x&lt;/script&gt;", "&amp;lt;script&amp;gt;",
        "<p>\u{0}<scr\u{0}ipt>x",
        "<scr<script>ipt>x</script>", "<<script>x</script>", "<p/onclick=x>t", "<svg:script>x</svg:script>",
        "<x:script xmlns:x='http://www.w3.org/1999/xhtml'>y</x:script>", "<p \u{85}onclick=x>t",
        "<b/x='</b>'>t",
        "<select><style></select><img src=x onerror=y></style>",
        "<form><math><mtext></form><form><mglyph><style></math>",
        "<table><a href=x>1</table><a href=y>2", "<a href=x><table><td><a href=y>",
        "<p><b><p><b><p><b><p></b>", "</div></div></article></body></html>x",
        "<li><li></li></ul></li><dd><dd>", "<h1><h2></h1></h2>", "<picture><img src=x></picture>",
        "<marquee>x</marquee>",
        "<body onload=x><html onload=y>", "<frameset><frame src=//x>", "<input type=image src=//x onerror=y>",
        "<details ontoggle=x open>y</details>", "<video><source onerror=x></video>",
        "<isindex action=javascript:x>",
        "<img src='x`onerror=y'>", "<img alt='\"><script>' src=x>",
        "<a href='https://x/{{y}}' title='{{z}}'>l</a>",
    ])
    func `a cleaned attack is strict`(html: String) throws {
        let readme = try ReadmeFixture.clean(html + "<p>after</p>")
        try StrictMarkup.check(readme)
    }

    @Test func `the content of scripts, styles and drawings is not shown as text`() throws {
        for name in [
            "script", "style", "svg", "math", "iframe", "textarea", "noscript", "template", "title", "select",
        ] {
            let shown = try ReadmeFixture.shown("<p>a</p><\(name)>hidden</\(name)><p>b</p>")
            #expect(!shown.contains("hidden"), "\(name)")
            #expect(shown.contains("<p>a</p>"), "\(name)")
        }
    }

    @Test func `bidirectional and control characters are removed`() throws {
        let shown = try ReadmeFixture.shown(
            "<p>a\u{202E}b\u{2066}c\u{1B}[0m\u{9B}d\u{7F}e\u{2028}f\r\n\tg</p>")
        #expect(shown == "<p>abc[0mde\nf\n\tg</p>")
        let alt = try ReadmeFixture.clean("<img src=x alt='a\u{202E}b\nc'>").pictures.first?.alt
        #expect(alt == "ab c")
    }

    @Test func `the characters of a template tag are never adjacent`() throws {
        for html in [
            "{{x}}", "{{{x}}}", "<p>{<!-- -->{</p>", "<p>{<x>{</x></p>", "&#123;&#123;x",
            "<abbr title='{{{{'>y</abbr>",
        ] {
            #expect(!(try ReadmeFixture.shown(html).contains("{{")), "\(html)")
        }
    }

    @Test func `a README that is too long is cut, and all its elements are closed`() throws {
        let text = String(repeating: "<div><p>&amp;é<b>😀{{</b></p></div>", count: 60_000)
        let readme = try ReadmeFixture.clean(text)
        #expect(readme.isCut)
        #expect(readme.bytes <= 400_000)
        #expect(readme.bytes > 399_000)
        try StrictMarkup.check(readme)
    }

    @Test(arguments: 0..<7)
    func `one long text is cut between two characters`(shift: Int) throws {
        let start = String(repeating: "x", count: shift)
        for filling in ["&amp;", "😀", "{{", "é", "a"] {
            let readme = try ReadmeFixture.clean(
                "<p>" + start + String(repeating: filling, count: 200_000) + "</p>")
            let hasRoom = filling == "a"
            #expect(readme.isCut != hasRoom)
            #expect(readme.bytes <= 400_000)
            #expect(hasRoom || readme.bytes > 399_980)
            #expect(!readme.markup.contains("\u{FFFD}"))
            try StrictMarkup.check(readme)
        }
    }

    @Test
    func `twenty thousand nested elements are at most a hundred deep when cleaned, with all their text`()
        throws
    {
        let html = String(repeating: "<div>", count: 20_000) + "deep"
        let readme = try ReadmeFixture.clean(html)
        #expect(readme.markup.components(separatedBy: "<div>").count == 101)
        #expect(readme.markup.contains("deep"))
        #expect(!readme.isCut)
        try StrictMarkup.check(readme)
    }

    @Test func `a README over two megabytes, or badly nested, is only cut`() throws {
        let long = try ReadmeFixture.clean("<p>a</p>" + String(repeating: " ", count: 2 << 20) + "<p>b</p>")
        #expect(long.isCut && long.markup.contains("<p>a</p>") && !long.markup.contains("<p>b</p>"))
        let tangled = try ReadmeFixture.clean("<p>a</p><p" + (0..<9_999).map { " a\($0)" }.joined() + ">")
        #expect(tangled == Readme(parts: [], isCut: true))
    }

    @Test func `bytes that are not UTF-8 become replacement characters`() throws {
        let bytes = Data(Array("<p>a".utf8) + [0xFF, 0xC0, 0xBC] + Array("script>b".utf8))
        let readme = try Readme.cleaned(
            bytes, repository: ReadmeFixture.repository(), branch: "main", host: ReadmeFixture.host)
        #expect(readme.markup == "<p>a\u{FFFD}\u{FFFD}\u{FFFD}script&gt;b</p>")
    }

    @Test func `thousands of random documents are strict when cleaned`() throws {
        var dice = SeededNumbers(seed: 5)
        let whole = [
            "<p>", "</p>", "<b>", "</b>", "<a href=x>", "</a>", "<a name=n>", "<table>", "</table>", "<tr>",
            "<td>", "</td>",
            "<ul>", "<li>", "</li>", "</ul>", "<h1>", "</h1>", "<pre>", "</pre>", "<details>", "<summary>",
            "</details>",
            "<img src=x alt=y>", "<img>", "<svg>", "</svg>", "<style>", "</style>", "<script>", "</script>",
            "<!--", "-->", "<math>",
            "<mtext>", "</math>", "<div dir=auto>", "</div>", "<span class=pl-k>", "</span>", "{", "{{", "&",
            "&lt;", "&#0;",
            "&#x202E;", "\"", "'", "text", " ", "\n", "é", "\u{202E}", "\0", "<input type=checkbox checked>",
            "<template>",
            "<noscript>", "</noscript>", "<textarea>", "<title>", "</title>", "<br>", "</br>", "<hr>",
            "<x-y>", "</x-y>",
        ]
        let scraps = [
            "<", ">", "/", "=", "\"", "'", " ", "a", "p", "href", "src", "img", "id", "title", "on", "click",
            "javascript:",
            "//x", "#", "svg", "&", "#39;", "colon;", "{{", "]]>", "<![CDATA[", "!", "--", "?", "\u{C}", "\0",
            "\u{FFFD}", "dir",
            "class", "data-path", "script",
        ]
        for round in 0..<4_000 {
            let fragments = round % 2 == 0 ? whole : whole + scraps + scraps
            let html = (0..<Int.random(in: 1...60, using: &dice))
                .map { _ in fragments.randomElement(using: &dice) ?? "" }.joined()
            let readme = try ReadmeFixture.clean(html)
            do { try StrictMarkup.check(readme) } catch {
                Issue.record("\(error) in \(readme.markup) of \(html)")
                return
            }
        }
    }

    @Test func `a README survives a JSON file`() throws {
        let readme = try ReadmeFixture.clean("<p>a<img src=x alt=y width=3></p>")
        let again = try JSONDecoder().decode(Readme.self, from: JSONEncoder().encode(readme))
        #expect(again == readme)
    }
}
