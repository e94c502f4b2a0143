import Foundation
import TestSupport
import Testing

@testable import ArticleText

@Suite struct ExtractionRuleTests {
    @Test func `the text is the article's paragraphs, one per line, without menus and footers`() throws {
        let article = try SamplePage.extract()
        let lines = article.text.split(separator: "\n").map(String.init)
        #expect(lines.filter { $0 != "The keeper of the light" } == SamplePage.paragraphs)
        #expect(!article.markup.html.contains("Privacy"))
        #expect(article.kind == .article)
    }

    @Test(arguments: [
        (
            "<aside class='related-posts'><h3>Related articles</h3><ul><li><a href='/a'>Ten boats for sale</a></li><li><a href='/b'>The best harbours of the coast</a></li></ul></aside>",
            "Ten boats"
        ),
        (
            "<div class='share-buttons'><a href='/f'>Share on Facebook</a> <a href='/t'>Tweet</a> <a href='/e'>Email</a></div>",
            "Facebook"
        ),
        (
            "<div class='newsletter-signup'><h3>Subscribe to our newsletter</h3><form><label>Email address</label><input><button>Sign up</button></form></div>",
            "newsletter"
        ),
        (
            "<div id='comments' class='comments-area'><h3>Leave a Reply</h3><form class='comment-form'><label>Name</label><input><label>Comment</label><textarea></textarea><button>Post comment</button></form></div>",
            "Reply"
        ),
        (
            "<div class='cookie-banner' role='dialog'><p>We use cookies to improve your experience.</p><button>Accept all</button><button>Manage preferences</button></div>",
            "cookies"
        ),
    ])
    func `content around an article is dropped`(noise: String, phrase: String) throws {
        let article = try SamplePage.extract(after: noise)
        #expect(!article.text.contains(phrase))
        #expect(!article.markup.html.contains(phrase))
        #expect(SamplePage.paragraphs.allSatisfy { article.text.contains($0) })
    }

    @Test func `a cookie notice before the article is dropped`() throws {
        let notice =
            "<div id='cookie-consent'><p>This website uses cookies to ensure you get the best experience.</p><button>Got it</button></div>"
        #expect(!(try SamplePage.extract(before: notice).text.contains("cookies")))
    }

