import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Reading
@testable import RoostServices
@testable import RoostSupport

@Suite(.timeLimit(.minutes(3))) struct ArticleQueueTests {
    private typealias Response = ScriptedUpstream.Response

    @Test func `a saved page gets its title, text and metadata`() async throws {
        try await withReading { fixture in
            fixture.serve(["www.example.org/a": ReadingFixture.page("Lanterns of the north")])
            let item = try await fixture.fetched("http://www.example.org/a")
            #expect(item.fetchState == .fetched)
            #expect(item.title == "Lanterns of the north")
            #expect(item.site == "example.org" && item.language == "en")
            #expect(item.minutes == 1 && (item.wordCount ?? 0) > 100)
            #expect(item.excerpt?.isEmpty == false)
            let page = try await fixture.reading.reading(item.id, for: fixture.ada)
            #expect(page.text.contains("The harbour was quiet"))
            #expect(page.markup?.html.contains("<p>") == true)
            #expect(page.markup?.html.contains("<nav") == false)
        }
    }

    @Test func `readers' comments are kept apart from the text, its words, its gist and the search`()
        async throws
    {
        try await withReading { fixture in
            let comments = """
                <ol class="comment-list"><li class="comment" id="comment-1"><p>Grace</p>
                <p>My grandmother still has a zeppelin postcard from that winter in her drawer.</p></li></ol></main>
                """
            let page = ReadingFixture.page("Lanterns").components(separatedBy: "</main>")
                .joined(separator: comments)
            fixture.serve(["example.org/a": page, "example.org/b": ReadingFixture.page("Lanterns")])
            let item = try await fixture.fetched("http://example.org/a")
            let plain = try await fixture.fetched("http://example.org/b")
            let article = try await fixture.reading.reading(item.id, for: fixture.ada)
            #expect(article.comments?.html.contains("zeppelin") == true)
            #expect(article.text.contains("lantern") && !article.text.contains("zeppelin"))
            #expect(article.markup?.html.contains("zeppelin") == false)
            #expect(item.minutes == plain.minutes)
            #expect(try await fixture.urls(ArticleFilter(text: "zeppelin")).isEmpty)
            let gist = try await fixture.gists.make(for: item.id, by: fixture.ada)
            #expect(!gist.content.contains("zeppelin"))
            let other = try await fixture.reading.reading(plain.id, for: fixture.ada)
            #expect(other.comments == nil)
        }
    }

    @Test func `a title that the user set stays`() async throws {
        try await withReading { fixture in
            fixture.serve(["example.org/a": ReadingFixture.page("Theirs")])
            let item = try await fixture.fetched("http://example.org/a", title: "Mine")
            #expect(item.title == "Mine")
        }
    }

    @Test(arguments: [
        (404, "example.org doesn’t have this page (404)."),
        (410, "example.org says that this page is gone (410)."),
        (302, "example.org answered with status 302 instead of a page."),
    ])
    func `a missing page keeps its position and shows the reason`(status: Int, reason: String) async throws {
        try await withReading { fixture in
            fixture.serve(["example.org/a": Response(status: status)])
            let item = try await fixture.fetched("http://example.org/a")
            #expect(item.fetchState == .failed(reason: reason))
            #expect(try await fixture.reading.counts(of: fixture.ada).failed == 1)
            #expect(try await fixture.urls(ArticleFilter(list: .failed)) == ["http://example.org/a"])
        }
    }

    @Test
    func `a temporary failure is retried after 30 s, 2 and 10 minutes and an hour, then given up`()
        async throws
    {
        try await withReading { fixture in
            fixture.serve(["example.org/a": Response(status: 503)])
            let item = try await fixture.fetched("http://example.org/a")
            var tries = 1
            for delay in [30.0, 120, 600, 3_600] {
                let waiting = try await fixture.reading.item(item.id, for: fixture.ada)
                #expect(waiting.fetchState == .waiting)
                #expect(waiting.retryReason == "example.org has a server error (503).")
                fixture.clock.advance(delay - 1)
                await fixture.worker.runUntilIdle()
                #expect(fixture.sites.requests.count == tries)
                fixture.clock.advance(2)
                await fixture.worker.runUntilIdle()
                tries += 1
                #expect(fixture.sites.requests.count == tries)
            }
            let failed = try await fixture.reading.item(item.id, for: fixture.ada)
            #expect(failed.fetchState == .failed(reason: "example.org has a server error (503)."))
            fixture.serve(["example.org/a": ReadingFixture.page("There again")])
            try await fixture.reading.fetchAgain(item.id, by: fixture.ada)
            await fixture.worker.runUntilIdle()
            #expect(try await fixture.reading.item(item.id, for: fixture.ada).fetchState == .fetched)
        }
    }

    @Test func `waiting fetches continue after a restart`() async throws {
        try await withReading { fixture in
            let ids = try await fixture.reading.saveMany(
                (0..<5).map { "http://example.org/\($0)" }.joined(separator: "\n"), by: fixture.ada
            ).compactMap(\.id)
            fixture.serve(
                (0..<3).reduce(into: [:]) { $0["example.org/\($1)"] = ReadingFixture.page("Page \($1)") })
            // One fetch had started when the process was killed.
            try fixture.services.change("UPDATE shared_items SET attempts = 1 WHERE id = 1")
            let again = try ServicesFixture(in: fixture.services.folder, client: fixture.options)
            try await again.services.load()
            await again.services.reading.worker.runUntilIdle()
            var states: [String] = []
            for id in ids {
                states.append(
                    try await again.services.reading.articles.item(id, for: fixture.ada).fetchState.name)
            }
            #expect(states == ["fetched", "fetched", "fetched", "failed", "failed"])
            try again.end()
        }
    }

    @Test func `after a start, a page whose last attempt was cut off waits until others are fetched`()
        async throws
    {
        try await withReading { fixture in
            let urls = ["http://example.org/cut-off", "http://example.org/new"]
            let ids = try await fixture.reading.saveMany(urls.joined(separator: "\n"), by: fixture.ada)
                .compactMap(\.id)
            fixture.sites.turn { _ in ReadingFixture.html(ReadingFixture.page("Lanterns")) }
            func states() async throws -> [String] {
                var states: [String] = []
                for id in ids {
                    states.append(try await fixture.reading.item(id, for: fixture.ada).fetchState.name)
                }
                return states
            }
            // Five starts within seconds count no further attempt.
            try fixture.services.change("UPDATE shared_items SET attempts = 1 WHERE url LIKE '%cut-off'")
            for _ in 0..<5 {
                let run = Task { await fixture.worker.articles.run() }
                try await wait(for: "the new page") { try await states()[1] == "fetched" }
                run.cancel()
                await run.value
                await fixture.worker.runUntilIdle()
                #expect(try await states() == ["waiting", "fetched"])
                fixture.clock.advance(1)
            }
            #expect(
                try fixture.services.sql(Int.self, "SELECT attempts FROM shared_items WHERE processed = 0")
                    == [1])
            fixture.clock.advance(10)
            await fixture.worker.runUntilIdle()
            #expect(try await states() == ["fetched", "fetched"])
        }
    }

    @Test func `a page that crashes the process each time is given up`() async throws {
        try await withReading { fixture in
            let id = try await fixture.reading.save(
                ArticleDraft(url: "http://example.org/a"), by: fixture.ada
            ).item.id
            try fixture.services.change("UPDATE shared_items SET attempts = 4")
            fixture.serve(["example.org/a": Response(status: 503)])
            await fixture.worker.runUntilIdle()
            #expect(try await fixture.reading.item(id, for: fixture.ada).fetchState.name == "failed")
        }
    }

    @Test func `a page that crashed the process on every try is not fetched again`() async throws {
        try await withReading { fixture in
            let id = try await fixture.reading.save(
                ArticleDraft(url: "http://example.org/a"), by: fixture.ada
            ).item.id
            try fixture.services.change("UPDATE shared_items SET attempts = 5")
            fixture.serve(["example.org/a": ReadingFixture.page("Deadly")])
            await fixture.worker.runUntilIdle()
            #expect(try await fixture.reading.item(id, for: fixture.ada).fetchState.name == "failed")
            #expect(fixture.sites.requests.isEmpty)
            try await fixture.reading.fetchAgain(id, by: fixture.ada)
            await fixture.worker.runUntilIdle()
            #expect(try await fixture.reading.item(id, for: fixture.ada).fetchState == .fetched)
        }
    }

    @Test func `one page per host is fetched at a time, and several hosts in parallel`() async throws {
        try await withReading { fixture in
            let running = Mutex<(now: [String: Int], most: [String: Int], together: Int)>(([:], [:], 0))
            fixture.sites.turn { request in
                let host = request.headers["host"] ?? ""
                running.withLock {
                    $0.now[host, default: 0] += 1
                    $0.most[host] = max($0.most[host] ?? 0, $0.now[host] ?? 0)
                    $0.together = max($0.together, $0.now.values.reduce(0, +))
                }
                usleep(50_000)
                running.withLock { $0.now[host, default: 0] -= 1 }
                return ReadingFixture.html(ReadingFixture.page("Page"))
            }
            let lines = (0..<4).flatMap { ["http://news.example/\($0)", "http://blog.example/\($0)"] }
            _ = try await fixture.reading.saveMany(lines.joined(separator: "\n"), by: fixture.ada)
            await fixture.worker.runUntilIdle()
            #expect(fixture.sites.requests.count == 8)
            let (most, together) = running.withLock { ($0.most, $0.together) }
            #expect(most == ["news.example": 1, "blog.example": 1])
            #expect(together == 2)
        }
    }

    @Test func `a page sent by a browser replaces a fetch`() async throws {
        try await withReading { fixture in
            let html = ReadingFixture.page("Behind a log-in", word: "secret")
            let saved = try await fixture.reading.save(
                ArticleDraft(url: "http://example.org/a", html: Array(html.utf8), source: "bookmarklet"),
                by: fixture.ada)
            await fixture.worker.runUntilIdle()
            let page = try await fixture.reading.reading(saved.item.id, for: fixture.ada)
            #expect(page.item.title == "Behind a log-in" && page.text.contains("with their secret"))
            #expect(fixture.sites.requests.isEmpty)
            #expect(
                try fixture.services.sql(Int.self, "SELECT count(*) FROM shared_items WHERE html IS NOT NULL")
                    == [0])
            let large = [UInt8](repeating: 0x20, count: 6 << 20)
            let error = await refusal { _ = try ArticleDraft(url: "http://example.org/b", html: large) }
            #expect(error == .invalid(field: "html", why: "A page can have up to 5 MB."))
        }
    }

    @Test func `a page sent by a browser is kept until Roost can process it`() async throws {
        try await withReading { fixture in
            let (queue, isOpen) = (fixture.worker.articles.heavyWork, Shared(false))
            let ada = fixture.ada
            let works = (0..<HeavyWorkQueue.Limits().perUser).map { _ in
                Task {
                    try await queue.run(for: ada) {
                        while !isOpen.value { try await Task.sleep(for: .milliseconds(1)) }
                    }
                }
            }
            defer { isOpen.set(true) }
            try await wait(for: "the queue to be full") { queue.running + queue.waiting == works.count }
            let html = Array(ReadingFixture.page("Behind a log-in", word: "secret").utf8)
            let id = try await fixture.reading.save(
                ArticleDraft(url: "http://example.org/a", html: html, source: "bookmarklet"), by: ada
            ).item.id
            await fixture.worker.runUntilIdle()
            #expect(try await fixture.reading.item(id, for: ada).retryReason == "Roost is busy.")
            isOpen.set(true)
            for work in works { try await work.value }
            fixture.clock.advance(31)
            await fixture.worker.runUntilIdle()
            #expect(try await fixture.reading.reading(id, for: ada).text.contains("with their secret"))
            #expect(fixture.sites.requests.isEmpty)
        }
    }

    @Test(arguments: [("application/pdf", "%PDF-1.7"), ("image/png", "\u{89}PNG"), ("video/mp4", "x")])
    func `a file that is not a text page becomes a link with its type`(type: String, body: String)
        async throws
    {
        try await withReading { fixture in
            fixture.serve(["example.org/a": Response(headers: ["Content-Type: \(type)"], body: body)])
            let item = try await fixture.fetched("http://example.org/a")
            #expect(item.fetchState == .link(mediaType: type))
        }
    }

    @Test func `a video larger than any page also becomes a link`() async throws {
        try await withReading { fixture in
            let film = Response(
                headers: ["Content-Type: video/mp4"], bytes: [UInt8](repeating: 7, count: 6 << 20))
            fixture.sites.turn { $0.method == "HEAD" ? Response(headers: ["Content-Type: video/mp4"]) : film }
            let item = try await fixture.fetched("http://example.org/a")
            #expect(item.fetchState == .link(mediaType: "video/mp4"))
        }
    }

    // MARK: Merging

    @Test func `a short address and its target are merged into one article with all notes and highlights`()
        async throws
    {
        try await withReading { fixture in
            fixture.serve([
                "short.example/x": ReadingFixture.redirect(to: "http://example.org/a?utm_source=short"),
                "example.org/a?utm_source=short": ReadingFixture.html(ReadingFixture.page("Lanterns")),
                "example.org/a": ReadingFixture.html(ReadingFixture.page("Lanterns")),
            ])
            let long = try await fixture.fetched("http://example.org/a")
            try await fixture.reading.edit(
                long.id, change: .init(tags: ["one"], state: .archived), by: fixture.ada)
            _ = try await fixture.reading.addHighlight(
                NewHighlight(start: 0, end: 1, quote: "harbour was quiet", note: "mine"), to: long.id,
                by: fixture.ada)
            fixture.clock.advance(5)
            let short = try await fixture.reading.save(
                ArticleDraft(url: "http://short.example/x", title: "Short", category: "Craft", tags: ["two"]),
                by: fixture.ada)
            #expect(short.isNew)
            await fixture.worker.runUntilIdle()
            let items = try await fixture.reading.list(ArticleFilter(list: .all), of: fixture.ada).items
            #expect(items.map(\.id) == [long.id])
            let one = try #require(items.first)
            #expect(one.tags == ["one", "two"] && one.state == .unread && one.highlightCount == 1)
            #expect(one.title == "Short" && one.category == "Craft")
            // The old number still finds the article.
            #expect(try await fixture.reading.item(short.item.id, for: fixture.ada).id == long.id)
            let again = try await fixture.reading.save(
                ArticleDraft(url: "http://short.example/x"), by: fixture.ada)
            #expect(!again.isNew && again.item.id == long.id)
        }
    }

    @Test func `undo restores what was removed from an article to the one that it was merged into`()
        async throws
    {
        try await withReading { fixture in
            let (reading, ada) = (fixture.reading, fixture.ada)
            fixture.serve(["example.org/a": ReadingFixture.page("Lanterns")])
            let short = try await fixture.fetched("http://short.example/x")
            let long = try await fixture.fetched("http://example.org/a")
            let highlight = try await reading.addHighlight(
                NewHighlight(start: 0, end: 21, quote: "The harbour was quiet"), to: long.id, by: ada)
            let gist = try await fixture.gists.make(for: long.id, by: ada)
            let first = try await reading.deleteHighlight(highlight.id, of: long.id, by: ada)
            let second = try await fixture.gists.delete(gist.id, by: ada)
            fixture.serve([
                "short.example/x": ReadingFixture.redirect(to: "http://example.org/a"),
                "example.org/a": ReadingFixture.html(ReadingFixture.page("Lanterns")),
            ])
            try await reading.fetchAgain(short.id, by: ada)
            await fixture.worker.runUntilIdle()
            #expect(try await reading.counts(of: ada).all == 1)
            try await reading.undo(first, by: ada)
            try await reading.undo(second, by: ada)
            let found = try await reading.reading(short.id, for: ada)
            #expect(found.highlights.map(\.quote) == ["The harbour was quiet"])
            #expect(found.gist?.id == gist.id)
        }
    }

    @Test func `a canonical address counts only within its own site`() async throws {
        try await withReading { fixture in
            func page(_ canonical: String) -> String {
                ReadingFixture.page("Lanterns", head: "<link rel=\"canonical\" href=\"\(canonical)\">")
            }
            fixture.serve([
                "www.example.org/a?session=1": page("http://www.example.org/a"),
                "www.example.org/a": page("http://www.example.org/a"),
                "news.example/own": ReadingFixture.page("Other", word: "boat"),
                "blog.example/evil": page("http://news.example/own"),
            ])
            let first = try await fixture.fetched("http://www.example.org/a?session=1")
            let again = try await fixture.reading.save(
                ArticleDraft(url: "http://www.example.org/a"), by: fixture.ada)
            // Fetching it shows that it is the same text.
            #expect(again.isNew)
            await fixture.worker.runUntilIdle()
            #expect(try await fixture.reading.item(again.item.id, for: fixture.ada).id == first.id)
            let own = try await fixture.fetched("http://news.example/own")
            let evil = try await fixture.fetched("http://blog.example/evil")
            #expect(evil.id != own.id)
            #expect(try await fixture.reading.counts(of: fixture.ada).all == 3)
        }
    }

    @Test func `articles that redirect to the same sign-in page stay separate`() async throws {
        try await withReading { fixture in
            fixture.serve([
                "example.org/a": ReadingFixture.redirect(to: "http://example.org/login"),
                "example.org/b": ReadingFixture.redirect(to: "http://example.org/login"),
                "example.org/login": ReadingFixture.html(ReadingFixture.page("Sign in")),
            ])
            try await fixture.fetched("http://example.org/a")
            try await fixture.fetched("http://example.org/b")
            #expect(try await fixture.reading.counts(of: fixture.ada).all == 2)
        }
    }

    @Test func `articles with one canonical address but different texts stay separate`() async throws {
        try await withReading { fixture in
            let head = "<link rel=\"canonical\" href=\"http://example.org/all\">"
            fixture.serve([
                "example.org/a": ReadingFixture.page("One", word: "lantern", head: head),
                "example.org/b": ReadingFixture.page("Two", word: "boat", head: head),
            ])
            try await fixture.fetched("http://example.org/a")
            try await fixture.fetched("http://example.org/b")
            #expect(try await fixture.reading.counts(of: fixture.ada).all == 2)
        }
    }

    // MARK: Fetching again

    @Test
    func `highlights are found again in a changed text, and lost ones keep their quotes`()
        async throws
    {
        try await withReading { fixture in
            fixture.serve(["example.org/a": ReadingFixture.page("Lanterns")])
            let item = try await fixture.fetched("http://example.org/a")
            let retained = try await fixture.reading.addHighlight(
                NewHighlight(start: 0, end: 1, quote: "the road to the north"), to: item.id, by: fixture.ada)
            let lost = try await fixture.reading.addHighlight(
                NewHighlight(start: 0, end: 1, quote: "brought the first lantern", note: "n"), to: item.id,
                by: fixture.ada)
            fixture.serve(["example.org/a": ReadingFixture.page("Lanterns", word: "very long coloured lamp")])
            try await fixture.reading.fetchAgain(item.id, by: fixture.ada)
            await fixture.worker.runUntilIdle()
            let page = try await fixture.reading.reading(item.id, for: fixture.ada)
            let markup = try #require(
                try fixture.services.sql(String.self, "SELECT markup FROM article_texts").first)
            let text = MarkupText(try #require(page.markup)).units
            #expect(markup.contains("very long coloured lamp"))
            let found = try #require(page.highlights.first { $0.id == retained.id })
            #expect(found.start > retained.start)
            #expect(
                String(decoding: text[found.start..<found.end], as: UTF16.self) == "the road to the north")
            let missing = try #require(page.highlights.first { $0.id == lost.id })
            #expect(missing.start == missing.end && missing.quote == lost.quote && missing.note == "n")
        }
    }

    @Test func `the old text stays when fetching again fails`() async throws {
        try await withReading { fixture in
            fixture.serve(["example.org/a": ReadingFixture.page("Lanterns")])
            let item = try await fixture.fetched("http://example.org/a")
            fixture.serve([:] as [String: Response])
            try await fixture.reading.fetchAgain(item.id, by: fixture.ada)
            await fixture.worker.runUntilIdle()
            let page = try await fixture.reading.reading(item.id, for: fixture.ada)
            #expect(page.item.fetchState == .fetched && page.text.contains("harbour"))
            #expect(page.item.retryReason == "example.org doesn’t have this page (404).")
        }
    }
}
