import Foundation
import Testing

@testable import GitHub

@Suite struct ForgedRepositoryTests {
    private typealias Fixture = RepositoryFixture
    private static let path = "/repos/ada/secret"
    private static let secret = Fixture.detail(9, "ada/secret", isPrivate: "true")

    @Test func `a repository that turns private disappears from every list it is on`() async throws {
        try await withRepositories { fixture in
            let page = "[\(Fixture.item(9, "ada/secret"))]"
            for since in 0...2 { fixture.github.set(RepositoryFixture.path(since: since), page) }
            for since in 0...2 {
                _ = try await fixture.listing(.all(since: RepositoryID(since)), for: fixture.grace)
            }
            let own = RepositoryScript("ada")
            own.set(Self.path, Self.secret)
            fixture.accounts.set(own, for: fixture.ada)
            _ = try await fixture.view("ada/secret")
            for since in 0...2 {
                let list = RepositoryList.all(since: RepositoryID(since))
                let listing = try await fixture.lists.listing(list, pages: 1, for: fixture.grace)
                #expect(listing.items.isEmpty)
            }
            let view = try await fixture.details.view(of: Fixture.name("ada/secret"), for: fixture.grace)
            #expect(view.item == nil)
        }
    }

    @Test func `a late answer does not bring back a repository that turned private`() async throws {
        try await withRepositories { fixture in
            let name = try Fixture.name("ada/secret")
            fixture.github.set(Self.path, Fixture.detail(9, "ada/secret"), etag: "\"1\"")
            _ = try await fixture.view("ada/secret", for: fixture.grace)
            let own = RepositoryScript("ada")
            own.set(Self.path, Self.secret)
            fixture.accounts.set(own, for: fixture.ada)
            fixture.clock.advance(3_601)
            fixture.github.hold { path in
                guard path == Self.path else { return }
                _ = try? await fixture.details.item(named: name, for: fixture.ada)
            }
            _ = try await fixture.details.view(of: name, for: fixture.grace)
            await fixture.runUntilIdle()
            #expect(own.paths.contains(Self.path))
            let view = try await fixture.details.view(of: name, for: fixture.grace)
            #expect(view.item == nil)
        }
    }

    @Test func `a late README of a repository that turned private is not shared with everyone`() async throws
    {
        try await withRepositories { fixture in
            let name = try Fixture.name("ada/secret")
            fixture.github.set(Self.path, Fixture.detail(9, "ada/secret"))
            fixture.github.set(Self.path + "/readme", "<p>words</p>")
            let own = RepositoryScript("ada")
            own.set(Self.path, Self.secret)
            fixture.accounts.set(own, for: fixture.ada)
            fixture.github.hold { path in
                guard path == Self.path + "/readme" else { return }
                _ = try? await fixture.details.refresh(name, for: fixture.ada)
            }
            _ = try await fixture.view("ada/secret", for: fixture.grace)
            #expect(fixture.github.paths.contains(Self.path + "/readme"))
            #expect(own.paths.contains(Self.path))
            let left = try await fixture.rows("repository_readmes", where: "viewer IS NULL")
            #expect(left == 0)
        }
    }

    @Test func `the number of private results for the server's token is not revealed`() async throws {
        try await withRepositories { fixture in
            fixture.accounts.setServerToken()
            fixture.github.turn { _, _ in
                .init(status: 200, body: Data(Fixture.search([Self.secret], total: 1).utf8))
            }
            let found = try await fixture.listing(.search(query: "is:private merger", sort: nil))
            #expect(found.items.isEmpty && found.total == nil)
        }
    }

    @Test func `a name that now leads to another repository is not fetched again and again`() async throws {
        try await withRepositories { fixture in
            fixture.github.set("/repos/a/b", Fixture.detail(5, "a/b"))
            _ = try await fixture.view("a/b")
            fixture.clock.advance(3_601)
            fixture.github.set("/repos/a/b", Fixture.detail(9, "c/d"))
            let before = fixture.github.paths.count { $0 == "/repos/a/b" }
            for _ in 0..<4 { _ = try await fixture.view("a/b") }
            #expect(fixture.github.paths.count { $0 == "/repos/a/b" } == before + 1)
            let view = try await fixture.view("a/b")
            #expect(view.item?.id == 9)
        }
    }

    @Test func `a row whose name belongs to another repository is fetched once a day`() async throws {
        try await withRepositories { fixture in
            fixture.github.set("/repositories", "[\(Fixture.item(5, "a/b"))]")
            fixture.github.set("/repos/a/b", Fixture.detail(9, "a/b"))
            _ = try await fixture.listing(.all(since: 0))
            for _ in 0..<4 {
                fixture.lists.prefetch([5], for: fixture.ada)
                await fixture.runUntilIdle()
            }
            #expect(fixture.github.paths.count { $0 == "/repos/a/b" } == 1)
        }
    }

    @Test func `a list whose rows GitHub does not return is left alone`() async throws {
        try await withRepositories { fixture in
            fixture.accounts.setServerToken()
            fixture.github.set("/repositories", "[\(Fixture.item(5, "a/b"))]")
            fixture.github.turn { _, _ in Fixture.nodes(["null"], errors: "gone") }
            _ = try await fixture.listing(.all(since: 0))
            _ = try await fixture.listing(.all(since: 0))
            let cursor = fixture.feed.cursor
            // A page that receives a change reads the list again: that read must not publish a change in turn.
            _ = try await fixture.lists.listing(.all(since: 0), pages: 1, for: fixture.ada)
            await fixture.runUntilIdle()
            #expect(fixture.told(since: cursor).isEmpty)
            #expect(fixture.github.queries.count == 1)
        }
    }
}
