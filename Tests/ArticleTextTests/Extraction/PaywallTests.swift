import TestSupport
import Testing

@testable import ArticleText

/// A page that says that it is not free, or ends at a notice, has only the beginning of its article.
@Suite struct PaywallTests {
    private static func data(_ members: String) -> String {
        "<script type='application/ld+json'>{\"@type\": \"NewsArticle\", \"headline\": \"x\", \(members)}</script>"
    }

    private static let notice = """
        <div class="article-paywall"><h2>Read the whole story</h2><p>Get all articles for one euro a week.</p>
        <a href="/subscribe">Choose a plan</a></div>
        """

    private func paywall(_ head: String = "", inside: String = "", after: String = "") throws -> Paywall? {
        try SamplePage.extract(inside: inside, after: after, head: head).paywall
    }

    /// A page with as many words as a long article.
    private func long(_ head: String, after: String = "") throws -> ExtractedArticle {
        let text = (0..<8).map { "<p>\(SamplePage.paragraphs[$0 % 4]) Part \($0).</p>" }
        return try SamplePage.extract(
            inside: String(repeating: text.joined(), count: 4), after: after, head: head)
    }

    @Test func `a page without a word about payment is whole`() throws {
        #expect(try paywall() == nil)
    }

    @Test(arguments: [
        data("\"isAccessibleForFree\": false"), data("\"isAccessibleForFree\": \"False\""),
        data("\"isAccessibleForFree\": \"http://schema.org/False\""),
        data(
            "\"isAccessibleForFree\": false, \"hasPart\": {\"@type\": \"WebPageElement\", \"isAccessibleForFree\": false, \"cssSelector\": \".paid\"}"
        ),
        "<meta property='article:content_tier' content='locked'>",
        "<meta itemprop='isAccessibleForFree' content='false'>",
    ])
    func `a short text is cut if the page says that it is not free`(head: String) throws {
        #expect(try paywall(head) == .declared)
    }

    @Test(arguments: [
        data("\"isAccessibleForFree\": true"), data("\"isAccessibleForFree\": \"maybe\""),
        data("\"hasPart\": {\"isAccessibleForFree\": false, \"cssSelector\": \".paid\"}"),
        "<meta property='article:content_tier' content='metered'>",
        "<meta property='article:content_tier' content='free'>",
    ])
    func `a page that does not say so is whole`(head: String) throws {
        #expect(try paywall(head) == nil)
    }

    @Test(arguments: [
        ".entry-content", "main .entry-content", "[\".other\", \"article > .entry-content\"]",
        "#x, .entry-content",
    ])
    func `the text is whole if its paid part is in the page`(selector: String) throws {
        let json = selector.hasPrefix("[") ? selector : "\"\(selector)\""
        let part = "{\"isAccessibleForFree\": false, \"cssSelector\": \(json)}"
        #expect(try paywall(Self.data("\"isAccessibleForFree\": false, \"hasPart\": [\(part)]")) == nil)
    }

    @Test func `the declared length decides whether a text that is not free is cut`() throws {
        let words = try SamplePage.extract().wordCount
        func declared(_ count: String) -> String {
            Self.data("\"isAccessibleForFree\": false, \"wordCount\": \(count)")
        }
        #expect(try paywall(declared("\(words)")) == nil)
        #expect(try paywall(declared("\(3 * words)")) == .declared)
        #expect(try paywall(declared("\"\(3 * words)\"")) == .declared)
        #expect(try paywall(declared("99999999999999999999")) == .declared)
    }

    @Test func `a long text that is not free is whole unless linked data has more of it`() throws {
        let head = Self.data("\"isAccessibleForFree\": false")
        let article = try long(head)
        #expect(article.wordCount > 600 && article.paywall == nil)
        let text = SamplePage.paragraphs.joined(separator: " ")
        let body = String(repeating: text + " ", count: article.wordCount / 20)
        let more = Self.data("\"isAccessibleForFree\": false, \"articleBody\": \"\(body)\"")
        #expect(try long(more).paywall == .declared)
    }

    @Test(arguments: [
        notice,
        "<section id='regwall-offer'><p>One more step to read on.</p><form action='/join'><input name='mail'><button>Join</button></form></section>",
        "<p>Subscribe to continue reading.</p>",
        "<div><p>Diesen Artikel weiterlesen: mit dem Monatszugang für einen Euro.</p></div>",
        "<p>Il vous reste 80 % de cet article à lire. La suite est réservée aux abonnés.</p>",
        "<p>この記事は有料会員限定です。残り 1200 文字。</p>",
    ])
    func `a text that ends at a notice is cut`(notice: String) throws {
        #expect(try paywall(after: notice) == .shown)
    }

    @Test(arguments: [
        "<div class='wallpaper-gallery'><p>Ten pictures of the coast for your wall.</p><a href='/w'>See them</a></div>",
        "<div class='paywall' style='display: none'><p>Get all articles for one euro a week.</p><a href='/s'>Plans</a></div>",
        "<div class='paywall'></div>",
        "<p>Subscribe to our newsletter and sign in to comment on this article.</p>",
        "<ul><li><a href='/b'>Another one: subscribe to continue reading</a></li></ul>",
        "<footer><a href='/subscribe'>Subscribe</a> <a href='/login'>Sign in</a></footer>",
    ])
    func `other elements and offers are no notice`(other: String) throws {
        #expect(try paywall(after: other) == nil)
    }

    @Test func `a notice counts only at the end of a short text`() throws {
        #expect(try paywall(inside: Self.notice) == nil)
        let text = SamplePage.paragraphs.map { "<p>\($0)</p>" }.joined()
        #expect(
            try SamplePage.extract("<main class='paywall'>\(text)<a href='/'>Home</a></main>").paywall == nil)
        #expect(try long("", after: Self.notice).paywall == nil)
    }

    @Test func `a page that is free by its own words is whole in spite of an offer`() throws {
        #expect(try paywall(Self.data("\"isAccessibleForFree\": true"), after: Self.notice) == nil)
    }
}
