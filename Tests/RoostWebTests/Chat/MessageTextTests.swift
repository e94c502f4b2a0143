import HTMLTemplates
import TestSupport
import Testing
import TextFormats

@testable import ChatWeb
@testable import roost

@Suite struct MessageTextTests {
    private func html(_ text: String, members: [String] = []) -> String {
        var html = HTMLBuffer()
        MessageText(text, members: members).write(into: &html)
        return String(decoding: html.bytes, as: UTF8.self)
    }

    @Test(arguments: [
        ("plain text", "plain text"), ("two\nlines", "two\nlines"), ("two\r\nlines", "two\nlines"),
        ("**bold**", "<b>bold</b>"), ("__bold__", "<b>bold</b>"),
        ("*it* and _it_", "<i>it</i> and <i>it</i>"),
        ("~~gone~~", "<s>gone</s>"), ("***both***", "<b><i>both</i></b>"),
        ("**a *b***", "<b>a <i>b</i></b>"), ("`a*b*`", "<code>a*b*</code>"),
        ("``a`b``", "<code>a`b</code>"), ("`` ` ``", "<code>`</code>"),
        ("\\*plain\\*", "*plain*"), ("* item", "* item"), ("2 * 3 * 4", "2 * 3 * 4"),
        ("snake_case_name", "snake_case_name"), ("**open", "**open"), ("a ** b", "a ** b"),
        ("*a **b*", "<i>a **b</i>"),
        ("5*6*7 and *args", "5*6*7 and *args"), ("f(*args, **kwargs) *x", "f(*args, **kwargs) *x"),
        ("2**3**4", "2**3**4"), ("很*好*吗", "很<i>好</i>吗"), ("`open", "`open"),
        ("*over\nlines*", "*over\nlines*"),
    ])
    func `paired marks within a line are markup, and all others stay as typed`(
        text: String, shown: String
    ) {
        #expect(html(text) == shown)
    }

