import Foundation
import GRDB
import TestSupport
import Testing

@testable import GitHub

@Suite struct BookmarkPrivacyTests {
    private typealias Fixture = RepositoryFixture

    /// Ada and grace have bookmarked a public repository; then ada's account reports that it is private.
    private func withBookmarked(
        _ body: (RepositoryServiceFixture, BookmarkService, RepositoryName) async throws -> Void
    ) async throws {
        try await withRepositories { fixture in
            let name = try Fixture.name("ada/plans")
            fixture.github.set("/repos/ada/plans", Fixture.detail(9, "ada/plans"))
            let bookmarks = BookmarkParts(
                source: fixture.details, stars: fixture.fetcher,
                database: fixture.work,
                configuration: .init(fixture.accounts),
                clock: fixture.clock.wallClock, log: fixture.log.logger
            ).bookmarks
            for user in [fixture.ada, fixture.grace] { _ = try await bookmarks.add(name, for: user) }
            let own = RepositoryScript("ada")
            own.set("/repos/ada/plans", Fixture.detail(9, "ada/plans", stars: 99, isPrivate: "true"))
            fixture.accounts.set(own, for: fixture.ada)
            fixture.clock.advance(3_601)
            try await body(fixture, bookmarks, name)
        }
    }

    @Test func `a repository that turns private stays for those with access and disappears for all others`()
        async throws
    {
        try await withBookmarked { fixture, bookmarks, name in
            _ = try await fixture.view("ada/plans")
            let adaBookmark = try await bookmarks.bookmark(named: name, of: fixture.ada)
            #expect(adaBookmark?.facts?.stars == 99)
            #expect(adaBookmark?.changes.first == .madePrivate)
            fixture.github.fail("/repos/ada/plans", .networkUnavailable)
            let graceView = try await fixture.details.view(of: name, for: fixture.grace)
            #expect(graceView.item == nil)
            // She keeps what was public when she bookmarked it, and nothing newer.
            let graceBookmark = try await bookmarks.bookmark(named: name, of: fixture.grace)
            #expect(graceBookmark?.facts?.stars == 7)
            #expect(graceBookmark?.changes.isEmpty == true)
            _ = try await bookmarks.remove(name, of: fixture.grace)
            #expect(try await fixture.rows("repositories", where: "viewer IS NULL") == 0)
        }
    }

    @Test func `both changes are made in one transaction, or neither`() async throws {
        try await withBookmarked { fixture, bookmarks, name in
            try await fixture.database.write {
                try $0.execute(
                    sql: """
                        CREATE TRIGGER no_withdrawal BEFORE UPDATE OF status ON repositories
                        BEGIN SELECT raise(ABORT, 'not now'); END
                        """)
            }
            _ = try await fixture.view("ada/plans")
            #expect(try await fixture.rows("repositories", where: "viewer IS NOT NULL") == 0)
            #expect(try await bookmarks.bookmark(named: name, of: fixture.ada)?.facts?.stars == 7)
            try await fixture.database.write { try $0.execute(sql: "DROP TRIGGER no_withdrawal") }
            fixture.clock.advance(3_601)
            _ = try await fixture.view("ada/plans")
            #expect(try await bookmarks.bookmark(named: name, of: fixture.ada)?.facts?.stars == 99)
            #expect(
                try await fixture.rows("repositories", where: "viewer IS NULL AND status = 'current'") == 0)
        }
    }

    @Test func `a repository that is public again is shared by all in one row`() async throws {
        try await withBookmarked { fixture, bookmarks, name in
            _ = try await fixture.view("ada/plans")
            fixture.accounts.set(nil, for: fixture.ada)
            fixture.github.set("/repos/ada/plans", Fixture.detail(9, "ada/plans", stars: 100))
            fixture.clock.advance(3_601)
            _ = try await fixture.view("ada/plans", for: fixture.grace)
            for user in [fixture.ada, fixture.grace] {
                #expect(try await bookmarks.bookmark(named: name, of: user)?.facts?.stars == 100)
            }
            #expect(try await fixture.rows("repositories") == 1)
        }
    }
}
