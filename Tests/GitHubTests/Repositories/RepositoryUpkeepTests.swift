import Foundation
import TestSupport
import Testing

@testable import GitHub
@testable import TextFormats

/// Refreshes for bookmarks, and which repositories are kept for them.
@Suite struct RepositoryUpkeepTests {
    private typealias Fixture = RepositoryFixture
    private static let path = "/repos/ada/engine"

    @Test func `a refresh is conditional, reports changes and follows a new name`() async throws {
        try await withRepositories { fixture in
            let name = try Fixture.name("ada/engine")
            fixture.github.set(Self.path, Fixture.detail(5, "ada/engine"), etag: "\"a\"")
            let first = try await fixture.details.refresh(name, for: fixture.ada)
            guard case .changed(let item) = first else {
                Issue.record("\(first)")
                return
            }
            #expect(item.detail?.stars == 7)
            let second = try await fixture.details.refresh(name, for: fixture.ada)
            #expect(second == .unchanged)
            #expect(fixture.github.asked.map(\.etag) == [nil, "\"a\""])
            #expect(fixture.github.asked.allSatisfy { $0.priority == .background })
            fixture.github.set(Self.path, Fixture.detail(5, "grace/motor", stars: 8))
            let third = try await fixture.details.refresh(name, for: fixture.ada)
            guard case .changed(let renamed) = third else {
                Issue.record("\(third)")
                return
            }
            #expect(renamed.fullName == "grace/motor" && renamed.id == 5)
        }
    }

    @Test func `a refresh reports that a repository is gone, and throws other errors`() async throws {
        try await withRepositories { fixture in
            let name = try Fixture.name("ada/engine")
            let missing = try await fixture.details.refresh(name, for: fixture.ada)
            #expect(missing == .missing)
            fixture.github.fail(Self.path, .serverError(statusCode: 503), status: 503, retryAfter: 7)
            let thrown = try await failure { _ = try await fixture.details.refresh(name, for: fixture.ada) }
            #expect(thrown?.retryAfter == 7)
        }
    }

    @Test func `upkeep uses no more than a third of the limit`() async throws {
        try await withRepositories { fixture in
            let name = try Fixture.name("ada/engine")
            fixture.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            fixture.github.set(budget: 40, of: 60, until: fixture.clock.now + 600)
            let thrown = try await failure { _ = try await fixture.details.refresh(name, for: fixture.ada) }
            #expect(thrown?.retryAfter == 600 && fixture.github.paths.isEmpty)
        }
    }

    @Test func `an ETag of an older state is not sent once a newer state is known`() async throws {
        try await withRepositories { fixture in
            let name = try Fixture.name("ada/engine")
            fixture.github.set(Self.path, Fixture.detail(5, "ada/engine"), etag: "\"a\"")
            _ = try await fixture.details.refresh(name, for: fixture.ada)
            fixture.github.turn { _, _ in
                .init(
                    status: 200,
                    body: Data(Fixture.search([Fixture.detail(5, "ada/engine", stars: 8)]).utf8))
            }
            _ = try await fixture.listing(.search(query: "engine", sort: nil))
            _ = try await fixture.details.refresh(name, for: fixture.ada)
            #expect(fixture.github.asked.last?.etag == nil)
        }
    }

    @Test func `stars are read page by page with their times, and are then known`() async throws {
        try await withRepositories { fixture in
            let own = RepositoryScript("ada")
            fixture.accounts.set(own, for: fixture.ada)
            let star = { (id: Int) in
                #"{"starred_at":"2026-01-02T03:04:05Z","repo":\#(Fixture.detail(id))}"#
            }
            own.set("/user/starred?per_page=100", "[\(star(1)),7]", next: "/user/starred?per_page=100&page=2")
            own.set("/user/starred?per_page=100&page=2", "[\(star(2))]")
            let first = try await fixture.fetcher.starred(nil, for: fixture.ada)
            #expect(first.items.map(\.item.id) == [1])
            #expect(first.refused.count == 1)
            #expect(first.items.first?.starredAt == ISO8601.parse("2026-01-02T03:04:05Z"))
            let second = try await fixture.fetcher.starred(first.next, for: fixture.ada)
            #expect(second.items.map(\.item.id) == [2] && second.next == nil)
            #expect(own.asked.allSatisfy { $0.accept == "application/vnd.github.star+json" })
            #expect(try await fixture.rows("repositories") == 2)
        }
    }

