import Foundation
import TestSupport
import Testing

@Suite struct PageMetadataTests {
    @Test func `a title does not include the site's name`() throws {
        #expect(try SamplePage.extract().title == "The keeper of the light")
    }

    @Test(arguments: [
        (
            "<meta property='og:title' content='The lamp | Some Paper'><meta property='og:site_name' content='Some Paper'>",
            "The lamp"
        ),
        ("<meta property='og:title' content='A - B: of letters and lamps'>", "A - B: of letters and lamps"),
    ])
    func `the title for sharing is preferred`(head: String, title: String) throws {
        let html =
            "<html><head><title>x</title>\(head)</head><body><p>\(SamplePage.paragraphs[0])</p></body></html>"
        #expect(try SamplePage.extract(html).title == title)
    }

    @Test func `linked data gives author, date and site`() throws {
        let data = """
            <script type="application/ld+json">{"@context": "https://schema.org", "@graph": [{"@type": "WebSite", "name": "The Paper"},
            {"@type": "NewsArticle", "headline": "x", "datePublished": "2025-09-04T10:30:00+02:00",
             "author": [{"@type": "Person", "name": "Ada Lovelace"}, {"@type": "Person", "name": "Grace Hopper"}]}]}</script>
            """
        let article = try SamplePage.extract(head: data)
        #expect(article.byline == "Ada Lovelace, Grace Hopper")
        #expect(article.published == Date(timeIntervalSince1970: 1_756_974_600))
        #expect(article.siteName == "The Paper")
    }

    @Test func `linked data with a line break in a string or without an end does no harm`() throws {
        let broken =
            "<script type='application/ld+json'>{\"@type\": \"Article\", \"author\": {\"name\": \"Ada\nLovelace\"}}</script><script type='application/ld+json'>{\"@type\": </script>"
        #expect(try SamplePage.extract(head: broken).byline == "Ada Lovelace")
    }

    @Test(arguments: [
        ("<meta name='author' content='By Ada Lovelace'>", "Ada Lovelace"),
        ("<meta name='author' content='https://paper.example/ada'>", nil),
    ])
    func `a byline is reduced to the name`(head: String, byline: String?) throws {
        #expect(try SamplePage.extract(head: head).byline == byline)
    }

    @Test(arguments: [
        "<meta property='article:published_time' content='2025-09-04T00:00:00Z'>",
        "<meta name='date' content='2025-09-04'>",
        "<meta name='pubdate' content='September 4, 2025'>",
        "<meta name='dc.date' content='4 Sep 2025'>",
        "<meta name='date' content='20250904'>",
        "<meta name='date' content='Thu, 04 Sep 2025'>",
    ])
    func `a date is parsed in many formats`(head: String) throws {
        #expect(try SamplePage.extract(head: head).published == Date(timeIntervalSince1970: 1_756_944_000))
    }

    @Test func `language, picture, address and excerpt come from the page`() throws {
        let article = try SamplePage.extract(
            head:
                "<link rel=canonical href='/keeper'><meta property='og:image' content='/big.jpg'><meta name=description content='  A keeper\n and his light '>"
        )
        #expect(article.language == "en")
        #expect(article.canonical == "https://paper.example/keeper")
        #expect(article.leadImage == "https://paper.example/big.jpg")
        #expect(article.excerpt == "A keeper and his light")
    }

    @Test func `without a description the excerpt is the beginning of the text`() throws {
        #expect(try SamplePage.extract().excerpt == SamplePage.paragraphs[0])
    }

    @Test(arguments: [
        "javascript:alert(1)", "data:image/png;base64,AA", "ftp://x.example/a", "https://user@evil.example/",
    ])
    func `addresses with other schemes are ignored`(url: String) throws {
        let article = try SamplePage.extract(
            head: "<link rel=canonical href='\(url)'><meta property='og:image' content='\(url)'>")
        #expect(article.canonical == nil)
        #expect(article.leadImage == nil)
    }

    @Test func `words are counted, even without spaces between them`() throws {
        #expect(try SamplePage.extract().wordCount > 90)
        let japanese = String(repeating: "灯台守は毎晩階段を上り、", count: 20)
        let html = "<html lang=ja><body><article><p>\(japanese)</p><p>\(japanese)</p></article></body></html>"
        #expect(try SamplePage.extract(html).wordCount > 100)
    }
}
