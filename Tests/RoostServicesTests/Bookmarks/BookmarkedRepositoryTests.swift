import Foundation
import Testing

@testable import GitHub
@testable import TextFormats

/// Bookmarks over the real service for repositories and a scripted GitHub.
@Suite struct BookmarkedRepositoryTests {
    private typealias Fixture = RepositoryFixture

    private func withBoth(_ body: (RepositoryServiceFixture, BookmarkParts) async throws -> Void) async throws
    {
        try await withRepositories { fixture in
            try await body(fixture, try await bookmarks(over: fixture))
        }
    }

    private func bookmarks(over fixture: RepositoryServiceFixture) async throws -> BookmarkParts {
        let accounts = fixture.accounts
        var configuration = BookmarkParts.Configuration(webURL: "https://github.com") {
            accounts.hasAccount($0)
        }
        configuration.minimumInterval = 0
        let parts = BookmarkParts(
            source: fixture.details, stars: fixture.fetcher, store: BookmarkStore(database: fixture.database),
            configuration: configuration, feed: fixture.feed, clock: fixture.clock.wallClock,
            log: fixture.log.logger)
        try await parts.load()
        return parts
    }

    @Test func `a row of a list is bookmarked without a wait, and its detail comes after it`() async throws {
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

    @Test func `what is looked at is learned by the bookmark, and what is unchanged is confirmed`()
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

    @Test func `a new name is followed, and one that is gone is marked and still shown`() async throws {
        try await withBoth { fixture, parts in
            let path = "/repos/ada/engine"
            fixture.github.set(path, Fixture.detail(5, "ada/engine"))
            _ = try await parts.bookmarks.add(try Fixture.name("ada/engine"), for: fixture.ada)
            fixture.clock.advance(86_400)
            fixture.github.set(path, Fixture.detail(5, "grace/motor"))
            await parts.refresher.runUntilIdle()
            let motor = try Fixture.name("grace/motor")
            let renamed = try await parts.bookmarks.bookmark(named: motor, of: fixture.ada)
            #expect(renamed?.changes == [.renamed(from: "ada/engine")])
            fixture.clock.advance(86_400)
            await parts.refresher.runUntilIdle()
            let gone = try await parts.bookmarks.bookmark(named: motor, of: fixture.ada)
            #expect(gone?.state == .gone && gone?.facts?.stars == 7)
            #expect(gone?.changes == [.gone, .renamed(from: "ada/engine")])
        }
    }

    @Test func `what one account sees of a private repository stays in its user's bookmarks`() async throws {
        try await withBoth { fixture, parts in
            let (path, name) = ("/repos/ada/plans", try Fixture.name("ada/plans"))
            let own = RepositoryScript("ada")
            fixture.accounts.set(own, for: fixture.ada)
            own.set(path, Fixture.detail(5, "ada/plans", isPrivate: "true"))
            _ = try await parts.bookmarks.add(name, for: fixture.ada)
            let hers = await refusal { _ = try await parts.bookmarks.add(name, for: fixture.grace) }
            #expect(hers?.isNotFound == true)
            #expect(try await parts.bookmarks.count(of: fixture.grace) == 0)
            // A name that she imported is not resolved by what ada's account sees.
            _ = try await parts.files.read(Array("ada/plans".utf8), for: fixture.grace)
            fixture.clock.advance(86_400)
            own.set(path, Fixture.detail(5, "ada/plans", stars: 99, isPrivate: "true"))
            await parts.refresher.runUntilIdle()
            let mine = try await parts.bookmarks.bookmark(named: name, of: fixture.ada)
            let guess = try await parts.bookmarks.bookmark(named: name, of: fixture.grace)
            #expect(mine?.facts?.stars == 99 && guess?.item == nil && guess?.state == .gone)
        }
    }

    @Test func `upkeep leaves two thirds of the limit to people, and goes on after the reset`() async throws {
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

    @Test func `bookmarks are grouped, sorted and searched like any list, notes and tags as well`()
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

    @Test func `a page cuts through a group, and says where the others begin`() async throws {
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

    @Test func `with GitHub out of reach bookmarks are read as before, after a restart too`() async throws {
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

    @Test func `stars come through the user's own account`() async throws {
        try await withBoth { fixture, parts in
            let none = await refusal { try await parts.stars.start(for: fixture.ada) }
            #expect(none != nil)
            let own = RepositoryScript("ada")
            fixture.accounts.set(own, for: fixture.ada)
            let star = #"{"starred_at":"2026-01-02T03:04:05Z","repo":\#(Fixture.detail(1))}"#
            let path = "/user/starred?per_page=100"
            own.set(path, "[\(star)]", next: path + "&page=2")
            own.set(path + "&page=2", "[\(star.replacing(Fixture.detail(1), with: Fixture.detail(2)))]")
            try await parts.stars.start(for: fixture.ada)
            await parts.stars.runUntilIdle()
            let listing = try await parts.bookmarks.listing(.init(), for: fixture.ada)
            #expect(listing.stars == .done(added: 2, known: 0, at: fixture.clock.now))
            let row = listing.groups.first?.items.first
            #expect(row?.addedAt == ISO8601.parse("2026-01-02T03:04:05Z") && row?.facts?.stars == 7)
        }
    }

    @Test func `a user who leaves takes his bookmarks with him`() async throws {
        try await withAccounts { fixture in
            let grace = try await fixture.add("ada", .owner)
            let other = try await fixture.add("grace")
            let bookmarks = fixture.services.bookmarks
            for user in [grace.userId, other.userId] {
                _ = try await fixture.services.bookmarkFiles.read(Array("a/b\nc/d".utf8), for: user)
            }
            try fixture.change("DELETE FROM users WHERE id = \(other.userId)")
            fixture.services.bookmarkRefresher.forget(other.userId)
            let rows = try fixture.sql(Int.self, "SELECT count(*) FROM bookmarks")
            #expect(rows == [2])
            #expect(try await bookmarks.count(of: other.userId) == 0)
            #expect(try await bookmarks.count(of: grace.userId) == 2)
        }
    }
}