    @Test func `without an account there are no stars`() async throws {
        try await withRepositories { fixture in
            let error = await refusal { _ = try await fixture.fetcher.starred(nil, for: fixture.ada) }
            #expect(error == .unavailable("Connect GitHub first."))
        }
    }

    @Test func `the least used repository is dropped to make room, and bookmarked ones are kept`()
        async throws
    {
        try await withRepositories { fixture in
            for id in 1...6 {
                fixture.github.set("/repos/a/r\(id)", Fixture.detail(id, "a/r\(id)"))
                _ = try await fixture.view("a/r\(id)")
                fixture.clock.advance(60)
            }
            try await fixture.bookmark(1)
            await fixture.parts.makeRoom(details: 2, readmes: 1)
            #expect(try await fixture.rows("repositories") == 3)
            #expect(try await fixture.rows("repositories", where: "id IN (1, 5, 6)") == 3)
            #expect(try await fixture.rows("repository_readmes", where: "id IN (1, 6)") == 2)
            let view = try await fixture.details.view(of: try Fixture.name("a/r2"), for: fixture.ada)
            #expect(view.item == nil)
        }
    }

    @Test func `a recently viewed repository is not the first to be dropped`() async throws {
        try await withRepositories { fixture in
            for id in 1...3 {
                fixture.github.set("/repos/a/r\(id)", Fixture.detail(id, "a/r\(id)"))
                _ = try await fixture.view("a/r\(id)")
                fixture.clock.advance(60)
            }
            fixture.clock.advance(2 * 86_400)
            fixture.github.turn { (_: String, _: String?) in throw RepositoryScript.notFound }
            fixture.github.fail("/repos/a/r1", .networkUnavailable)
            _ = try await fixture.view("a/r1")
            await fixture.parts.makeRoom(details: 1, readmes: 1)
            #expect(try await fixture.rows("repositories", where: "id = 1") == 1)
        }
    }

    @Test func `choices are stored for each list, without excessive values`() async throws {
        try await withRepositories { fixture in
            let many = Set((0..<300).map { "language-\($0)" } + [String(repeating: "x", count: 500)])
            let choices = RepositoryListPreferences(grouping: .language, sort: .stars, collapsed: many)
            try await fixture.choices.change(.browse, of: fixture.ada) { $0 = choices }
            let restarted = try await fixture.restarted()
            for service in [fixture.choices, restarted.choices] {
                let stored = try await service.preferences(of: fixture.ada, for: .browse)
                #expect(
                    stored.grouping == .language && stored.sort == .stars && stored.collapsed.count == 200)
                #expect(stored.collapsed.allSatisfy { $0.utf8.count < 100 })
                #expect(
                    try await service.preferences(of: fixture.ada, for: .bookmarks)
                        == RepositoryListPreferences())
                #expect(
                    try await service.preferences(of: fixture.grace, for: .browse)
                        == RepositoryListPreferences())
            }
        }
    }

    @Test func `the background work makes requests automatically, and stops when it is cancelled`()
        async throws
    {
        try await withRepositories { fixture in
            fixture.script(pages: 1)
            let cursor = fixture.feed.cursor
            let work = Task { await fixture.parts.run() }
            _ = try await fixture.lists.listing(.all(since: 0), pages: 1, for: fixture.ada)
            try await wait(for: "the page") {
                try await fixture.lists.listing(.all(since: 0), pages: 1, for: fixture.ada).items.count == 100
            }
            try await wait(for: "the change") { !fixture.told(since: cursor).isEmpty }
            work.cancel()
            await work.value
        }
    }
}
