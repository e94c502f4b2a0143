import Foundation
import GRDB
import TestSupport
import Testing

@testable import Reading
@testable import RoostServices
@testable import RoostSupport

/// A page's canonical address is usually right, but sometimes another page's.
@Suite(.timeLimit(.minutes(5))) struct CanonicalAddressTests {
    private static func page(_ title: String, _ word: String, canonical: String) -> String {
        ReadingFixture.page(
            title, word: word, head: "<link rel=\"canonical\" href=\"http://example.org\(canonical)\">")
    }

    private static let listing = """
        <!DOCTYPE html><html lang="en"><head><title>All stories</title></head><body><main><article>
        <h1>All stories</h1><p><a href="/stories/a">Story a</a></p><p><a href="/stories/b">Story b</a></p>
        </article></main></body></html>
        """

    private static let site = [
        "example.org/part-1": page("Voyage, part 1", "lantern", canonical: "/part-1"),
        "example.org/part-2": page("Voyage, part 2", "boat", canonical: "/part-1"),
        "example.org/part-3": page("Voyage, part 3", "rudder", canonical: "/part-1"),
        "example.org/stories/a": page("The first story", "anchor", canonical: "/stories"),
        "example.org/stories": listing,
    ]

    private func titles(_ fixture: ReadingFixture) async throws -> [String: String] {
        let items = try await fixture.reading.list(ArticleFilter(list: .all), of: fixture.ada).items
        return Dictionary(
            items.map { ($0.url, $0.title) }, uniquingKeysWith: { one, _ in one })
    }

    @Test(arguments: [
        ["/part-2", "/part-1"], ["/part-1", "/part-2"], ["/part-3", "/part-2", "/part-1"],
        ["/stories/a", "/stories"], ["/stories", "/stories/a"],
    ])
    func `a page that claims another page's address does not stop anyone from saving that page`(
        paths: [String]
    )
        async throws
    {
        try await withReading { fixture in
            fixture.serve(Self.site)
            for path in paths {
                let item = try await fixture.fetched("http://example.org" + path)
                #expect(item.url == "http://example.org" + path)
            }
            let expected = paths.map { path in Self.title(at: path) }
            let found = try await titles(fixture)
            #expect(paths.map { found["http://example.org" + $0] } == expected)
            for (path, title) in zip(paths, expected) {
                let page = try await fixture.reading.save(
                    ArticleDraft(url: "http://example.org" + path), by: fixture.ada)
                #expect(!page.isNew && page.item.title == title)
            }
        }
    }

    private static func title(at path: String) -> String {
        [
            "/part-1": "Voyage, part 1", "/part-2": "Voyage, part 2", "/part-3": "Voyage, part 3",
            "/stories/a": "The first story", "/stories": "All stories",
        ][path] ?? ""
    }

    @Test func `pages saved at the same time all keep their own texts, in any order`() async throws {
        try await withReading { fixture in
            fixture.serve(Self.site)
            let paths = ["/stories/a", "/part-2", "/stories", "/part-1", "/part-3"]
            _ = try await fixture.reading.saveMany(
                paths.map { "http://example.org" + $0 }.joined(separator: "\n"), by: fixture.ada)
            await fixture.worker.runUntilIdle()
            let found = try await titles(fixture)
            #expect(found.count == paths.count)
            for path in paths { #expect(found["http://example.org" + path] == Self.title(at: path)) }
        }
    }

    @Test func `a chat link to an address that another page claims does not show that page's card`()
        async throws
    {
        try await withReading { fixture in
            fixture.serve(Self.site)
            try await fixture.fetched("http://example.org/part-2")
            let link = try #require(WebLink("http://example.org/part-1"))
            let cards = try await fixture.services.services.database.read {
                try fixture.reading.cards($0, for: [link], user: fixture.ada)
            }
            #expect(cards.isEmpty)
        }
    }

    @Test func `addresses with one text become one article, whichever is saved first`() async throws {
        try await withReading { fixture in
            let text = Self.page("Lanterns", "lantern", canonical: "/a")
            fixture.serve([
                "example.org/a": text, "example.org/a?session=1": text, "example.org/a?session=2": text,
            ])
            let first = try await fixture.fetched("http://example.org/a?session=1")
            let second = try await fixture.fetched("http://example.org/a?session=2")
            let third = try await fixture.fetched("http://example.org/a")
            #expect(second.id == first.id && third.id == first.id)
            for query in ["", "?session=1", "?session=2"] {
                let again = try await fixture.reading.save(
                    ArticleDraft(url: "http://example.org/a" + query), by: fixture.ada)
                #expect(!again.isNew)
            }
        }
    }

    @Test func `pages that all show the same short text stay separate`() async throws {
        try await withReading { fixture in
            let head = "<link rel=\"canonical\" href=\"http://example.org/app\">"
            let html =
                "<html><head><title>App</title>\(head)</head><body><p>The page is loading, please wait for it.</p></body></html>"
            fixture.serve(["example.org/1": html, "example.org/2": html])
            try await fixture.fetched("http://example.org/1")
            try await fixture.fetched("http://example.org/2")
            #expect(try await fixture.reading.counts(of: fixture.ada).all == 2)
        }
    }

    @Test func `an address that now redirects elsewhere releases the former article's address`() async throws
    {
        try await withReading { fixture in
            fixture.serve([
                "short.example/x": ReadingFixture.redirect(to: "http://example.org/a"),
                "example.org/a": ReadingFixture.html(ReadingFixture.page("Lanterns")),
                "example.org/b": ReadingFixture.html(ReadingFixture.page("Lanterns", word: "lamp")),
            ])
            let short = try await fixture.fetched("http://short.example/x")
            fixture.serve([
                "short.example/x": ReadingFixture.redirect(to: "http://example.org/b"),
                "example.org/a": ReadingFixture.html(ReadingFixture.page("Lanterns")),
                "example.org/b": ReadingFixture.html(ReadingFixture.page("Lanterns", word: "lamp")),
            ])
            try await fixture.reading.fetchAgain(short.id, by: fixture.ada)
            await fixture.worker.runUntilIdle()
            #expect(try await fixture.reading.reading(short.id, for: fixture.ada).text.contains("their lamp"))
            let own = try await fixture.fetched("http://example.org/a")
            #expect(own.id != short.id)
            #expect(
                try await fixture.reading.reading(own.id, for: fixture.ada).text.contains("their lantern"))
        }
    }

    // MARK: Migration

    @Test func `the migration restores addresses that other pages had claimed`() async throws {
        let database = try DatabaseQueue()
        try Migrations.migrator.migrate(database, upTo: "displays: pairing")
        try await database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO users (id, username, name_key, role, created_at) VALUES (1, 'ada', 'ada', 'member', 0);
                    """)
            for (id, savedURL, final, normalized) in [
                (1, "http://example.org/part-2", "http://example.org/part-2", "http://example.org/part-1"),
                (2, "http://short.example/x", "http://example.org/b", "http://example.org/b"),
                (3, "http://example.org/app#/one", "http://example.org/app", "http://example.org/app"),
                (4, "http://example.org/c#place", "http://example.org/c", "http://example.org/c"),
            ] {
                try database.execute(
                    sql: """
                        INSERT INTO articles (id, owner_id, user_id, given_url, final_url, normalized_url, title, title_key,
                            title_is_given, category, site, created_at, updated_at, saved_at)
                        VALUES (?, 1, 1, ?, ?, ?, 'T', 't', 0, 'C', 's', 0, 0, 0)
                        """, arguments: [id, savedURL, final, normalized])
                for address in Set([savedURL.prefix { $0 != "#" }.description, final, normalized]) {
                    try database.execute(
                        sql: "INSERT INTO article_addresses (user_id, address, article_id) VALUES (1, ?, ?)",
                        arguments: [address, id])
                }
            }
        }
        try Migrations.migrator.migrate(database)
        let (addresses, canonicals) = try await database.read { database in
            (
                try String.fetchAll(
                    database,
                    sql:
                        "SELECT article_id || ' ' || address FROM article_addresses ORDER BY article_id, address"
                ),
                try String.fetchAll(
                    database,
                    sql: "SELECT id || ' ' || coalesce(canonical_url, '-') FROM articles ORDER BY id")
            )
        }
        #expect(
            addresses == [
                "1 http://example.org/part-2", "2 http://example.org/b", "2 http://short.example/x",
                "3 http://example.org/app#/one", "4 http://example.org/c", "4 http://example.org/c#place",
            ])
        #expect(canonicals == ["1 http://example.org/part-1", "2 -", "3 -", "4 -"])
    }
}