    @Test func `a fence keeps code unchanged, up to the end if it is never closed`() {
        #expect(
            html("see\n```swift\nlet a = *b*\n```\nend")
                == "see<pre dir=\"ltr\" tabindex=\"0\"><code>let a = *b*</code></pre>end")
        #expect(html("```\n<b>") == "<pre dir=\"ltr\" tabindex=\"0\"><code>&lt;b&gt;</code></pre>")
    }

    @Test(arguments: [
        ("```one line```", "<code>one line</code>"),
        ("```one line``` and more", "<code>one line</code> and more"),
        ("before ```one line``` after", "before <code>one line</code> after"),
        ("```swift let a = 1```", "<code>swift let a = 1</code>"),
        ("```one``` ```two```", "<code>one</code> <code>two</code>"),
        ("````one ``` two````", "<code>one ``` two</code>"),
        ("> ```one line```", "<blockquote><code>one line</code></blockquote>"),
        ("```one````", "```one````"), ("```", "```"), ("``` ", "``` "),
    ])
    func `a fence that closes in its first line is inline code`(text: String, shown: String) {
        #expect(html(text) == shown)
    }

    @Test(arguments: [
        ("```\na\n```", "a", ""), ("```swift\na\n```", "a", ""), ("```  Swift \na\n```", "a", ""),
        ("```let a = 1\nb\n```", "let a = 1\nb", ""), ("```hello\nb", "hello\nb", ""),
        ("```swift", "swift", ""), ("```swift\n```", "swift", ""), ("```swift\n \n```", "swift\n ", ""),
        ("```\na\n``` and then", "a", " and then"), ("```\na\nb```", "a\nb", ""),
        ("```\na\nb```  \nc", "a\nb", "c"), ("````\n```\na\n````", "```\na", ""),
        ("```\na ``` b\n```", "a ``` b", ""), ("```\na ```b```\n```", "a ```b```", ""),
        ("```\r\na\r\n```\r\n", "a", ""),
    ])
    func `a code block ends at its backticks, and no text is lost`(
        text: String, code: String, rest: String
    ) {
        #expect(html(text) == "<pre dir=\"ltr\" tabindex=\"0\"><code>\(code)</code></pre>\(rest)")
    }

    /// The visible text of the HTML.
    private func words(in html: String) -> Set<Substring> {
        Set(html.replacing(/<[^>]*>/, with: " ").split { !$0.isLetter && !$0.isNumber })
    }

    @Test(arguments: 1...40)
    func `every word of a message is shown, whatever its markup`(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        let marks = [
            "```", "````", "`", "``", "*", "**", "_", "~~", "> ", ">", "\n", "\n", "\r\n", " ", " ", "\\",
            "[", "]",
            "](https://a.example) ", "(", ")", "@", ":", "\n```", "```\n", "/", "#",
        ]
        for _ in 0..<150 {
            var text = ""
            var expected: Set<Substring> = []
            for number in 0..<Int.random(in: 1...14, using: &numbers) {
                if Bool.random(using: &numbers) {
                    let word = "word\(number)x"
                    expected.insert(Substring(word))
                    text += word
                }
                text += marks[Int.random(in: 0..<marks.count, using: &numbers)]
            }
            let shown = words(in: html(text))
            let lost = expected.filter { word in !shown.contains { $0.contains(word) } }
            #expect(lost.isEmpty, "\(text.debugDescription) lost \(lost)")
        }
    }

    @Test func `lines that begin with an angle bracket are a quotation`() {
        #expect(html("> one\n>two\nthree") == "<blockquote>one\ntwo</blockquote>three")
    }

    private static let attributes = "target=\"_blank\" rel=\"noopener noreferrer nofollow\""

    @Test(arguments: [
        ("https://example.org/a", "https://example.org/a", "example.org/a", ""),
        ("http://www.example.org/", "http://www.example.org/", "example.org", ""),
        ("https://example.org/a_(b)", "https://example.org/a_(b)", "example.org/a_(b)", ""),
        ("https://example.org/a_", "https://example.org/a_", "example.org/a_", ""),
        ("https://example.org/a。好", "https://example.org/a", "example.org/a", "。好"),
        ("https://example.org/a»", "https://example.org/a", "example.org/a", "»"),
        ("https://example.org/a.", "https://example.org/a", "example.org/a", "."),
        (
            "https://example.org/?a=1&b=2!", "https://example.org/?a=1&amp;b=2", "example.org/?a=1&amp;b=2",
            "!"
        ),
        ("[the page](https://example.org/a)", "https://example.org/a", "the page", ""),
        ("[*so*](https://example.org/a)", "https://example.org/a", "<i>so</i>", ""),
    ])
    func `addresses become links without opener and referrer`(
        text: String, address: String, label: String, rest: String
    ) {
        #expect(
            html(text) == "<a href=\"\(address)\" title=\"\(address)\" \(Self.attributes)>\(label)</a>\(rest)"
        )
    }

    @Test(arguments: [
        ("Bitcoin /coins/bitcoin", true), ("/coins/bitcoin", true),
        ("https://github.com/roost/nest/pull/7", true),
        ("see https://github.com/roost/nest/pull/7", false), ("https://github.com/roost/nest", false),
        ("/coins/bitcoin and /coins/solana", false), ("/coins/bitcoin falls", false),
        ("[Bitcoin](/coins/bitcoin)", false),
        ("https://example.org/a", false), ("`/coins/bitcoin`", false),
    ])
    func `a card can replace an address that stands alone, or a path at the text's end`(
        text: String, isReplaceable: Bool
    ) {
        #expect(html(text).contains("<a class=\"replaceable\" href=") == isReplaceable)
    }

    @Test(arguments: [
        ("Bitcoin /coins/bitcoin", "Bitcoin"), ("/coins/bitcoin", "/coins/bitcoin"),
        ("Do you know /repositories/roost/nest?", "Do you know /repositories/roost/nest?"),
    ])
    func `a preview has the words without the path`(text: String, preview: String) {
        #expect(MessageText.plain(text).trimmed == preview)
    }

    @Test func `a long address is shortened`() {
        let address = "https://example.org/" + String(repeating: "a", count: 80) + "/end-of-it"
        let shown = html(address)
        #expect(shown.contains("href=\"\(address)\""))
        #expect(shown.contains("…nd-of-it</a>"))
    }

    @Test func `Roost's own pages open in the same tab`() {
        #expect(
            html("[Bitcoin](/watchlist?q=bitcoin)") == "<a href=\"/watchlist?q=bitcoin\">Bitcoin</a>")
        #expect(html("and/or /etc/passwd //x") == "and/or /etc/passwd //x")
    }

    @Test(arguments: [
        "[x](javascript:alert(1))", "javascript:alert(1)", "[x](data:text/html,1)", "[x](//evil.example)",
        "[x](/\\evil.example)", "[](https:// )", "https://",
        "http://\u{202E}gro.elpmaxe",
    ])
    func `only HTTP and HTTPS addresses become links`(text: String) {
        #expect(!html(text).contains("<a"))
    }

    @Test func `only names of members are marked after an at sign, in any case`() {
        let marked = "<span class=\"mention\">@Ada</span>"
        #expect(html("@Ada, see", members: ["ada"]) == "\(marked), see")
        #expect(html("ask @Ada.", members: ["ada"]) == "ask \(marked).")
        #expect(
            html("mail@ada @eve @ada2 `@ada`", members: ["ada"]) == "mail@ada @eve @ada2 <code>@ada</code>")
        #expect(html("问@Ada吧，@Ada，", members: ["ada"]) == "问\(marked)吧，\(marked)，")
        #expect(html("@明子さん", members: ["明子"]) == "<span class=\"mention\">@明子</span>さん")
    }

    @Test func `emoji can be typed by name`() {
        #expect(html(":tada: at 12:30:10 :no_such:") == "🎉 at 12:30:10 :no_such:")
    }

    @Test func `hostile text is escaped`() throws {
        let plain = try Markup("<p>\(html("x"))</p>")
        #expect(try Markup("<p>\(html(HostileText.all))</p>").tags == plain.tags)
        let tags = try Markup("<p>\(html("<script>alert('1')</script> <img src=x onerror=\"1\">"))</p>")
        #expect(tags.tags == plain.tags)
    }

    @Test func `signs next to combining marks cannot end an attribute`() throws {
        let text = HostileText.signs.map { "https://example.org/a\u{D4E}\($0)\u{301} onclick=probe" }
            .joined(separator: " ")
        for tag in try Markup("<p>\(html(text))</p>").tags where tag.hasPrefix("a ") {
            #expect(tag == "a href title target rel")
        }
    }

    @Test(arguments: [
        "*", "_", "~", "`", "[", "]", "](", "[*", "*a_b~~", "@a", ":", "h", "https://", "[x](https://a)",
        "\\", ">\n",
        "```\n", "/", "`` ` ``` ",
    ])
    func `sixteen kilobytes of any sign are rendered as fast as letters`(sign: String) {
        let text = String(repeating: sign, count: 16_384 / sign.utf8.count)
        let clock = ContinuousClock()
        let time = clock.measure { _ = html(text, members: ["a"]) }
        // Quadratic time would take seconds.
        #expect(time < .milliseconds(800), "\(sign): \(time)")
    }
}
