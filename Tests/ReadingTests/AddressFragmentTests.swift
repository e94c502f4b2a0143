import Foundation
import TestSupport
import Testing

@testable import Reading

/// The part after "#" is either a position in the page or another document.
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
    func `a fragment that is a route or a document's name makes another article`(one: String, other: String)
        async throws
    {
        try await withReading { fixture in
            fixture.serve(["example.org/app": Self.page(head: Self.script)])
            let found = try await count(
                saving: ["http://example.org/app" + one, "http://example.org/app" + other], fixture)
            #expect(found == 2)
            for fragment in [one, other] {
                let again = try await fixture.reading.save(
                    ArticleDraft(url: "http://example.org/app" + fragment), by: fixture.ada)
                #expect(!again.isNew && again.item.url == "http://example.org/app" + fragment)
            }
        }
    }

    @Test(arguments: [
        ("part", "#part"), ("fn:1", "#fn:1"), ("Über", "#%C3%9Cber"), ("user-content-usage", "#usage"),
        ("method.foo(int)", "#method.foo(int)"), ("a/b", "#a/b"), ("k=v", "#k=v"),
    ])
    func `a fragment that is an element's id is a position in the page, with scripts too`(
        id: String, fragment: String
    ) async throws {
        try await withReading { fixture in
            fixture.serve(["example.org/a": Self.page(id, head: Self.script)])
            let urls = ["http://example.org/a" + fragment, "http://example.org/a"]
            let found = try await count(saving: urls, fixture)
            #expect(found == 1)
            for url in urls {
                let again = try await fixture.reading.save(ArticleDraft(url: url), by: fixture.ada)
                #expect(!again.isNew)
            }
        }
    }

    @Test func `in a page without scripts a fragment is a position, unless it is a route`() async throws {
        try await withReading { fixture in
            fixture.serve(["example.org/a": Self.page(), "example.org/b": Self.page()])
            let found = try await count(
                saving: ["http://example.org/a", "http://example.org/a#gone"], fixture)
            #expect(found == 1)
            let all = try await count(saving: ["http://example.org/b", "http://example.org/b#/one"], fixture)
            #expect(all == 3)
        }
    }

    @Test func `a position in a saved text is recognised without a fetch`() async throws {
        try await withReading { fixture in
            let html = ReadingFixture.page("Lanterns", head: Self.script).replacingOccurrences(
                of: "<p>Nobody", with: "<p id=\"winter\">Nobody")
            fixture.serve(["example.org/a": html])
            let item = try await fixture.fetched("http://example.org/a")
            let repeated = try await fixture.reading.save(
                ArticleDraft(url: "http://example.org/a#winter"), by: fixture.ada)
            #expect(!repeated.isNew && repeated.item.id == item.id)
            let route = try await fixture.reading.save(
                ArticleDraft(url: "http://example.org/a#summer"), by: fixture.ada)
            #expect(route.isNew)
        }
    }

    @Test func `in a file that is not HTML every fragment is a position`() async throws {
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

    @Test func `a redirect keeps the fragment that names a document`() async throws {
        try await withReading { fixture in
            fixture.serve([
                "short.example/app": ReadingFixture.redirect(to: "http://example.org/app"),
                "example.org/app": ReadingFixture.html(Self.page(head: Self.script)),
            ])
            let found = try await count(
                saving: ["http://short.example/app#/one", "http://short.example/app#/two"], fixture)
            #expect(found == 2)
            let repeated = try await fixture.reading.save(
                ArticleDraft(url: "http://example.org/app#/two"), by: fixture.ada)
            #expect(!repeated.isNew && repeated.item.url == "http://short.example/app#/two")
        }
    }

    @Test func `pages sent by a browser follow the same rule`() async throws {
        try await withReading { fixture in
            for (route, word) in [("#/one", "lantern"), ("#/two", "boat")] {
                let html = ReadingFixture.page("App", word: word, head: Self.script)
                try await fixture.reading.save(
                    ArticleDraft(url: "http://example.org/app" + route, html: Array(html.utf8)),
                    by: fixture.ada
                )
            }
            await fixture.worker.runUntilIdle()
            let items = try await fixture.reading.list(ArticleFilter(list: .all), of: fixture.ada).items
            #expect(items.count == 2)
            for item in items {
                let text = try await fixture.reading.reading(item.id, for: fixture.ada).text
                #expect(text.contains(item.url.hasSuffix("one") ? "their lantern" : "their boat"))
            }
        }
    }
}
