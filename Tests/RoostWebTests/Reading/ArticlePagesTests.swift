import Foundation
import Testing

@testable import HTTPClient
@testable import Reading
@testable import ReadingWeb
@testable import TextFormats

/// The page of one article, in a browser without scripts.
@Suite struct ArticlePagesTests {
    @Test func `an article's page shows its text, its language and its original`() async throws {
        try await ReadingFixture.with { reading in
            let page = try await reading.page()
            let main = try #require(page.firstMatch(of: #/<main [^>]*>/#)).output
            #expect(main.contains("data-article=\"\(reading.id)\""))
            #expect(main.contains("data-progress=\"0.00\""))
            #expect(
                page.contains(
                    "<article class=\"reader text-4 width-normal font-serif\" lang=\"en\" dir=\"ltr\""))
            #expect(page.contains("<div class=\"body\">"))
            #expect(page.contains("a heavy weight &amp; a wheel"))
            let original = try #require(page.firstMatch(of: #/<a class="original"[^>]*>/#)).output
            #expect(original.contains("href=\"\(ReadingFixture.url)\""))
            #expect(original.contains("rel=\"noopener noreferrer\""))
        }
    }

    @Test func `viewing an article does not change it`() async throws {
        try await ReadingFixture.with { reading in
            let before = try await reading.item()
            _ = try await reading.page()
            #expect(try await reading.item() == before)
        }
    }

    @Test func `the reading position is remembered`() async throws {
        try await ReadingFixture.with { reading in
            let answer = try await reading.post("\(reading.path)/progress", [("progress", "0.4321")])
            #expect(answer.status == 204)
            #expect(try await reading.page().contains("data-progress=\"0.43\""))
            #expect(
                try await reading.page("/reading").contains(
                    "<progress class=\"progress\" max=\"100\" value=\"43\""))
            let wrong = try await reading.post("\(reading.path)/progress", [("progress", "2")])
            #expect(wrong.status == 422)
        }
    }

    @Test func `a quoted passage is highlighted and marked in the text`() async throws {
        try await ReadingFixture.with { reading in
            let highlight = try await reading.highlight(note: "How <heavy>?")
            let page = try await reading.page()
            let marked = try #require(
                page.firstMatch(
                    of:
                        #/<mark class="highlight" id="highlight-([^"]+)" data-highlight="([^"]+)">([^<]*)<\/mark>/#
                ))
            #expect(marked.1 == highlight.id && marked.2 == highlight.id)
            #expect(marked.3 == "a heavy weight &amp; a wheel that turns slowly")
            #expect(page.contains("href=\"#highlight-\(highlight.id)\""))
            #expect(page.contains("How &lt;heavy&gt;?"))
        }
    }

    @Test func `a script's highlight has its offsets`() async throws {
        try await ReadingFixture.with { reading in
            let article = try await reading.services.reading.articles.reading(reading.id, for: reading.ada)
            let text = MarkupText(try #require(article.markup))
            let range = try #require(text.range(quoting: ReadingFixture.quote))
            let answer = try await reading.post(
                "\(reading.path)/highlights",
                [
                    ("quote", ReadingFixture.quote), ("start", "\(range.lowerBound)"),
                    ("end", "\(range.upperBound)"), ("before", "needs "), ("after", ","), ("note", ""),
                ])
            #expect(answer.status == 303)
            let stored = try await reading.services.reading.articles.highlights(
                of: reading.id, for: reading.ada)
            #expect(stored.map(\.start) == [range.lowerBound])
            #expect(stored.map(\.end) == [range.upperBound])
        }
    }

    @Test func `a passage that is not in the text is refused at its field, and stays there`()
        async throws
    {
        try await ReadingFixture.with { reading in
            let answer = try await reading.post(
                "\(reading.path)/highlights", [("quote", "no such <words>"), ("note", "but a note")])
            #expect(answer.status == 422)
            #expect(answer.text.contains("id=\"quote-error\""))
            #expect(answer.text.contains("no such &lt;words&gt;</textarea>"))
            #expect(answer.text.contains("but a note</textarea>"))
        }
    }

    @Test func `a note is changed, unless another tab has changed it first`() async throws {
        try await ReadingFixture.with { reading in
            let highlight = try await reading.highlight(note: "First")
            let path = "\(reading.path)/highlights/\(highlight.id)/edit"
            let seen = ISO8601.milliseconds(highlight.updatedAt)
            try await Task.sleep(for: .milliseconds(2))  // The version has milliseconds.
            let changed = try await reading.post(path, [("note", "Second"), ("updatedAt", seen)])
            #expect(changed.status == 303)
            let stored = try await reading.services.reading.articles.highlights(
                of: reading.id, for: reading.ada)
            try #require(stored.first?.note == "Second")
            let late = try await reading.post(path, [("note", "Third"), ("updatedAt", seen)])
            #expect(late.status == 409)
            #expect(late.text.contains("Second") && late.text.contains("Third</textarea>"))
        }
    }

    @Test func `removing a highlight can be undone`() async throws {
        try await ReadingFixture.with { reading in
            let highlight = try await reading.highlight()
            let answer = try await reading.post("\(reading.path)/highlights/\(highlight.id)/delete")
            #expect(try await !reading.page().contains("<mark class"))
            try await reading.post(try #require(try await reading.undo(after: answer)))
            #expect(try await reading.page().contains("data-highlight=\"\(highlight.id)\""))
        }
    }

    @Test func `title, category and tags are edited`() async throws {
        try await ReadingFixture.with { reading in
            let form = try await reading.page("\(reading.path)/edit")
            let seen = try #require(form.firstMatch(of: #/name="updatedAt" value="([^"]*)"/#)).1
            let answer = try await reading.post(
                "\(reading.path)/edit",
                [("title", "Towers"), ("category", "Clocks"), ("tags", "a, b"), ("updatedAt", "\(seen)")])
            #expect(answer.status == 303)
            let item = try await reading.item()
            #expect(item.title == "Towers" && item.category == "Clocks")
            #expect(item.tags == ["a", "b"])
        }
    }

    @Test func `a late edit shows both versions, and the user chooses`() async throws {
        try await ReadingFixture.with { reading in
            let old = ISO8601.milliseconds(try await reading.item().updatedAt - 60)
            let answer = try await reading.post(
                "\(reading.path)/edit", [("title", "Mine <x>"), ("tags", "t"), ("updatedAt", old)])
            #expect(answer.status == 409)
            let submitted = answer.text.matches(of: #/<td class="yours" dir="auto">([^<]*)<\/td>/#).map {
                $0.1
            }
            let current = answer.text.matches(of: #/<td class="current" dir="auto">([^<]*)<\/td>/#).map {
                $0.1
            }
            #expect(submitted.first == "Mine &lt;x&gt;")
            #expect(current.first == "How a tower clock keeps time")
            #expect(answer.text.contains("value=\"Mine &lt;x&gt;\""))
            #expect(try await reading.item().title == "How a tower clock keeps time")
            let seen = try #require(answer.text.firstMatch(of: #/name="updatedAt" value="([^"]*)"/#)).1
            let again = try await reading.post(
                "\(reading.path)/edit", [("title", "Mine"), ("tags", "t"), ("updatedAt", "\(seen)")])
            #expect(again.status == 303)
            #expect(try await reading.item().title == "Mine")
        }
    }

    @Test func `a refused form keeps what was typed, with the reason at its field`() async throws {
        try await ReadingFixture.with { reading in
            let long = String(repeating: "t", count: 60)
            let answer = try await reading.post(
                "\(reading.path)/edit", [("title", "New"), ("category", ""), ("tags", long)])
            #expect(answer.status == 422)
            #expect(answer.text.contains("id=\"tags-error\""))
            #expect(answer.text.contains("value=\"New\"") && answer.text.contains("value=\"\(long)\""))
        }
    }

    @Test func `a gist is created and shown above the article`() async throws {
        try await ReadingFixture.with { reading in
            let before = try await reading.page()
            #expect(before.contains("formaction=\"\(reading.path)/gist\""))
            try await reading.post("\(reading.path)/gist", [("length", "sentences-1")])
            let page = try await reading.page()
            let gist = try #require(page.firstRange(of: "<section class=\"gist"))
            let body = try #require(page.firstRange(of: "<div class=\"body\">"))
            #expect(gist.lowerBound < body.lowerBound)
        }
    }

    @Test func `one article or several are exported as EPUB`() async throws {
        try await ReadingFixture.with { reading in
            for path in [
                "\(reading.path).epub", "/reading/selection.epub?id=\(reading.id)",
                "/reading/selection.epub?all=list%3Dall",
            ] {
                let answer = try await reading.testServer.send("GET", path)
                #expect(answer.status == 200, "\(path)")
                #expect(answer.headers["Content-Type"] == "application/epub+zip", "\(path)")
                #expect(answer.headers["Content-Disposition"]?.contains(".epub") == true, "\(path)")
                #expect(answer.body.starts(with: "PK".utf8), "\(path)")
            }
            #expect(try await reading.testServer.send("GET", "/reading/selection.epub").status == 422)
        }
    }

    @Test func `states without text say why, and what to do`() {
        let failed = rendered(ArticleTextView.failedSample)
        #expect(failed.contains("The site refused access (403)."))
        #expect(failed.contains("formaction=\"/reading/4/fetch\""))
        #expect(failed.contains("href=\"/reading/tools#bookmarklet\""))
        let waiting = rendered(ArticleTextView.waitingSample)
        #expect(waiting.contains("Roost is fetching this page."))
        #expect(waiting.contains("The site did not answer in time."))
    }

    @Test(arguments: [
        ("javascript:alert(1)", false), ("data:text/html,x", false), ("https://example.org/", true),
        ("HTTP://example.org/", true), ("ftp://example.org/", false),
    ])
    func `only a page on the web is shown as an original`(address: String, isShown: Bool) throws {
        var item = ArticleItem.samples[0]
        item.url = address
        let view = ArticleTextView(
            ReadingArticle(item: item), preferences: ReadingPreferences(), colleagues: ColleagueChoices([]),
            link: "/reading/1")
        #expect(rendered(view).contains("class=\"original\"") == isShown)
    }

    @Test func `a PDF says how many pages it has, or how Roost could read it`() {
        var item = ArticleItem.samples[0]
        item.pages = 12
        let text = ArticleTextView(
            ReadingArticle(item: item, markup: "<p>a</p>"), preferences: ReadingPreferences(),
            colleagues: ColleagueChoices([]), link: "/reading/1")
        #expect(rendered(text).contains(" · 12 pages"))
        (item.fetch, item.mediaType) = (.link, "application/pdf")
        let link = ArticleTextView(
            ReadingArticle(item: item), preferences: ReadingPreferences(), colleagues: ColleagueChoices([]),
            link: "/reading/1")
        #expect(rendered(link).contains("poppler-utils"))
        item.mediaType = "image/png"
        let picture = ArticleTextView(
            ReadingArticle(item: item), preferences: ReadingPreferences(), colleagues: ColleagueChoices([]),
            link: "/reading/1")
        #expect(!rendered(picture).contains("poppler-utils"))
    }

    @Test func `the model's words change the gist above a text, not the text`() {
        func view(_ gist: GistItem) -> ArticleTextView {
            ArticleTextView(
                ReadingArticle(item: ArticleItem.samples[0], markup: "<p>a</p>", gist: gist),
                preferences: ReadingPreferences(), colleagues: ColleagueChoices([]), link: "/reading/1")
        }
        var gist = GistItem.samples[0]
        gist.modelLength = .automatic
        let before = view(gist)
        (gist.isBeingWritten, gist.draft) = (true, "First words")
        let after = view(gist)
        #expect(after.fingerprint == before.fingerprint)
        #expect(after.gistView.fingerprint != before.gistView.fingerprint)
        let page = rendered(after)
        let live = "data-live=\"/reading/\(after.item.id)/gist-text\" data-topics=\"gist-drafts\""
        #expect(page.contains(live))
        #expect(page.contains("First words …"))
    }

    @Test func `comments from the page are below the text, closed`() {
        let view = ArticleTextView(
            ReadingArticle(item: ArticleItem.samples[0], markup: "<p>a</p>", comments: "<p>So true</p>"),
            preferences: ReadingPreferences(), colleagues: ColleagueChoices([]), link: "/reading/1")
        let page = rendered(view)
        let parts = page.components(
            separatedBy: "<details class=\"page-comments\" id=\"page-comments\"><summary")
        #expect(parts.count == 2)
        #expect(parts[0].contains("<p>a</p>") && !parts[0].contains("So true"))
        #expect(parts.last?.contains("<p>So true</p>") == true)
    }

    @Test func `a right-to-left text is shown right to left`() {
        var item = ArticleItem.samples[0]
        item.language = "ar-EG"
        let view = ArticleTextView(
            ReadingArticle(item: item, markup: "<p>a</p>"), preferences: ReadingPreferences(),
            colleagues: ColleagueChoices([]), link: "/reading/1")
        #expect(rendered(view).contains("lang=\"ar-EG\" dir=\"rtl\""))
        item.language = "\"><script>"
        let odd = ArticleTextView(
            ReadingArticle(item: item), preferences: ReadingPreferences(), colleagues: ColleagueChoices([]),
            link: "/reading/1")
        #expect(!rendered(odd).contains("script"))
    }
}