    @Test func `a list stays a list`() throws {
        let article = try SamplePage.extract(
            inside:
                "<p>These are the things that he had lost in the storm, as he wrote them down:</p><ol><li>The roof of the boathouse, which was new</li><li>Two boats and all their oars</li><li>The pier that his father built</li></ol>"
        )
        #expect(
            article.markup.html.contains("<ol><li>The roof of the boathouse, which was new</li><li>Two boats")
        )
        #expect(article.text.contains("\nTwo boats and all their oars\n"))
    }

    @Test func `a table stays a table, with a line per row`() throws {
        let article = try SamplePage.extract(
            inside:
                "<p>The harbour office published what the storms of these years had cost:</p><table><thead><tr><th>Year</th><th>Boats lost</th></tr></thead><tbody><tr><td>1931</td><td>Twelve boats and a pier</td></tr><tr><td>1932</td><td>Seven boats</td></tr></tbody></table>"
        )
        #expect(article.markup.html.contains("<tr><td>1931</td><td>Twelve boats and a pier</td></tr>"))
        #expect(article.text.contains("\n1931\tTwelve boats and a pier\n"))
    }

    @Test func `code keeps its lines and its spaces`() throws {
        let code = "func light() {\n    lamp.turn(on: true)\n}"
        let article = try SamplePage.extract(
            inside:
                "<p>Today a small program turns the lamp on when it becomes dark:</p><pre><code>\(code)</code></pre>"
        )
        #expect(article.markup.html.contains("<pre><code>\(code)</code></pre>"))
        #expect(article.text.contains("\n\(code)\n"))
    }

    @Test func `headings and quotations keep their elements`() throws {
        let article = try SamplePage.extract(
            inside:
                "<h2>What the storm took</h2><blockquote><p>It was the worst night that I have seen, and I have seen many of them here.</p></blockquote>"
        )
        #expect(article.markup.html.contains("<h2>What the storm took</h2>"))
        #expect(article.markup.html.contains("<blockquote><p>It was the worst night"))
    }

    @Test(arguments: [
        ("<img src='/light.jpg' alt='The tower'>", "https://paper.example/light.jpg"),
        ("<img src='light.jpg'>", "https://paper.example/2025/09/04/light.jpg"),
        (
            "<img src='data:image/gif;base64,R0lGOD' data-src='//cdn.example/a.jpg'>",
            "https://cdn.example/a.jpg"
        ),
        ("<img src='/blank.gif' data-lazy-src='/real.jpg'>", "https://paper.example/real.jpg"),
        ("<img data-srcset='/s.jpg 480w, /l.jpg 960w'>", "https://paper.example/l.jpg"),
        ("<img srcset='/s.jpg 1x, /l.jpg 2x'>", "https://paper.example/l.jpg"),
        (
            "<img src='data:image/gif;base64,R0'><noscript><img src='/real.jpg'></noscript>",
            "https://paper.example/real.jpg"
        ),
        (
            "<picture><source srcset='/wide.webp 900w'><img src='/placeholder.png'></picture>",
            "https://paper.example/wide.webp"
        ),
    ])
    func `a picture has its own address, even if a script would set it`(
        picture: String, url: String
    ) throws {
        let article = try SamplePage.extract(
            inside: "<figure>\(picture)<figcaption>The tower in the evening light</figcaption></figure>")
        #expect(article.markup.html.contains("<img src=\"\(url)\""))
        #expect(article.markup.html.components(separatedBy: "<img").count == 2)
        #expect(article.leadImage == url)
    }

    @Test(arguments: [
        "<img src='/p.gif' width=1 height=1>", "<img src='data:image/png;base64,AAAA'>",
        "<img src='javascript:x'>",
    ])
    func `tracking pixels and empty pictures are dropped`(picture: String) throws {
        #expect(
            !(try SamplePage.extract(inside: "<p>\(SamplePage.paragraphs[0]) \(picture)</p>").markup.html
                .contains("<img")))
    }

    @Test func `links are absolute and use only safe schemes`() throws {
        let html = try SamplePage.extract(
            inside:
                "<p>He kept <a href='../log.html'>a log</a>, and <a href='#note'>a note</a> on <a href='javascript:steal()'>the lamp</a> and <a href='data:text/html,x'>the lenses</a>, for <a href='mailto:office@paper.example'>the office</a> of the harbour.</p>"
        ).markup.html
        #expect(html.contains("href=\"https://paper.example/2025/09/log.html\""))
        #expect(html.contains("href=\"#article-note\""))
        #expect(html.contains("href=\"mailto:office@paper.example\""))
        #expect(html.contains("the lamp") && html.contains("the lenses"))
        #expect(!html.contains("javascript:") && !html.contains("data:"))
    }

    @Test func `a base element sets where relative addresses start`() throws {
        let article = try SamplePage.extract(
            inside:
                "<p>He kept <a href='log.html'>a log</a> of all the ships that passed the tower in these years.</p>",
            head: "<base href='/files/'>")
        #expect(article.markup.html.contains("href=\"https://paper.example/files/log.html\""))
    }

    @Test(arguments: [
        "<div style='display: none'>", "<div hidden>", "<div style='color:red;visibility:hidden'>",
    ])
    func `hidden content is dropped`(open: String) throws {
        let article = try SamplePage.extract(
            inside:
                "\(open)<p>This paragraph was never meant to be seen by anybody who reads the page in a browser.</p></div>"
        )
        #expect(!article.text.contains("never meant to be seen"))
        #expect(!article.markup.html.contains("never meant to be seen"))
    }

    @Test func `a thread keeps all its posts`() throws {
        let posts = (0..<6).map { number in
            "<div class='post'><div class='post-author'><a href='/u/\(number)'>user\(number)</a></div><div class='post-body'><p>Answer number \(number): \(SamplePage.paragraphs[number % 4])</p></div><div class='post-actions'><a href='/r'>Reply</a> <a href='/q'>Quote</a></div></div>"
        }
        let article = try ArticleExtractor.extract(
            "<html><head><title>How do I clean a lens? - Lamp forum</title></head><body>\(SamplePage.menu)<h1>How do I clean a lens?</h1><div class='posts thread'>\(posts.joined())</div>\(SamplePage.footer)</body></html>"
                .utf8,
            charset: nil, url: "https://forum.example/forum/threads/how-do-i-clean-a-lens.123/")
        for number in 0..<6 { #expect(article.text.contains("Answer number \(number):")) }
        #expect(!article.text.contains("Privacy"))
    }

    @Test func `posts inside noscript are read`() throws {
        let posts = (0..<3).map { "<div class='post'><p>\(SamplePage.paragraphs[$0])</p></div>" }
        let article = try SamplePage.extract(
            "<html><head><title>A question</title></head><body><div id='main'></div><noscript><div class='topic'><h1>A question</h1>\(posts.joined())</div></noscript></body></html>"
        )
        #expect(article.text.contains(SamplePage.paragraphs[0]))
        #expect(article.text.contains(SamplePage.paragraphs[2]))
    }

    @Test func `script in any field stays plain text`() throws {
        let bad = "&lt;script&gt;alert(1)&lt;/script&gt;\"'><img src=x onerror=alert(1)>"
        let article = try SamplePage.extract(
            inside:
                "<script>alert(2)</script><p onclick='alert(3)' style='color:red' class='x'>He wrote &lt;script&gt;alert(1)&lt;/script&gt; into the log, and nobody in the office could say why he did so.</p><svg><script>alert(4)</script></svg><iframe src='https://evil.example'></iframe>",
            head:
                "<meta property='og:title' content='\(bad.replacing("'", with: "&#39;"))'><meta name='author' content='&lt;b onload=x&gt;'>"
        )
        let html = article.markup.html
        #expect(html.contains("He wrote &lt;script&gt;alert(1)&lt;/script&gt; into"))
        #expect(
            !html.contains("<script") && !html.contains("onclick") && !html.contains("style=")
                && !html.contains("<iframe"))
        #expect(!article.text.contains("alert(2)") && !article.text.contains("alert(4)"))
    }

    @Test func `the same page gives the same result`() throws {
        let first = try SamplePage.extract(inside: "<ul><li>One thing</li></ul>")
        for _ in 0..<5 { #expect(try SamplePage.extract(inside: "<ul><li>One thing</li></ul>") == first) }
    }

    @Test(arguments: ["", " ", "<html></html>", "<p></p>", "<script>x</script>", "no tags"])
    func `an empty page gives an empty article, or the little that it has`(html: String) throws {
        let article = try ArticleExtractor.extract(html.utf8, charset: nil, url: nil)
        #expect(article.text.isEmpty || article.text == "no tags")
    }
}
