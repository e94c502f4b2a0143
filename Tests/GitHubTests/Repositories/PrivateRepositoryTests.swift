import Foundation
import TestSupport
import Testing

@testable import GitHub
@testable import RoostSupport

@Suite struct PrivateRepositoryTests {
    private typealias Fixture = RepositoryFixture
    private static let path = "/repos/ada/secret"
    private static let secret = Fixture.detail(9, "ada/secret", stars: 1, isPrivate: "true")

    /// Ada's account sees the repository; grace and those without an account do not.
    private static func withSecret(
        _ body: (RepositoryServiceFixture, RepositoryScript) async throws -> Void
    ) async throws {
        try await withRepositories { fixture in
            let own = RepositoryScript("ada")
            own.set(path, secret)
            own.set(path + "/readme", "<p>secret words</p>")
            fixture.accounts.set(own, for: fixture.ada)
            fixture.accounts.set(RepositoryScript("grace"), for: fixture.grace)
            try await body(fixture, own)
        }
    }

    @Test func `its detail and README are visible only to its user, in memory and on disk`() async throws {
        try await Self.withSecret { fixture, _ in
            let own = try await fixture.view("ada/secret")
            #expect(own.item?.id == 9 && own.readme != nil)
            for service in [fixture, try await fixture.restarted()] {
                let other = try await service.view("ada/secret", for: fixture.grace)
                #expect(other.item == nil && other.readme == nil && other.isMissing)
                service.accounts.set(nil, for: fixture.grace)
                let stranger = try await service.view("ada/secret", for: fixture.grace)
                #expect(stranger.item == nil && stranger.readme == nil)
            }
            #expect(try await fixture.rows("repositories", where: "viewer IS NULL") == 0)
            #expect(try await fixture.rows("repository_readmes", where: "viewer IS NULL") == 0)
        }
    }

    @Test func `only its user is notified`() async throws {
        try await Self.withSecret { fixture, _ in
            await fixture.runUntilIdle()
            let cursor = fixture.feed.cursor
            _ = try await fixture.view("ada/secret")
            #expect(fixture.told(since: cursor) == [Topic.repositories(fixture.ada)])
        }
    }

    @Test func `a search's private results appear only in that user's list`() async throws {
        try await Self.withSecret { fixture, own in
            let search = Fixture.search([Self.secret, Fixture.detail(1)])
            own.turn { _, _ in .init(status: 200, body: Data(search.utf8)) }
            let list = RepositoryList.search(query: "secret", sort: nil)
            let found = try await fixture.listing(list)
            #expect(found.items.map(\.id) == [9, 1])
            let other = try await fixture.listing(list, for: fixture.grace)
            #expect(other.items.isEmpty)
            #expect(try await fixture.rows("repositories", where: "viewer IS NULL") == 1)
        }
    }

    @Test func `what only the server's token may see is shown to no one`() async throws {
        try await withRepositories { fixture in
            fixture.accounts.setServerToken()
            fixture.github.set(Self.path, Self.secret)
            fixture.github.turn { _, _ in
                .init(status: 200, body: Data(Fixture.search([Self.secret, Fixture.detail(1)]).utf8))
            }
            let view = try await fixture.view("ada/secret")
            #expect(view.item == nil && view.isMissing)
            let found = try await fixture.listing(.search(query: "secret", sort: nil))
            #expect(found.items.map(\.id) == [1])
            #expect(try await fixture.rows("repositories", where: "id = 9") == 0)
            #expect(!fixture.github.paths.contains(Self.path + "/readme"))
        }
    }

    @Test func `a public repository that turns private disappears everywhere at once`() async throws {
        try await Self.withSecret { fixture, own in
            fixture.github.set("/repositories", "[\(Fixture.item(9, "ada/secret"))]")
            own.set(Self.path, Fixture.detail(9, "ada/secret"))
            fixture.accounts.set(nil, for: fixture.grace)
            _ = try await fixture.listing(.all(since: 0), for: fixture.grace)
            _ = try await fixture.view("ada/secret")
            let before = try await fixture.listing(.all(since: 0), for: fixture.grace)
            #expect(before.items.first?.detail != nil)
            fixture.clock.advance(3_601)
            own.set(Self.path, Self.secret)
            _ = try await fixture.view("ada/secret")
            fixture.github.fail("/repositories", .networkUnavailable)
            let after = try await fixture.listing(.all(since: 0), for: fixture.grace)
            #expect(after.items.isEmpty)
            let view = try await fixture.view("ada/secret", for: fixture.grace)
            #expect(view.item == nil && view.readme == nil)
            #expect(try await fixture.rows("repositories", where: "viewer IS NULL") == 0)
            #expect(try await fixture.rows("repository_readmes", where: "viewer IS NULL") == 0)
        }
    }

    @Test func `a README fetched by an account is shared only if the repository is public at that moment`()
        async throws
    {
        try await Self.withSecret { fixture, own in
            own.set(Self.path, Fixture.detail(9, "ada/secret"))
            own.fail(Self.path + "/readme", .serverError(statusCode: 502), status: 502)
            _ = try await fixture.view("ada/secret")
            // It is private by now, although the stored detail is still fresh.
            own.set(Self.path, Self.secret)
            own.set(Self.path + "/readme", "<p>secret words</p>")
            fixture.clock.advance(600)
            let view = try await fixture.view("ada/secret")
            #expect(view.item?.repository.isPrivate == true)
            #expect(try await fixture.rows("repository_readmes", where: "viewer IS NULL") == 0)
        }
    }

    @Test func `a repository that turns public is one shared row again`() async throws {
        try await Self.withSecret { fixture, own in
            _ = try await fixture.view("ada/secret")
            fixture.clock.advance(3_601)
            own.set(Self.path, Fixture.detail(9, "ada/secret"))
            _ = try await fixture.view("ada/secret")
            #expect(try await fixture.rows("repositories") == 1)
            #expect(try await fixture.rows("repositories", where: "viewer IS NULL") == 1)
        }
    }

    @Test func `disconnecting the account or deleting the user leaves nothing of it behind`() async throws {
        try await Self.withSecret { fixture, _ in
            _ = try await fixture.view("ada/secret")
            fixture.accounts.set(nil, for: fixture.ada)
            try await wait(for: "the deletion of the rows") { try await fixture.rows("repositories") == 0 }
            #expect(try await fixture.rows("repository_readmes") == 0)
            let view = try await fixture.details.view(of: try Fixture.name("ada/secret"), for: fixture.ada)
            #expect(view.item == nil)
        }
        try await Self.withSecret { fixture, _ in
            _ = try await fixture.view("ada/secret")
            try await fixture.database.write { try $0.execute(sql: "DELETE FROM users WHERE id = 1") }
            #expect(try await fixture.rows("repositories") == 0)
            #expect(try await fixture.rows("repository_readmes") == 0)
        }
    }

    @Test func `its id reveals nothing to another user's rows`() async throws {
        try await Self.withSecret { fixture, _ in
            _ = try await fixture.view("ada/secret")
            let own = RepositoryScript("grace")
            fixture.accounts.set(own, for: fixture.grace)
            fixture.lists.prefetch([9], for: fixture.grace)
            await fixture.runUntilIdle()
            #expect(own.paths.isEmpty && own.queries.isEmpty)
        }
    }
}
