import Foundation
import Testing

@testable import Reading
@testable import RoostServices
@testable import RoostSupport

/// Reading lists that go through our own file and are the same afterwards, seen through the service.
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

    /// All that pages and programs can see of a list, but for ids.
    private func seen(_ services: Services, of user: UserID) async throws -> [String] {
        var lines: [String] = []
        for listed in try await services.reading.list(ArticleFilter(list: .all), limit: 500, of: user).items {
            let article = try await services.reading.reading(listed.id, for: user)
            let item = article.item
            lines.append(
                [
                    "\(item.article.url) \(item.article.title) \(item.article.category)",
                    "\(String(describing: item.article.createdAt)) \(item.savedAt) \(item.updatedAt)",
                    "\(String(describing: item.archivedAt)) \(String(describing: item.publishedAt))",
                    "\(item.state) \(item.isFavorite) \(item.tags) \(item.site) \(item.author ?? "-")",
                    "\(item.language ?? "-") \(item.kind ?? "-") \(item.wordCount ?? -1)",
                    "\(item.excerpt ?? "-") \(item.progress) \(item.fetchState)",
                    "\(article.finalURL ?? "-")", article.markup?.html ?? "-", article.text,
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

    private func roundTrip(_ fixture: ReadingFixture) async throws {
        let services = fixture.services.services
        let file = try await services.articleExports.export(.json, withTexts: true, of: fixture.ada).bytes()
        let begun = try await services.articleImports.start(
            file, named: "list.json", fetching: false, by: fixture.grace)
        await services.articleImports.runUntilIdle()
        let done = try await services.articleImports.find(begun.id, for: fixture.grace)
        #expect(done.added == done.total && done.failed == 0)
        #expect(try await services.articleImports.remarks(of: done.id, for: fixture.grace).isEmpty)
        let (mine, theirs) = (
            try await seen(services, of: fixture.ada), try await seen(services, of: fixture.grace)
        )
        #expect(mine.count == theirs.count)
        for (one, other) in zip(mine, theirs) where one != other {
            for (line, changed) in zip(one.split(separator: "\n"), other.split(separator: "\n"))
            where line != changed {
                Issue.record("\(line.prefix(300)) became \(changed.prefix(300))")
                break
            }
        }
        let again = try await services.articleExports.export(.json, withTexts: true, of: fixture.grace)
            .bytes()
        // But for the time at which it was written.
        #expect(again.drop { $0 != 0x0A } == file.drop { $0 != 0x0A })
    }

    @Test func `texts, code, tables, headings, highlights, gists, states and times come back`() async throws {
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

    @Test func `the box of a task list and a place with a long name come back`() async throws {
        try await withReading { fixture in
            let services = fixture.services.services
            let content =
                "<ul><li><input type=checkbox checked> done</li><li><input type=checkbox> to do</li></ul><p id=a.b>x</p>"
            let file = #"[{"url":"https://example.org/a","title":"T","content":"\#(content)"}]"#
            _ = try await services.articleImports.start(
                Array(file.utf8), named: "x.json", fetching: false, by: fixture.ada)
            await services.articleImports.runUntilIdle()
            try await roundTrip(fixture)
        }
    }

    @Test func `a file that says it is ours and is not is cleaned all the same`() async throws {
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
            let rows = hostile.enumerated().map { place, html in
                let content = html.replacingOccurrences(of: "\"", with: "\\\"")
                return
                    #"{"url":"https://example.org/\#(place)","title":"T","content":"\#(content)","text":"a\u202e\u0000b"}"#
            }
            let file =
                #"{"program":"Roost","kind":"reading","version":1,"articles":["# + rows.joined(separator: ",")
                + "]}"
            _ = try await services.articleImports.start(
                Array(file.utf8), named: "x.json", fetching: false, by: fixture.ada)
            await services.articleImports.runUntilIdle()
            let items = try await services.reading.list(ArticleFilter(list: .all), of: fixture.ada).items
            #expect(items.count == hostile.count)
            for item in items {
                let article = try await services.reading.reading(item.id, for: fixture.ada)
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

    @Test(.recordedPages) func `a hundred articles of public sites come back as they were`() async throws {
        try await withReading { fixture in
            let names = try RecordedPages.names(in: RecordedPages.articles).filter { name in
                FileManager.default.fileExists(
                    atPath: RecordedPages.articles.appending(path: "\(name)/source.html").path)
            }
            #expect(names.count > 100)
            for (place, name) in names.enumerated() {
                let html = try Data(
                    contentsOf: RecordedPages.articles.appending(path: "\(name)/source.html"))
                try await fixture.reading.save(
                    NewArticle(url: "http://news.example/\(place)", html: Array(html)), by: fixture.ada)
                fixture.clock.advance(1)
            }
            await fixture.worker.runUntilIdle()
            try await roundTrip(fixture)
        }
    }

    @Test func `a list that is too long for one file comes in parts, each article and gist once`()
        async throws
    {
        try await withReading { fixture in
            try fixture.fill(300, words: "some \"quoted\" <words> of a text")
            let services = fixture.services.services
            _ = try await fixture.gists.makeOfText(
                title: "Alone", text: ReadingFixture.page("x"), by: fixture.ada)
            for format in ArticleExport.Format.allCases {
                let limit = 100_000
                let parts = try await services.articleExports.parts(
                    withTexts: true, maximumBytes: limit, of: fixture.ada)
                #expect(parts.count > 3)
                var urls: [String] = []
                var gists = 0
                for part in parts {
                    let bytes = try await services.articleExports.export(
                        format, withTexts: true, part: part, of: fixture.ada
                    ).bytes()
                    #expect(bytes.count < limit)
                    let file = try ArticleImportFile(bytes)
                    urls += file.rows.map(\.url)
                    gists += file.gists.count
                }
                #expect(urls.count == 300 && Set(urls).count == 300)
                #expect(gists == (format == .json ? 1 : 0))
            }
            #expect(try await services.articleExports.parts(withTexts: true, of: fixture.ada).count == 1)
        }
    }
}
