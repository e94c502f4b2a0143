import Foundation
import RoostServices
import Testing

/// What bookmarks ask for, and what is kept for them.
@Suite struct RepositoryUpkeepTests {
    private typealias Fixture = RepositoryFixture
    private static let path = "/repos/ada/engine"

    @Test func `a refresh is conditional, tells what changed and follows a new name`() async throws {
        try await withRepositories { bench in
            let name = try Fixture.name("ada/engine")
            bench.github.set(Self.path, Fixture.detail(5, "ada/engine"), etag: "\"a\"")
            let first = try await bench.details.refresh(name, for: bench.ada)
            guard case .changed(let item) = first else {
                Issue.record("\(first)")
                return
            }
            #expect(item.detail?.stars == 7)
            let second = try await bench.details.refresh(name, for: bench.ada)
            #expect(second == .unchanged)
            #expect(bench.github.asked.map(\.etag) == [nil, "\"a\""])
            #expect(bench.github.asked.allSatisfy { $0.priority == .background })
            bench.github.set(Self.path, Fixture.detail(5, "grace/motor", stars: 8))
            let third = try await bench.details.refresh(name, for: bench.ada)
            guard case .changed(let renamed) = third else {
                Issue.record("\(third)")
                return
            }
            #expect(renamed.fullName == "grace/motor" && renamed.id == 5)
        }
    }

    @Test func `a refresh tells what is gone, and throws what went wrong`() async throws {
        try await withRepositories { bench in
            let name = try Fixture.name("ada/engine")
            let gone = try await bench.details.refresh(name, for: bench.ada)
            #expect(gone == .gone)
            bench.github.fail(Self.path, .serverError(statusCode: 503), status: 503, retryAfter: 7)
            let thrown = try await failure { _ = try await bench.details.refresh(name, for: bench.ada) }
            #expect(thrown?.retryAfter == 7)
        }
    }

    @Test func `upkeep takes no more than a third of the limit`() async throws {
        try await withRepositories { bench in
            let name = try Fixture.name("ada/engine")
            bench.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            bench.github.set(budget: 40, of: 60, until: bench.clock.now + 600)
            let thrown = try await failure { _ = try await bench.details.refresh(name, for: bench.ada) }
            #expect(thrown?.retryAfter == 600 && bench.github.paths.isEmpty)
        }
    }

    @Test func `a tag that belongs to an older state is not sent with a newer one`() async throws {
        try await withRepositories { bench in
            let name = try Fixture.name("ada/engine")
            bench.github.set(Self.path, Fixture.detail(5, "ada/engine"), etag: "\"a\"")
            _ = try await bench.details.refresh(name, for: bench.ada)
            bench.github.turn { _, _ in
                .init(
                    status: 200,
                    body: Data(Fixture.search([Fixture.detail(5, "ada/engine", stars: 8)]).utf8))
            }
            _ = try await bench.listing(.search(query: "engine", sort: nil))
            _ = try await bench.details.refresh(name, for: bench.ada)
            #expect(bench.github.asked.last?.etag == nil)
        }
    }

    @Test func `stars are read page by page with their times, and known from then on`() async throws {
        try await withRepositories { bench in
            let own = RepositoryScript("ada")
            bench.accounts.set(own, for: bench.ada)
            let star = { (id: Int) in
                #"{"starred_at":"2026-01-02T03:04:05Z","repo":\#(Fixture.detail(id))}"#
            }
            own.set("/user/starred?per_page=100", "[\(star(1)),7]", next: "/user/starred?per_page=100&page=2")
            own.set("/user/starred?per_page=100&page=2", "[\(star(2))]")
            let first = try await bench.fetcher.starred(nil, for: bench.ada)
            #expect(first.items.map(\.item.id) == [1])
            #expect(first.items.first?.starredAt == ModelTime.parse("2026-01-02T03:04:05Z"))
            let second = try await bench.fetcher.starred(first.next, for: bench.ada)
            #expect(second.items.map(\.item.id) == [2] && second.next == nil)
            #expect(own.asked.allSatisfy { $0.accept == "application/vnd.github.star+json" })
            #expect(try await bench.rows("repositories") == 2)
        }
    }

    @Test func `without an account there are no stars`() async throws {
        try await withRepositories { bench in
            let error = await refusal { _ = try await bench.fetcher.starred(nil, for: bench.ada) }
            #expect(error == .unavailable("Connect GitHub first."))
        }
    }

    @Test func `what is used least goes to make room, and what is bookmarked stays`() async throws {
        try await withRepositories { bench in
            for id in 1...6 {
                bench.github.set("/repos/a/r\(id)", Fixture.detail(id, "a/r\(id)"))
                _ = try await bench.view("a/r\(id)")
                bench.clock.advance(60)
            }
            try await bench.bookmark(1)
            await bench.parts.makeRoom(details: 2, readmes: 1)
            #expect(try await bench.rows("repositories") == 3)
            #expect(try await bench.rows("repositories", where: "id IN (1, 5, 6)") == 3)
            #expect(try await bench.rows("repository_readmes", where: "id IN (1, 6)") == 2)
            let view = try await bench.details.view(of: try Fixture.name("a/r2"), for: bench.ada)
            #expect(view.item == nil)
        }
    }

    @Test func `a look keeps a repository from being the first to go`() async throws {
        try await withRepositories { bench in
            for id in 1...3 {
                bench.github.set("/repos/a/r\(id)", Fixture.detail(id, "a/r\(id)"))
                _ = try await bench.view("a/r\(id)")
                bench.clock.advance(60)
            }
            bench.clock.advance(2 * 86_400)
            bench.github.turn { (_: String, _: String?) in throw RepositoryScript.notFound }
            bench.github.fail("/repos/a/r1", .networkUnavailable)
            _ = try await bench.view("a/r1")
            await bench.parts.makeRoom(details: 1, readmes: 1)
            #expect(try await bench.rows("repositories", where: "id = 1") == 1)
        }
    }

    @Test func `choices are kept for each list, and what is too much is left out`() async throws {
        try await withRepositories { bench in
            let many = Set((0..<300).map { "language-\($0)" } + [String(repeating: "x", count: 500)])
            let choices = RepositoryChoices(grouping: .language, sort: .stars, collapsed: many)
            try await bench.choices.choose(for: .browse, of: bench.ada) { $0 = choices }
            let again = try await bench.restarted()
            for service in [bench.choices, again.choices] {
                let kept = try await service.choices(of: bench.ada, for: .browse)
                #expect(kept.grouping == .language && kept.sort == .stars && kept.collapsed.count == 200)
                #expect(kept.collapsed.allSatisfy { $0.utf8.count < 100 })
                #expect(try await service.choices(of: bench.ada, for: .bookmarks) == RepositoryChoices())
                #expect(try await service.choices(of: bench.grace, for: .browse) == RepositoryChoices())
            }
        }
    }

    @Test func `running, it asks by itself, and stops when told to`() async throws {
        try await withRepositories { bench in
            bench.script(pages: 1)
            let cursor = bench.feed.cursor
            let work = Task { await bench.parts.run() }
            _ = try await bench.lists.listing(.all(since: 0), pages: 1, for: bench.ada)
            try await wait(for: "the page") {
                try await bench.lists.listing(.all(since: 0), pages: 1, for: bench.ada).items.count == 100
            }
            try await wait(for: "the news") { !bench.told(since: cursor).isEmpty }
            work.cancel()
            await work.value
        }
    }
}
