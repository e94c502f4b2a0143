import Foundation
import TestSupport
import Testing

@testable import Reading
@testable import RoostServices
@testable import RoostSupport

/// A reading list exported to Roost's own format and imported again is the same in the service.
@Suite(.timeLimit(.minutes(5))) struct FilesLosslessTests {
    private static let page = """
        <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Tools of the trade</title>
        <meta name="author" content="Ada"><meta property="article:published_time" content="2024-05-06T07:08:09Z">
        <meta property="og:image" content="/p.png"></head><body><main><article><h1>Tools of the trade</h1>
        <p>A long first paragraph that says what this is about, with <a href="/b?x=1&amp;y=é#z">a link</a>, a
        <a href="#notes:1">place</a> and <b>bold words</b>, so that there is something to read for everybody.</p>
        <h2 id="notes:1">Code &amp; tables</h2>
        <pre><code>
        func main() {
            print("{{a}} &lt;b&gt; 'c'")

            exit(0)
        }
        </code></pre>
        <table><tr><th>Name</th><th>Year</th></tr><tr><td>Lantern</td><td>1904</td></tr>
        <tr><td>Boat</td><td>1911</td></tr></table>
        <ul><li>One <i>item</i> of the list that is long enough</li><li>Another item of the list</li></ul>
        <p><b><div>A block in bold</div></b> and the end of this longer paragraph that closes the article for today,
        with a picture: <img src="/p.png?a=1&amp;b=2" alt='"Quoted" &amp; more' width="300" height="200"></p>
        <p>日本語の段落です。これは段落として十分に長い文章で、句読点もあります。</p>
        </article></main></body></html>
        """

    /// Everything in a list that pages and programs can see, except ids.
    private func seen(_ services: Services, of user: UserID) async throws -> [String] {
        var lines: [String] = []
        for listed in try await services.reading.articles.list(
            ArticleFilter(list: .all), limit: 500, of: user
        ).items {
            let article = try await services.reading.articles.reading(listed.id, for: user)
            let item = article.item
            let details = item.details
            lines.append(
                [
                    "\(item.url) \(details.title) \(details.category)",
                    "\(details.createdAt) \(details.savedAt) \(item.updatedAt)",
                    "\(String(describing: details.archivedAt)) \(String(describing: details.publishedAt))",
                    "\(details.state) \(details.isFavorite) \(item.tags) \(item.site) \(details.author ?? "-")",
                    "\(details.language ?? "-") \(item.kind ?? "-") \(item.wordCount ?? -1)",
                    "\(String(describing: item.isPartial))",
                    "\(details.excerpt ?? "-") \(details.progress) \(item.fetchState)",
                    "\(item.finalURL ?? "-")", article.markup?.html ?? "-", article.text,
                    article.comments?.html ?? "-",
                    article.highlights.map {
                        "\($0.start) \($0.end) \($0.quote) \($0.before) \($0.after) \($0.note) \($0.createdAt) \($0.updatedAt)"
                    }.joined(separator: "\n"),
                    article.gist.map {
                        "\($0.gist.title) \($0.gist.content) \($0.gist.sourceUrl ?? "-") \($0.gist.category ?? "-") \($0.method) \($0.isEdited) \($0.note ?? "-") \($0.updatedAt)"
                    } ?? "-",
                ].joined(separator: "\n"))
        }
        return lines
    }

    /// A page with readers' comments, one of them an answer.
    private static let commentedPage = ReadingFixture.page("Ferries").replacingOccurrences(
        of: "<footer>",
        with: """
            <div id="comments"><ol class="comment-list"><li class="comment"><article class="comment-body">
            <div class="comment-author"><b class="fn">Grace</b></div><time datetime="2025-09-05">5 September</time>
            <div class="comment-content"><p>I have been there &amp; saw <a href="/b?x=1&amp;y=2">the lantern</a> myself.</p>
            <pre>a &lt;b&gt;
              c</pre></div></article>
            <ol class="children"><li class="comment"><article class="comment-body"><div class="comment-author">
            <b class="fn">Alan</b></div><div class="comment-content"><p>So have I, 日本 <i>twice</i>.</p></div></article></li>
            </ol></li></ol></div><footer>
            """)

    private func roundTrip(_ fixture: ReadingFixture) async throws {
        let services = fixture.services.services
        let file = try await services.reading.exports.export(.json, withTexts: true, of: fixture.ada).bytes()
        let started = try await services.reading.imports.start(
            file, named: "list.json", fetching: false, by: fixture.grace)
        await services.reading.imports.runUntilIdle()
        let done = try await services.reading.imports.find(started.id, for: fixture.grace)
        #expect(done.added == done.total && done.failed == 0)
        #expect(
            try await services.database.read {
                try services.reading.imports.problems($0, of: done.id, for: fixture.grace)
            }.isEmpty)
        let (original, imported) = (
            try await seen(services, of: fixture.ada), try await seen(services, of: fixture.grace)
        )
        #expect(original.count == imported.count)
        for (one, other) in zip(original, imported) where one != other {
            for (line, changed) in zip(one.split(separator: "\n"), other.split(separator: "\n"))
            where line != changed {
                Issue.record("\(line.prefix(300)) became \(changed.prefix(300))")
                break
            }
        }
        let again = try await services.reading.exports.export(.json, withTexts: true, of: fixture.grace)
            .bytes()
        // Except for the time of the export.
        #expect(again.drop { $0 != 0x0A } == file.drop { $0 != 0x0A })
    }

    @Test func `texts, code, tables, headings, highlights, gists, states and times survive a round trip`()
        async throws
    {
        try await withReading { fixture in
            let (reading, ada) = (fixture.reading, fixture.ada)
            fixture.serve([
                "example.org/a": ReadingFixture.html(Self.page),
                "short.example/x": ReadingFixture.redirect(to: "http://example.org/moved"),
                "example.org/moved": ReadingFixture.html(ReadingFixture.page("Lanterns")),
                "example.org/a.pdf": ReadingFixture.Response(
                    headers: ["Content-Type: application/pdf"], body: "%PDF-1.7"),
            ])
            let item = try await fixture.fetched("http://example.org/a")
            fixture.clock.advance(1)
            let moved = try await fixture.fetched("http://short.example/x", title: "My own title")
            fixture.clock.advance(1)
            try await fixture.fetched("http://example.org/a.pdf")
            fixture.clock.advance(1)
            try await fixture.fetched("http://example.org/gone")
            fixture.clock.advance(60)
            try await reading.edit(
                item.id,
                change: .init(
                    category: "Craft", tags: ["wood", "é"], state: .archived, isFavorite: true, progress: 0.25
                ),
                by: ada)
            for (quote, note) in [
                ("first paragraph", "one 😀"), ("bold words", ""), ("something to read", "two\nlines"),
            ] {
                _ = try await reading.addHighlight(
                    NewHighlight(
                        start: 0, end: 1, quote: quote, before: "😀 not before", after: "nor after", note: note
                    ),
                    to: item.id, by: ada)
            }
            _ = try await fixture.gists.make(for: moved.id, by: ada)
            try await reading.edit(moved.id, change: .init(category: "Changed later"), by: ada)
            fixture.clock.advance(60)
            try await roundTrip(fixture)
        }
    }

    @Test func `comments from a page survive a round trip, also when another list has the article`()
        async throws
    {
        try await withReading { fixture in
            let services = fixture.services.services
            fixture.serve(["example.org/c": ReadingFixture.html(Self.commentedPage)])
            let item = try await fixture.fetched("http://example.org/c")
            let comments = try #require(
                try await fixture.reading.reading(item.id, for: fixture.ada).comments?.html)
            #expect(comments.contains("Alan"))
            // Saved, and not fetched yet.
            let saved = try await fixture.reading.save(
                ArticleDraft(url: "http://example.org/c"), by: fixture.grace)
            let file = try await services.reading.exports.export(.json, withTexts: true, of: fixture.ada)
                .bytes()
            _ = try await services.reading.imports.start(
                file, named: "list.json", fetching: false, by: fixture.grace)
            await services.reading.imports.runUntilIdle()
            let merged = try await fixture.reading.reading(saved.item.id, for: fixture.grace)
            #expect(merged.comments?.html == comments)
            let short = try await services.reading.exports.export(.json, withTexts: false, of: fixture.ada)
                .bytes()
            #expect(!String(decoding: short, as: UTF8.self).contains("Alan"))
        }
        try await withReading { fixture in
            fixture.serve(["example.org/c": ReadingFixture.html(Self.commentedPage)])
            try await fixture.fetched("http://example.org/c")
            // An import changes times in the future, and the article's change is a millisecond after its save.
            fixture.clock.advance(1)
            try await roundTrip(fixture)
        }
    }

    @Test(
        arguments: [
            (#"<blockquote><p onclick=\"x()\">one<script>alert(1)</script></p></blockquote>"#, "one"),
            (#"<p>two <img src=\"https://tracker.example/p.png\" alt=\"\"></p>"#, "two"),
            (#"<p>three <a href=\"javascript:x\">link</a></p>"#, "three"),
            ("</div></main><p>four</p>", nil), ("<p>", nil), ("", nil),
        ] as [(String, String?)])
    func `comments in a file that only claims to be Roost's are sanitized`(html: String, kept: String?)
        async throws
    {
        try await withReading { fixture in
            let services = fixture.services.services
            let file =
                #"{"program":"Roost","kind":"reading","version":1,"articles":[{"url":"https://example.org/a","title":"T","#
                + #""content":"<p>Text</p>","text":"Text","comments":"\#(html)"}]}"#
            let started = try await services.reading.imports.start(
                Array(file.utf8), named: "x.json", fetching: false, by: fixture.ada)
            await services.reading.imports.runUntilIdle()
            let items = try await services.reading.articles.list(ArticleFilter(list: .all), of: fixture.ada)
                .items
            let article = try await services.reading.articles.reading(
                try #require(items.first).id, for: fixture.ada)
            #expect(article.text == "Text")
            let comments = article.comments?.html
            #expect((comments != nil) == (kept != nil))
            if let comments, let kept { #expect(comments.contains(kept)) }
            for word in ["onclick", "script", "<img", "tracker"] {
                #expect(comments?.contains(word) != true, "\(word) in \(comments ?? "")")
            }
            let problems = try await services.database.read {
                try services.reading.imports.problems($0, of: started.id, for: fixture.ada)
            }
            #expect(problems.isEmpty == (kept != nil || html.isEmpty))
        }
    }

    @Test func `another program's number of comments is no comment`() async throws {
        try await withReading { fixture in
            let services = fixture.services.services
            let file = #"[{"url":"https://example.org/a","title":"T","comments":12,"slug":"a"}]"#
            _ = try await services.reading.imports.start(
                Array(file.utf8), named: "x.json", fetching: false, by: fixture.ada)
            await services.reading.imports.runUntilIdle()
            let items = try await services.reading.articles.list(ArticleFilter(list: .all), of: fixture.ada)
                .items
            #expect(items.map(\.url) == ["https://example.org/a"])
        }
    }

    @Test func `a task list's checkbox and a long element id survive a round trip`() async throws {
        try await withReading { fixture in
            let services = fixture.services.services
            let content =
                "<ul><li><input type=checkbox checked> done</li><li><input type=checkbox> to do</li></ul><p id=a.b>x</p>"
            let file = #"[{"url":"https://example.org/a","title":"T","content":"\#(content)"}]"#
            _ = try await services.reading.imports.start(
                Array(file.utf8), named: "x.json", fetching: false, by: fixture.ada)
            await services.reading.imports.runUntilIdle()
            try await roundTrip(fixture)
        }
    }

    @Test func `a file that only claims to be Roost's is sanitized`() async throws {
        try await withReading { fixture in
            let services = fixture.services.services
            let hostile = [
                "<p onclick='x()'>one</p>", "<script>alert(1)</script><p>two</p>", "<p>three<script>x",
                "<a href='javascript:x'>four</a>", "<img src=x onerror=alert(1)>five",
                "</div></main><p>six</p>",
                "<p id='content'>seven</p><style>*{}</style>",
                "<a href='https://x.example/' href='javascript:y'>eight</a>",
                "<form action='/x'><input name=a value=nine>nine</form>",
            ]
            let rows = hostile.enumerated().map { index, html in
                let content = html.replacingOccurrences(of: "\"", with: "\\\"")
                return
                    #"{"url":"https://example.org/\#(index)","title":"T","content":"\#(content)","text":"a\u202e\u0000b"}"#
            }
            let file =
                #"{"program":"Roost","kind":"reading","version":1,"articles":["# + rows.joined(separator: ",")
                + "]}"
            _ = try await services.reading.imports.start(
                Array(file.utf8), named: "x.json", fetching: false, by: fixture.ada)
            await services.reading.imports.runUntilIdle()
            let items = try await services.reading.articles.list(ArticleFilter(list: .all), of: fixture.ada)
                .items
            #expect(items.count == hostile.count)
            for item in items {
                let article = try await services.reading.articles.reading(item.id, for: fixture.ada)
                let html = (article.markup?.html ?? "").lowercased()
                for word in [
                    "script", "onclick", "onerror", "javascript", "<style", "<form", "id=\"content\"",
                    "</main",
                ] {
                    #expect(!html.contains(word), "\(word) in \(html)")
                }
                #expect(!article.text.unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\u{0}" })
            }
        }
    }

    @Test(.recordedPages) func `a hundred articles of public sites survive a round trip`() async throws {
        try await withReading { fixture in
            let names = try RecordedPages.names(in: RecordedPages.articles).filter { name in
                FileManager.default.fileExists(
                    atPath: RecordedPages.articles.appending(path: "\(name)/source.html").path)
            }
            #expect(names.count > 100)
            for (index, name) in names.enumerated() {
                let html = try Data(
                    contentsOf: RecordedPages.articles.appending(path: "\(name)/source.html"))
                try await fixture.reading.save(
                    ArticleDraft(url: "http://news.example/\(index)", html: Array(html)), by: fixture.ada)
                fixture.clock.advance(1)
            }
            await fixture.worker.runUntilIdle()
            try await roundTrip(fixture)
        }
    }

    @Test func `a list too long for one file is exported in parts, each article and gist once`()
        async throws
    {
        try await withReading { fixture in
            try fixture.fill(300, words: "some \"quoted\" <words> of a text")
            let services = fixture.services.services
            _ = try await fixture.gists.makeOfText(
                title: "Alone", text: ReadingFixture.page("x"), by: fixture.ada)
            for format in ArticleExport.Format.allCases {
                let limit = 100_000
                let parts = try await services.database.read {
                    try services.reading.exports.parts(
                        $0, withTexts: true, maximumBytes: limit, of: fixture.ada)
                }
                #expect(parts.count > 3)
                var urls: [String] = []
                var gists = 0
                for part in parts {
                    let bytes = try await services.reading.exports.export(
                        format, withTexts: true, part: part, of: fixture.ada
                    ).bytes()
                    #expect(bytes.count < limit)
                    let file = try ArticleImportFile(bytes)
                    urls += file.entries.drafts.map(\.url).filter { !$0.isEmpty }
                    gists += file.entries.rows.count { $0.part == "gists" }
                }
                #expect(urls.count == 300 && Set(urls).count == 300)
                #expect(gists == (format == .json ? 1 : 0))
            }
            #expect(
                try await services.database.read {
                    try services.reading.exports.parts($0, withTexts: true, of: fixture.ada)
                }.count == 1)
        }
    }
}
