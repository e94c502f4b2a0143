import Foundation
import Testing

@testable import Reading

/// What follows the "#" of an address: a place in the page, or another document.
@Suite(.timeLimit(.minutes(5))) struct AddressFragmentTests {
    private static let script = "<script src=\"/app.js\"></script>"

    private static func page(_ ids: String..., head: String = "") -> String {
        ReadingFixture.page("Lanterns", head: head).replacingOccurrences(
            of: "<main>", with: "<main>" + ids.map { "<p id=\"\($0)\">Part</p>" }.joined())
    }

    private func count(saving urls: [String], _ fixture: ReadingFixture) async throws -> Int {
        for url in urls { try await fixture.fetched(url) }
        return try await fixture.reading.counts(of: fixture.ada).all
    }

    @Test(arguments: [
        ("#/one", "#/two"), ("#!/one", "#!/two"), ("#doc=1", "#doc=2"), ("#gid=0", "#gid=7"), ("", "#/one"),
        ("#1A2b3C", "#9Z8y7X"), ("", "#1A2b3C"),
    ])
    func `a route or a document's name makes another article`(one: String, other: String) async throws {
        try await withReading { fixture in
            fixture.serve(["example.org/app": Self.page(head: Self.script)])
            let found = try await count(
                saving: ["http://example.org/app" + one, "http://example.org/app" + other], fixture)
            #expect(found == 2)
            for fragment in [one, other] {
                let again = try await fixture.reading.save(
                    NewArticle(url: "http://example.org/app" + fragment), by: fixture.ada)
                #expect(!again.isNew && again.item.article.url == "http://example.org/app" + fragment)
            }
        }
    }

    @Test(arguments: [
        ("part", "#part"), ("fn:1", "#fn:1"), ("Über", "#%C3%9Cber"), ("user-content-usage", "#usage"),
        ("method.foo(int)", "#method.foo(int)"), ("a/b", "#a/b"), ("k=v", "#k=v"),
    ])
    func `an element's id is a place in the page, with scripts too`(id: String, fragment: String) async throws
    {
        try await withReading { fixture in
            fixture.serve(["example.org/a": Self.page(id, head: Self.script)])
            let urls = ["http://example.org/a" + fragment, "http://example.org/a"]
            let found = try await count(saving: urls, fixture)
            #expect(found == 1)
            for url in urls {
                let again = try await fixture.reading.save(NewArticle(url: url), by: fixture.ada)
                #expect(!again.isNew)
            }
        }
    }

    @Test func `a page without scripts has places only, but a route stays one`() async throws {
        try await withReading { fixture in
            fixture.serve(["example.org/a": Self.page(), "example.org/b": Self.page()])
            let found = try await count(
                saving: ["http://example.org/a", "http://example.org/a#gone"], fixture)
            #expect(found == 1)
            let all = try await count(saving: ["http://example.org/b", "http://example.org/b#/one"], fixture)
            #expect(all == 3)
        }
    }

    @Test func `a place in a text that is here is known at once`() async throws {
        try await withReading { fixture in
            let html = ReadingFixture.page("Lanterns", head: Self.script).replacingOccurrences(
                of: "<p>Nobody", with: "<p id=\"winter\">Nobody")
            fixture.serve(["example.org/a": html])
            let item = try await fixture.fetched("http://example.org/a")
            let place = try await fixture.reading.save(
                NewArticle(url: "http://example.org/a#winter"), by: fixture.ada)
            #expect(!place.isNew && place.item.id == item.id)
            let route = try await fixture.reading.save(
                NewArticle(url: "http://example.org/a#summer"), by: fixture.ada)
            #expect(route.isNew)
        }
    }

    @Test func `a file that is no page of HTML has places only`() async throws {
        try await withReading { fixture in
            fixture.serve([
                "example.org/a.pdf": ReadingFixture.Response(
                    headers: ["Content-Type: application/pdf"], body: "%PDF-1.7")
            ])
            let found = try await count(
                saving: ["http://example.org/a.pdf#page=3", "http://example.org/a.pdf"], fixture)
            #expect(found == 1)
        }
    }

    @Test func `a redirect keeps the document that the fragment names`() async throws {
        try await withReading { fixture in
            fixture.serve([
                "short.example/app": ReadingFixture.redirect(to: "http://example.org/app"),
                "example.org/app": ReadingFixture.html(Self.page(head: Self.script)),
            ])
            let found = try await count(
                saving: ["http://short.example/app#/one", "http://short.example/app#/two"], fixture)
            #expect(found == 2)
            let known = try await fixture.reading.save(
                NewArticle(url: "http://example.org/app#/two"), by: fixture.ada)
            #expect(!known.isNew && known.item.article.url == "http://short.example/app#/two")
        }
    }

    @Test func `what a browser hands over goes by the same rule`() async throws {
        try await withReading { fixture in
            for (route, word) in [("#/one", "lantern"), ("#/two", "boat")] {
                let html = ReadingFixture.page("App", word: word, head: Self.script)
                try await fixture.reading.save(
                    NewArticle(url: "http://example.org/app" + route, html: Array(html.utf8)), by: fixture.ada
                )
            }
            await fixture.worker.runUntilIdle()
            let items = try await fixture.reading.list(ArticleFilter(list: .all), of: fixture.ada).items
            #expect(items.count == 2)
            for item in items {
                let text = try await fixture.reading.reading(item.id, for: fixture.ada).text
                #expect(text.contains(item.article.url.hasSuffix("one") ? "their lantern" : "their boat"))
            }
        }
    }
}
