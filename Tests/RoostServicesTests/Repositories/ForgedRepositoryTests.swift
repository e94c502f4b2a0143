import Foundation
import RoostServices
import Testing

/// What GitHub's answers, right or forged, must not bring about.
@Suite struct ForgedRepositoryTests {
    private typealias Fixture = RepositoryFixture
    private static let path = "/repos/ada/secret"
    private static let secret = Fixture.detail(9, "ada/secret", isPrivate: "true")

    @Test func `one that turns private goes from every page that it stands on`() async throws {
        try await withRepositories { bench in
            let page = "[\(Fixture.item(9, "ada/secret"))]"
            for since in 0...2 { bench.github.set(RepositoryFixture.path(since: since), page) }
            for since in 0...2 {
                _ = try await bench.listing(.all(since: RepositoryID(since)), for: bench.grace)
            }
            let own = RepositoryScript("ada")
            own.set(Self.path, Self.secret)
            bench.accounts.set(own, for: bench.ada)
            _ = try await bench.view("ada/secret")
            for since in 0...2 {
                let list = RepositoryList.all(since: RepositoryID(since))
                let listing = try await bench.lists.listing(list, pages: 1, for: bench.grace)
                #expect(listing.items.isEmpty)
            }
            let view = try await bench.details.view(of: Fixture.name("ada/secret"), for: bench.grace)
            #expect(view.item == nil)
        }
    }

    @Test func `an answer that comes late does not bring back what has turned private`() async throws {
        try await withRepositories { bench in
            let name = try Fixture.name("ada/secret")
            bench.github.set(Self.path, Fixture.detail(9, "ada/secret"), etag: "\"1\"")
            _ = try await bench.view("ada/secret", for: bench.grace)
            let own = RepositoryScript("ada")
            own.set(Self.path, Self.secret)
            bench.accounts.set(own, for: bench.ada)
            bench.clock.advance(3_601)
            bench.github.hold { path in
                guard path == Self.path else { return }
                _ = try? await bench.details.item(named: name, for: bench.ada)
            }
            _ = try await bench.details.view(of: name, for: bench.grace)
            await bench.settle()
            #expect(own.paths.contains(Self.path))
            let view = try await bench.details.view(of: name, for: bench.grace)
            #expect(view.item == nil)
        }
    }

    @Test func `a README that comes late is not kept for everybody`() async throws {
        try await withRepositories { bench in
            let name = try Fixture.name("ada/secret")
            bench.github.set(Self.path, Fixture.detail(9, "ada/secret"))
            bench.github.set(Self.path + "/readme", "<p>words</p>")
            let own = RepositoryScript("ada")
            own.set(Self.path, Self.secret)
            bench.accounts.set(own, for: bench.ada)
            bench.github.hold { path in
                guard path == Self.path + "/readme" else { return }
                _ = try? await bench.details.refresh(name, for: bench.ada)
            }
            _ = try await bench.view("ada/secret", for: bench.grace)
            #expect(bench.github.paths.contains(Self.path + "/readme"))
            #expect(own.paths.contains(Self.path))
            let left = try await bench.rows("repository_readmes", where: "viewer IS NULL")
            #expect(left == 0)
        }
    }

    @Test func `how many private ones the server's token finds is not told`() async throws {
        try await withRepositories { bench in
            bench.accounts.setServerToken()
            bench.github.turn { _, _ in
                .init(status: 200, body: Data(Fixture.search([Self.secret], total: 1).utf8))
            }
            let found = try await bench.listing(.search(query: "is:private merger", sort: nil))
            #expect(found.items.isEmpty && found.total == nil)
        }
    }

    @Test func `a name that leads to another repository now is not asked for again and again`() async throws {
        try await withRepositories { bench in
            bench.github.set("/repos/a/b", Fixture.detail(5, "a/b"))
            _ = try await bench.view("a/b")
            bench.clock.advance(3_601)
            bench.github.set("/repos/a/b", Fixture.detail(9, "c/d"))
            let before = bench.github.paths.count { $0 == "/repos/a/b" }
            for _ in 0..<4 { _ = try await bench.view("a/b") }
            #expect(bench.github.paths.count { $0 == "/repos/a/b" } == before + 1)
            let view = try await bench.view("a/b")
            #expect(view.item?.id == 9)
        }
    }

    @Test func `a row whose name is another repository's is asked for once a day`() async throws {
        try await withRepositories { bench in
            bench.github.set("/repositories", "[\(Fixture.item(5, "a/b"))]")
            bench.github.set("/repos/a/b", Fixture.detail(9, "a/b"))
            _ = try await bench.listing(.all(since: 0))
            for _ in 0..<4 {
                bench.lists.want([5], for: bench.ada)
                await bench.settle()
            }
            #expect(bench.github.paths.count { $0 == "/repos/a/b" } == 1)
        }
    }

    @Test func `a list whose rows GitHub does not tell of rests`() async throws {
        try await withRepositories { bench in
            bench.accounts.setServerToken()
            bench.github.set("/repositories", "[\(Fixture.item(5, "a/b"))]")
            bench.github.turn { _, _ in Fixture.nodes(["null"], errors: "gone") }
            _ = try await bench.listing(.all(since: 0))
            _ = try await bench.listing(.all(since: 0))
            let cursor = bench.feed.cursor
            // A page that hears of news looks again: that look must not be news in its turn.
            _ = try await bench.lists.listing(.all(since: 0), pages: 1, for: bench.ada)
            await bench.settle()
            #expect(bench.told(since: cursor).isEmpty)
            #expect(bench.github.queries.count == 1)
        }
    }
}
