import Foundation
import TestSupport
import Testing

@testable import GitHub
@testable import TextFormats

/// Bookmarks with the real repository services and a scripted GitHub.
@Suite struct BookmarkedRepositoryTests {
    private typealias Fixture = RepositoryFixture

    private func withBoth(_ body: (RepositoryServiceFixture, BookmarkParts) async throws -> Void) async throws
    {
        try await withRepositories { fixture in
            try await body(fixture, try await bookmarks(over: fixture))
        }
    }

    private func bookmarks(over fixture: RepositoryServiceFixture) async throws -> BookmarkParts {
        var configuration = BookmarkParts.Configuration(fixture.accounts)
        configuration.minimumInterval = .zero
        let parts = BookmarkParts(
            source: fixture.details, stars: fixture.fetcher, database: fixture.work,
            configuration: configuration, clock: fixture.clock.wallClock,
            log: fixture.log.logger)
        try await parts.load()
        return parts
    }

    @Test func `a row of a list is bookmarked at once, and its detail follows`() async throws {
        try await withBoth { fixture, parts in
            fixture.script(pages: 1)
            _ = try await fixture.listing(.all(since: 0))
            fixture.github.set("/repos/owner7/repo7", Fixture.detail(7, "owner7/repo7", stars: 70))
            let name = try Fixture.name("owner7/repo7")
            let (done, bookmark) = try await parts.bookmarks.add(name, for: fixture.ada)
            #expect(done.count == 1 && bookmark.item?.detail == nil && bookmark.about == "About 7")
            await parts.refresher.runUntilIdle()
            let after = try await parts.bookmarks.bookmark(named: name, of: fixture.ada)
            #expect(after?.facts?.stars == 70 && after?.changes.isEmpty == true)
            #expect(after?.checkedAt == fixture.clock.now)
        }
    }

    @Test func `viewing a repository updates its bookmark, and a 304 confirms it`()
        async throws
    {
        try await withBoth { fixture, parts in
            let (path, name) = ("/repos/ada/engine", try Fixture.name("ada/engine"))
            fixture.github.set(path, Fixture.detail(5, "ada/engine", stars: 7), etag: "\"a\"")
            _ = try await fixture.view("ada/engine")
            _ = try await parts.bookmarks.add(name, for: fixture.ada)
            fixture.clock.advance(7_200)
            fixture.github.set(path, Fixture.detail(5, "ada/engine", stars: 9), etag: "\"b\"")
            _ = try await fixture.view("ada/engine", for: fixture.grace)
            let seen = try await parts.bookmarks.bookmark(named: name, of: fixture.ada)
            #expect(seen?.changes == [.stars(2)] && seen?.checkedAt == fixture.clock.now)
            fixture.clock.advance(86_400)
            let before = fixture.github.asked.count
            await parts.refresher.runUntilIdle()
            let asked = fixture.github.asked[before...]
            #expect(asked.map(\.etag) == ["\"b\""] && asked.map(\.priority) == [.background])
            let confirmed = try await parts.bookmarks.bookmark(named: name, of: fixture.ada)
            #expect(confirmed?.checkedAt == fixture.clock.now && confirmed?.changes == [.stars(2)])
        }
    }

