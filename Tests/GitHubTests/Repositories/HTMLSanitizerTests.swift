import Foundation
import Testing

@testable import ArticleText
@testable import GitHub

/// What remains of a README as GitHub renders it.
@Suite struct HTMLSanitizerTests {
    @Test func `a README as GitHub renders it keeps all its content`() throws {
        let html = """
            <div id="readme" class="md" data-path="README.md"><article class="markdown-body" itemprop="text">\
            <div class="markdown-heading" dir="auto"><h1 tabindex="-1" class="heading-element" dir="auto">Hello</h1>\
            <a id="user-content-hello" class="anchor" aria-label="Permalink: Hello" href="#hello">\
            <svg class="octicon"><path d="m7 3"></path></svg></a></div>\
            <p dir="auto">See <a href="docs/guide.md">the guide</a> &amp; <code>x &lt; y</code>.</p>\
            <div class="highlight highlight-source-swift" dir="auto"><pre><span class="pl-k">let</span> \
            <span class="pl-s1">a</span> = <span class="pl-c1">1</span></pre></div></article></div>
            """
        #expect(
            try ReadmeFixture.shown(html) == """
                <div id="readme-readme"><div dir="auto"><h3 dir="auto">Hello</h3><a id="readme-hello"></a></div>\
                <p dir="auto">See <a href="https://github.com/octocat/Hello-World/blob/main/docs/guide.md" \
                rel="noopener noreferrer nofollow ugc" target="_blank">the guide</a> &amp; <code>x &lt; y</code>.</p>\
                <div dir="auto"><pre><span class="code-keyword">let</span> \
                <span class="code-variable">a</span> = <span class="code-constant">1</span></pre></div></div>
                """)
    }

    @Test(arguments: [
        (
            "<h1>a</h1><h2>b</h2><h3>c</h3><h4>d</h4><h6>e</h6>",
            "<h3>a</h3><h4>b</h4><h5>c</h5><h6>d</h6><h6>e</h6>"
        ),
        (
            "<ul><li>a</li></ul><ol start=3 type=i><li value=x>b</li></ol>",
            "<ul><li>a</li></ul><ol start=\"3\" type=\"i\"><li>b</li></ol>"
        ),
        (
            "<table><thead><tr><th align=RIGHT scope=col>a</th></tr></thead><tbody><tr><td colspan=2>b</td></tr></tbody></table>",
            "<table><thead><tr><th align=\"right\" scope=\"col\">a</th></tr></thead><tbody><tr><td colspan=\"2\">b</td></tr></tbody></table>"
        ),
        (
            "<details open><summary>s</summary><p>t</p></details>",
            "<details open=\"\"><summary>s</summary><p>t</p></details>"
        ),
        ("<p dir=rtl lang=he>שלום</p>", "<p dir=\"rtl\" lang=\"he\">שלום</p>"),
        (
            "<blockquote><p>q</p></blockquote><hr><p>a<br>b</p>",
            "<blockquote><p>q</p></blockquote><hr><p>a<br>b</p>"
        ),
        (
            "<p><g-emoji class=g-emoji>🚀</g-emoji> <kbd>k</kbd><sup>1</sup><strike>s</strike><tt>t</tt></p>",
            "<p>🚀 <kbd>k</kbd><sup>1</sup><s>s</s><code>t</code></p>"
        ),
        ("<center>c</center>", "<div align=\"center\">c</div>"),
        ("<dl><dt>t</dt><dd>d</dd></dl>", "<dl><dt>t</dt><dd>d</dd></dl>"),
    ])
    func `permitted elements are kept, under Roost's names`(html: String, shown: String) throws {
        #expect(try ReadmeFixture.shown(html) == shown)
    }

    @Test func `the checkboxes of a task list become symbols with a label`() throws {
        let html =
            "<ul class=contains-task-list><li class=task-list-item><input type=checkbox disabled checked> a</li>"
            + "<li><input type=checkbox> b</li><li><input type=text value=x>c</li></ul>"
        #expect(
            try ReadmeFixture.shown(html) == """
                <ul><li><span role="img" aria-label="Done">☑</span> a</li>\
                <li><span role="img" aria-label="To do">☐</span> b</li><li>c</li></ul>
                """)
    }

    @Test(arguments: [
        ("<li>x</li>", "<div>x</div>"), ("<div><dt>x</dt></div>", "<div><div>x</div></div>"),
        ("<summary>x</summary>", "<div>x</div>"), ("<td>x</td>", "x"), ("<tr><td>x</td></tr>", "x"),
        ("<table><div>x</div></table>", ""),
        ("<table><tr><p>x</p>y<img src=z></tr></table>", ""),
        ("<h1>a<h2>b</h2></h1><h2><div><h3>c</h3></div></h2>", nil),
        ("<p><b><h1>x</h1></b>y</p>", nil),
        ("<p>a<span dir=ltr><div>b</div></span>c</p>", "<p>a<span dir=\"ltr\">b</span>c</p>"),
        ("<table><tr><td><p>a<b><hr>", "<table><tr><td><p>a<b></b></p></td></tr></table>"),
        ("<a href=//a.b/>1<span dir=ltr><a href=//c.d/>2</a></span></a>", nil),
    ])
    func `elements that a browser would move are removed or closed`(html: String, shown: String?) throws {
        let markup = try ReadmeFixture.shown(html)
        try StrictMarkup.check(ReadmeFixture.clean(html))
        if let shown { #expect(markup == shown) }
        #expect(markup.components(separatedBy: "<a ").count <= 2)
    }

    @Test func `a link without visible content is removed, but its id stays as a target`() throws {
        #expect(try ReadmeFixture.shown("<p>a<a href=x><b></b> </a>b</p>") == "<p>a<b></b> b</p>")
        #expect(
            try ReadmeFixture.shown("<p>a<a id=t href=x></a>b</p>") == "<p>a<a id=\"readme-t\"></a>b</p>")
        #expect(try ReadmeFixture.shown("<p>a<a name=t></a>b</p>") == "<p>a<a id=\"readme-t\"></a>b</p>")
    }

    @Test func `every id appears once, with a prefix that no id of the page has`() throws {
        let html = "<h2 id=top>a</h2><h2 id=top>b</h2><h2 id='user-content-x y'>c</h2><h2 id=' '>d</h2>"
        #expect(
            try ReadmeFixture.shown(html)
                == "<h4 id=\"readme-top\">a</h4><h4>b</h4><h4 id=\"readme-xy\">c</h4><h4>d</h4>")
    }

    @Test func `pictures are separate parts, with their alternative text and sizes`() throws {
        let html = """
            <p align="center"><img src="logo.png" alt="A &amp; B" width="200" height="100px" style="x">\
            <a href="https://ci.example.org"><img src="https://camo.githubusercontent.com/ab/cd" alt="" \
            data-canonical-src="https://img.shields.io/badge/build%20status.svg?x=1"></a>\
            <picture><source srcset="dark.png"><img src="light.png" width="50%"></picture></p>
            """
        let readme = try ReadmeFixture.clean(html)
        #expect(
            readme.pictures == [
                .init(
                    url: "https://raw.githubusercontent.com/octocat/Hello-World/main/logo.png", alt: "A & B",
                    width: 200,
                    height: 100),
                .init(url: "https://camo.githubusercontent.com/ab/cd", alt: "build status"),
                .init(url: "https://raw.githubusercontent.com/octocat/Hello-World/main/light.png", alt: ""),
            ])
        guard case .markup("<p align=\"center\">") = readme.parts.first else {
            Issue.record("\(readme.parts)")
            return
        }
    }

    @Test func `an invalid picture leaves its alternative text`() throws {
        for src in ["data:image/png;base64,AAAA", "javascript:x", "", "blob:x", "#x", "mailto:a@b.c"] {
            #expect(
                try ReadmeFixture.shown("<p><img src='\(src)' alt='words <b>'></p>")
                    == "<p>words &lt;b&gt;</p>"
            )
        }
    }

    @Test func `after two hundred pictures only their alternative texts are kept`() throws {
        let html = (0..<250).map { "<img src=\($0).png alt='p\($0)'>" }.joined(separator: " ")
        let readme = try ReadmeFixture.clean(html)
        #expect(readme.pictures.count == 200)
        #expect(readme.pictures.last?.alt == "p199")
        #expect(readme.markup.contains("p200 p201"))
    }

    @Test func `a README without visible content has no parts`() throws {
        for html in ["", " ", "<article></article>", "<svg>x</svg>", "<p> </p>", "<!-- x -->"] {
            #expect(try ReadmeFixture.clean(html) == Readme(parts: []), "\(html)")
        }
    }
}
