import Foundation
import RoostServices
import Testing

/// A private repository never reaches another user.
@Suite struct PrivateRepositoryTests {
    private typealias Fixture = RepositoryFixture
    private static let path = "/repos/ada/secret"
    private static let secret = Fixture.detail(9, "ada/secret", stars: 1, isPrivate: "true")

    /// Ada's account sees the repository; grace and those without one do not.
    private static func withSecret(
        _ body: (RepositoryBench, RepositoryScript) async throws -> Void
    ) async throws {
        try await withRepositories { bench in
            let own = RepositoryScript("ada")
            own.set(path, secret)
            own.set(path + "/readme", "<p>secret words</p>")
            bench.accounts.set(own, for: bench.ada)
            bench.accounts.set(RepositoryScript("grace"), for: bench.grace)
            try await body(bench, own)
        }
    }

    @Test func `its detail and README are its user's alone, in memory and on disk`() async throws {
        try await Self.withSecret { bench, _ in
            let own = try await bench.view("ada/secret")
            #expect(own.item?.id == 9 && own.readme != nil)
            for service in [bench, try await bench.restarted()] {
                let other = try await service.view("ada/secret", for: bench.grace)
                #expect(other.item == nil && other.readme == nil && other.isGone)
                service.accounts.set(nil, for: bench.grace)
                let stranger = try await service.view("ada/secret", for: bench.grace)
                #expect(stranger.item == nil && stranger.readme == nil)
            }
            #expect(try await bench.rows("repositories", where: "viewer IS NULL") == 0)
            #expect(try await bench.rows("repository_readmes", where: "viewer IS NULL") == 0)
        }
    }

    @Test func `nobody but its user hears of it`() async throws {
        try await Self.withSecret { bench, _ in
            await bench.settle()
            let cursor = bench.feed.cursor
            _ = try await bench.view("ada/secret")
            #expect(bench.told(since: cursor) == [Topic.repositories(bench.ada)])
        }
    }

    @Test func `a search's private finds are in that user's list only`() async throws {
        try await Self.withSecret { bench, own in
            let search = Fixture.search([Self.secret, Fixture.detail(1)])
            own.turn { _, _ in .init(status: 200, body: Data(search.utf8)) }
            let list = RepositoryList.search(query: "secret", sort: nil)
            let found = try await bench.listing(list)
            #expect(found.items.map(\.id) == [9, 1])
            let other = try await bench.listing(list, for: bench.grace)
            #expect(other.items.isEmpty)
            #expect(try await bench.rows("repositories", where: "viewer IS NULL") == 1)
        }
    }

    @Test func `the server's token shows nobody what it alone may see`() async throws {
        try await withRepositories { bench in
            bench.accounts.setServerToken()
            bench.github.set(Self.path, Self.secret)
            bench.github.turn { _, _ in
                .init(status: 200, body: Data(Fixture.search([Self.secret, Fixture.detail(1)]).utf8))
            }
            let view = try await bench.view("ada/secret")
            #expect(view.item == nil && view.isGone)
            let found = try await bench.listing(.search(query: "secret", sort: nil))
            #expect(found.items.map(\.id) == [1])
            #expect(try await bench.rows("repositories", where: "id = 9") == 0)
            #expect(!bench.github.paths.contains(Self.path + "/readme"))
        }
    }

    @Test func `a public one that turns private goes from everywhere at once`() async throws {
        try await Self.withSecret { bench, own in
            bench.github.set("/repositories", "[\(Fixture.item(9, "ada/secret"))]")
            own.set(Self.path, Fixture.detail(9, "ada/secret"))
            bench.accounts.set(nil, for: bench.grace)
            _ = try await bench.listing(.all(since: 0), for: bench.grace)
            _ = try await bench.view("ada/secret")
            let before = try await bench.listing(.all(since: 0), for: bench.grace)
            #expect(before.items.first?.detail != nil)
            bench.clock.advance(3_601)
            own.set(Self.path, Self.secret)
            _ = try await bench.view("ada/secret")
            bench.github.fail("/repositories", .networkUnavailable)
            let after = try await bench.listing(.all(since: 0), for: bench.grace)
            #expect(after.items.isEmpty)
            let view = try await bench.view("ada/secret", for: bench.grace)
            #expect(view.item == nil && view.readme == nil)
            #expect(try await bench.rows("repositories", where: "viewer IS NULL") == 0)
            #expect(try await bench.rows("repository_readmes", where: "viewer IS NULL") == 0)
        }
    }

    @Test func `a README that an account fetches goes to everybody only if it is public at that moment`()
        async throws
    {
        try await Self.withSecret { bench, own in
            own.set(Self.path, Fixture.detail(9, "ada/secret"))
            own.fail(Self.path + "/readme", .serverError(statusCode: 502), status: 502)
            _ = try await bench.view("ada/secret")
            // Private by now, though the detail is still fresh.
            own.set(Self.path, Self.secret)
            own.set(Self.path + "/readme", "<p>secret words</p>")
            bench.clock.advance(600)
            let view = try await bench.view("ada/secret")
            #expect(view.item?.repository.isPrivate == true)
            #expect(try await bench.rows("repository_readmes", where: "viewer IS NULL") == 0)
        }
    }

    @Test func `one that turns public is one row again`() async throws {
        try await Self.withSecret { bench, own in
            _ = try await bench.view("ada/secret")
            bench.clock.advance(3_601)
            own.set(Self.path, Fixture.detail(9, "ada/secret"))
            _ = try await bench.view("ada/secret")
            #expect(try await bench.rows("repositories") == 1)
            #expect(try await bench.rows("repositories", where: "viewer IS NULL") == 1)
        }
    }

    @Test func `whoever disconnects, or leaves, leaves nothing of it behind`() async throws {
        try await Self.withSecret { bench, _ in
            _ = try await bench.view("ada/secret")
            bench.accounts.set(nil, for: bench.ada)
            try await wait(for: "the rows to go") { try await bench.rows("repositories") == 0 }
            #expect(try await bench.rows("repository_readmes") == 0)
            let view = try await bench.details.view(of: try Fixture.name("ada/secret"), for: bench.ada)
            #expect(view.item == nil)
        }
        try await Self.withSecret { bench, _ in
            _ = try await bench.view("ada/secret")
            try await bench.database.write { try $0.execute(sql: "DELETE FROM users WHERE id = 1") }
            #expect(try await bench.rows("repositories") == 0)
            #expect(try await bench.rows("repository_readmes") == 0)
        }
    }

    @Test func `its number tells another user's rows nothing`() async throws {
        try await Self.withSecret { bench, _ in
            _ = try await bench.view("ada/secret")
            let own = RepositoryScript("grace")
            bench.accounts.set(own, for: bench.grace)
            bench.lists.want([9], for: bench.grace)
            await bench.settle()
            #expect(own.paths.isEmpty && own.queries.isEmpty)
        }
    }
}