    @Test func `what one account sees of a private repository stays in its user's bookmarks`() async throws {
        try await withBoth { fixture, parts in
            let (path, name) = ("/repos/ada/plans", try Fixture.name("ada/plans"))
            let own = RepositoryScript("ada")
            fixture.accounts.set(own, for: fixture.ada)
            own.set(path, Fixture.detail(5, "ada/plans", isPrivate: "true"))
            _ = try await parts.bookmarks.add(name, for: fixture.ada)
            let refused = await refusal { _ = try await parts.bookmarks.add(name, for: fixture.grace) }
            #expect(refused?.isNotFound == true)
            #expect(try await parts.bookmarks.count(of: fixture.grace) == 0)
            // A name that she imported is not resolved through ada's account.
            _ = try await parts.files.read(Array("ada/plans".utf8), for: fixture.grace)
            fixture.clock.advance(86_400)
            own.set(path, Fixture.detail(5, "ada/plans", stars: 99, isPrivate: "true"))
            await parts.refresher.runUntilIdle()
            let adaBookmark = try await parts.bookmarks.bookmark(named: name, of: fixture.ada)
            let graceBookmark = try await parts.bookmarks.bookmark(named: name, of: fixture.grace)
            #expect(
                adaBookmark?.facts?.stars == 99 && graceBookmark?.item == nil && graceBookmark?.state == .gone
            )
        }
    }

    @Test func `upkeep leaves two thirds of the rate limit to people, and continues after the reset`()
        async throws
    {
        try await withBoth { fixture, parts in
            let path = "/repos/ada/engine"
            fixture.github.set(path, Fixture.detail(5, "ada/engine"), etag: "\"a\"")
            _ = try await parts.bookmarks.add(try Fixture.name("ada/engine"), for: fixture.ada)
            fixture.clock.advance(86_400)
            fixture.github.set(budget: 40, of: 60, until: fixture.clock.now + 600)
            let before = fixture.github.asked.count
            for _ in 0..<2 { await parts.refresher.runUntilIdle() }
            #expect(fixture.github.asked.count == before)
            fixture.clock.advance(601)
            await parts.refresher.runUntilIdle()
            #expect(fixture.github.asked.count == before + 1)
        }
    }

    @Test func `bookmarks are grouped, sorted and filtered like other lists, by notes and tags too`()
        async throws
    {
        try await withBookmarks { fixture in
            for (id, language, stars) in [(1, "Swift", 20), (2, "Rust", 3_000), (3, "Swift", 500)] {
                try await fixture.add(
                    try BookmarkFixture.item(Int64(id), "a/n\(id)", stars: stars, language: language))
            }
            _ = try await fixture.bookmarks.edit(
                BookmarkFixture.name("a/n2"), tags: ["weekend"], note: "Herons", of: fixture.ada)
            let grouped = try await fixture.listing(
                .init(arrangement: .init(grouping: .language, sort: .stars)))
            #expect(grouped.index.map(\.title) == ["Swift", "Rust"])
            #expect(grouped.index.map(\.count) == [2, 1])
            #expect(grouped.groups.map { $0.items.map(\.fullName) } == [["a/n3", "a/n1"], ["a/n2"]])
            for text in ["WEEKEND", "herons rust"] {
                let found = try await fixture.names(.init(arrangement: .init(text: text)))
                #expect(found == ["a/n2"])
            }
        }
    }

    @Test func `a page may end within a group, and reports where the other groups begin`() async throws {
        try await withBookmarks { fixture in
            for id in 1...130 {
                try await fixture.add(
                    try BookmarkFixture.item(Int64(id), "a/n\(id)", language: id <= 120 ? "Swift" : "Rust"))
            }
            let query = BookmarkListing.Query(arrangement: .init(grouping: .language))
            let first = try await fixture.listing(query)
            #expect(first.index.map(\.count) == [120, 10] && first.groups.map(\.items.count) == [100])
            var next = query
            next.from = 1
            let second = try await fixture.listing(next)
            #expect(second.groups.map(\.title) == ["Swift", "Rust"] && !second.hasMorePages)
            #expect(second.groups.map(\.items.count) == [20, 10])
        }
    }

    @Test func `bookmarks can be read while GitHub is unreachable, even after a restart`() async throws {
        try await withBoth { fixture, parts in
            fixture.github.set("/repos/ada/engine", Fixture.detail(5, "ada/engine"))
            _ = try await parts.bookmarks.add(try Fixture.name("ada/engine"), for: fixture.ada)
            fixture.github.fail("/repos/ada/engine", .networkUnavailable)
            fixture.clock.advance(3 * 86_400)
            let again = try await self.bookmarks(over: try await fixture.restarted())
            await again.refresher.runUntilIdle()
            let rows = try await again.bookmarks.listing(.init(), for: fixture.ada).groups.flatMap(\.items)
            #expect(rows.map(\.fullName) == ["ada/engine"] && rows.first?.facts?.stars == 7)
            #expect(rows.first?.state == .present && rows.first?.checkedAt == TestClock.start)
        }
    }
}
