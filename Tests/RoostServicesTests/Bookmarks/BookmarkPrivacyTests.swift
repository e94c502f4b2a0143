import Foundation
import GRDB
import RoostServices
import Testing

/// A repository that turns private.
@Suite struct BookmarkPrivacyTests {
    private typealias Fixture = RepositoryFixture

    /// Ada and grace have bookmarked a public repository; then ada's account says that it is private.
    private func withBookmarked(
        _ body: (RepositoryBench, BookmarkService, RepositoryName) async throws -> Void
    ) async throws {
        try await withRepositories { bench in
            let name = try Fixture.name("ada/plans")
            bench.github.set("/repos/ada/plans", Fixture.detail(9, "ada/plans"))
            let bookmarks = BookmarkParts(
                source: bench.details, stars: bench.fetcher, store: BookmarkStore(database: bench.database),
                configuration: .init(webURL: "https://github.com") { _ in true }, feed: bench.feed,
                clock: bench.clock.wallClock, log: bench.log.logger
            ).bookmarks
            for user in [bench.ada, bench.grace] { _ = try await bookmarks.add(name, for: user) }
            let own = RepositoryScript("ada")
            own.set("/repos/ada/plans", Fixture.detail(9, "ada/plans", stars: 99, isPrivate: "true"))
            bench.accounts.set(own, for: bench.ada)
            bench.clock.advance(3_601)
            try await body(bench, bookmarks, name)
        }
    }

    @Test func `it stays for those whose account showed it, and vanishes for all others`() async throws {
        try await withBookmarked { bench, bookmarks, name in
            _ = try await bench.view("ada/plans")
            let mine = try await bookmarks.bookmark(named: name, of: bench.ada)
            #expect(mine?.facts?.stars == 99)
            #expect(mine?.changes.first == .madePrivate)
            bench.github.fail("/repos/ada/plans", .networkUnavailable)
            let hers = try await bench.details.view(of: name, for: bench.grace)
            #expect(hers.item == nil)
            // What was open when she bookmarked it is what she knew; nothing of now.
            let known = try await bookmarks.bookmark(named: name, of: bench.grace)
            #expect(known?.facts?.stars == 7)
            #expect(known?.changes.isEmpty == true)
            _ = try await bookmarks.remove(name, of: bench.grace)
            #expect(try await bench.rows("repositories", where: "viewer IS NULL") == 0)
        }
    }

    @Test func `both happen in one transaction, or neither`() async throws {
        try await withBookmarked { bench, bookmarks, name in
            try await bench.database.write {
                try $0.execute(
                    sql: """
                        CREATE TRIGGER no_withdrawal BEFORE UPDATE OF status ON repositories
                        BEGIN SELECT raise(ABORT, 'not now'); END
                        """)
            }
            _ = try await bench.view("ada/plans")
            #expect(try await bench.rows("repositories", where: "viewer IS NOT NULL") == 0)
            #expect(try await bookmarks.bookmark(named: name, of: bench.ada)?.facts?.stars == 7)
            try await bench.database.write { try $0.execute(sql: "DROP TRIGGER no_withdrawal") }
            bench.clock.advance(3_601)
            _ = try await bench.view("ada/plans")
            #expect(try await bookmarks.bookmark(named: name, of: bench.ada)?.facts?.stars == 99)
            #expect(try await bench.rows("repositories", where: "viewer IS NULL AND status = 'current'") == 0)
        }
    }

    @Test func `one that is public again is everybody's, in one row`() async throws {
        try await withBookmarked { bench, bookmarks, name in
            _ = try await bench.view("ada/plans")
            bench.accounts.set(nil, for: bench.ada)
            bench.github.set("/repos/ada/plans", Fixture.detail(9, "ada/plans", stars: 100))
            bench.clock.advance(3_601)
            _ = try await bench.view("ada/plans", for: bench.grace)
            for user in [bench.ada, bench.grace] {
                #expect(try await bookmarks.bookmark(named: name, of: user)?.facts?.stars == 100)
            }
            #expect(try await bench.rows("repositories") == 1)
        }
    }
}
