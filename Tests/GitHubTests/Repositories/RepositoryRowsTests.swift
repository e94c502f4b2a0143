import Foundation
import Testing

@testable import GitHub

/// Details for the rows on screen.
@Suite struct RepositoryRowsTests {
    private typealias Fixture = RepositoryFixture

    private static func ids(_ range: ClosedRange<Int>) -> [RepositoryID] { range.map { RepositoryID($0) } }

    private static func rows(_ script: RepositoryScript) -> [Int] {
        script.paths.filter { $0.hasPrefix("/repos/owner") && !$0.hasSuffix("/readme") }
            .compactMap { Int($0.dropFirst("/repos/owner".count).prefix { $0.isNumber }) }
    }

    @Test func `without an account rows are fetched one by one, the last named first`() async throws {
        try await withRepositories { fixture in
            fixture.script(pages: 1)
            Fixture.answerAll(fixture.github)
            _ = try await fixture.listing(.all(since: 0))
            #expect(Self.rows(fixture.github).isEmpty)
            fixture.lists.prefetch([3, 4, 5, 4], for: fixture.ada)
            await fixture.runUntilIdle()
            #expect(Self.rows(fixture.github) == [4, 5, 3])
            #expect(fixture.github.asked.last?.priority == .background)
            let listing = try await fixture.lists.listing(.all(since: 0), pages: 1, for: fixture.ada)
            #expect(listing.items.filter { $0.detail != nil }.map(\.id) == [3, 4, 5])
        }
    }

    @Test func `a new screen replaces the old one`() async throws {
        try await withRepositories { fixture in
            fixture.script(pages: 1)
            Fixture.answerAll(fixture.github)
            _ = try await fixture.listing(.all(since: 0))
            fixture.lists.prefetch(Self.ids(1...50), for: fixture.ada)
            fixture.lists.prefetch([70], for: fixture.ada)
            await fixture.runUntilIdle()
            #expect(Self.rows(fixture.github) == [70])
        }
    }

    @Test func `users take turns`() async throws {
        try await withRepositories { fixture in
            fixture.script(pages: 1)
            Fixture.answerAll(fixture.github)
            _ = try await fixture.listing(.all(since: 0))
            fixture.lists.prefetch([1, 2, 3], for: fixture.ada)
            fixture.lists.prefetch([11, 12], for: fixture.grace)
            await fixture.runUntilIdle()
            #expect(Self.rows(fixture.github) == [3, 12, 2, 11, 1])
        }
    }

    @Test func `a row fetched within a week, or on no list, is not fetched`() async throws {
        try await withRepositories { fixture in
            fixture.script(pages: 1)
            Fixture.answerAll(fixture.github)
            _ = try await fixture.listing(.all(since: 0))
            fixture.lists.prefetch([1, 2], for: fixture.ada)
            await fixture.runUntilIdle()
            fixture.clock.advance(6 * 86_400)
            fixture.lists.prefetch([1, 2, 123_456], for: fixture.grace)
            await fixture.runUntilIdle()
            #expect(Self.rows(fixture.github) == [2, 1])
            fixture.clock.advance(2 * 86_400)
            fixture.lists.prefetch([1], for: fixture.ada)
            await fixture.runUntilIdle()
            #expect(Self.rows(fixture.github) == [2, 1, 1])
        }
    }

    @Test func `rows stop at half of the limit and continue after the reset`() async throws {
        try await withRepositories { fixture in
            fixture.script(pages: 1)
            Fixture.answerAll(fixture.github)
            _ = try await fixture.listing(.all(since: 0))
            fixture.github.set(budget: 33, of: 60, until: fixture.clock.now + 300)
            fixture.lists.prefetch(Self.ids(1...20), for: fixture.ada)
            await fixture.runUntilIdle()
            #expect(Self.rows(fixture.github) == [20, 19, 18])
            fixture.clock.advance(301)
            await fixture.runUntilIdle()
            #expect(Self.rows(fixture.github).count == 20)
        }
    }

    @Test func `a row that is gone or malformed is skipped, and not fetched again that day`() async throws {
        try await withRepositories { fixture in
            fixture.script(pages: 1)
            Fixture.answerAll(fixture.github)
            fixture.github.fail("/repos/owner3/repo3", .invalidResponse(statusCode: 404), status: 404)
            fixture.github.set("/repos/owner2/repo2", "<html>")
            _ = try await fixture.listing(.all(since: 0))
            for _ in 0..<2 {
                fixture.lists.prefetch([1, 2, 3], for: fixture.ada)
                await fixture.runUntilIdle()
            }
            #expect(Self.rows(fixture.github) == [3, 2, 1])
        }
    }

    @Test func `rows that an outage interrupts are fetched later`() async throws {
        try await withRepositories { fixture in
            fixture.script(pages: 1)
            _ = try await fixture.listing(.all(since: 0))
            fixture.github.turn { (_: String, _: String?) in
                throw GitHubFailure(error: .serverError(statusCode: 502), status: 502, detail: "x")
            }
            fixture.lists.prefetch([1, 2], for: fixture.ada)
            await fixture.runUntilIdle()
            #expect(Self.rows(fixture.github) == [2])
            Fixture.answerAll(fixture.github)
            fixture.clock.advance(30)
            await fixture.runUntilIdle()
            #expect(Self.rows(fixture.github) == [2, 2, 1])
        }
    }

    @Test func `with an account rows are fetched fifty at a time, and whole pages in the background`()
        async throws
    {
        try await withRepositories { fixture in
            let own = RepositoryScript("ada")
            fixture.accounts.set(own, for: fixture.ada)
            Fixture.answerAll(own)
            own.set("/repositories", Fixture.page(after: 0))
            _ = try await fixture.listing(.all(since: 0))
            fixture.lists.prefetch(Self.ids(60...70), for: fixture.ada)
            await fixture.runUntilIdle()
            let listing = try await fixture.lists.listing(.all(since: 0), pages: 1, for: fixture.ada)
            await fixture.runUntilIdle()
            #expect(own.queries.allSatisfy { $0.count <= 50 })
            #expect(own.queries.first?.first == "R_70")
            #expect(listing.isSignedIn)
            let whole = try await fixture.lists.listing(.all(since: 0), pages: 1, for: fixture.ada)
            #expect(whole.items.allSatisfy { $0.detail?.openIssues == 2 })
            #expect(own.queries.count == 3)
            #expect(Self.rows(own).isEmpty)
        }
    }

    @Test func `null nodes next to errors leave their rows unknown for a day`() async throws {
        try await withRepositories { fixture in
            let own = RepositoryScript("ada")
            fixture.accounts.set(own, for: fixture.ada)
            own.set("/repositories", "[\(Fixture.item(1)),\(Fixture.item(2))]")
            own.turn { _, ids in
                Fixture.nodes(
                    ids.map { $0 == "R_1" ? "null" : Fixture.node(2) },
                    errors: "Could not resolve to a node with the global id of 'R_1'")
            }
            _ = try await fixture.listing(.all(since: 0))
            await fixture.runUntilIdle()
            for _ in 0..<3 {
                fixture.lists.prefetch([1, 2], for: fixture.ada)
                await fixture.runUntilIdle()
            }
            let listing = try await fixture.listing(.all(since: 0))
            #expect(listing.items.map { $0.detail != nil } == [false, true])
            #expect(own.queries.count == 1)
        }
    }

    @Test func `repositories that were not requested are ignored in an answer`() async throws {
        try await withRepositories { fixture in
            let own = RepositoryScript("ada")
            fixture.accounts.set(own, for: fixture.ada)
            own.set("/repositories", "[\(Fixture.item(1))]")
            own.turn { _, _ in Fixture.nodes([Fixture.node(1), Fixture.node(77, "bank/login", stars: 999)]) }
            _ = try await fixture.listing(.all(since: 0))
            await fixture.runUntilIdle()
            #expect(try await fixture.rows("repositories") == 1)
        }
    }

    @Test(arguments: [403, 404])
    func `without GraphQL the rows on screen are fetched by REST`(status: Int) async throws {
        try await withRepositories { fixture in
            let own = RepositoryScript("ada")
            fixture.accounts.set(own, for: fixture.ada)
            Fixture.answerAll(own)
            own.turn(graphQL: { _, _ in
                throw GitHubFailure(
                    error: status == 403 ? .forbidden : .invalidResponse(statusCode: status), status: status)
            })
            own.set("/repositories", Fixture.page(after: 0))
            _ = try await fixture.listing(.all(since: 0))
            fixture.lists.prefetch([5, 6], for: fixture.ada)
            await fixture.runUntilIdle()
            #expect(Self.rows(own) == [6, 5])
            #expect(own.queries.count == 1)
        }
    }

    @Test func `a row without a node id is fetched by REST, alone and only while it is on screen`()
        async throws
    {
        try await withRepositories { fixture in
            let own = RepositoryScript("ada")
            fixture.accounts.set(own, for: fixture.ada)
            Fixture.answerAll(own)
            let rows = [Fixture.item(1)] + (2...4).map { Fixture.withoutNodeId(Fixture.item($0)) }
            own.set("/repositories", "[\(rows.joined(separator: ","))]")
            for id in 2...4 {
                own.set("/repos/owner\(id)/repo\(id)", Fixture.withoutNodeId(Fixture.detail(id)))
            }
            let listing = try await fixture.listing(.all(since: 0))
            await fixture.runUntilIdle()
            #expect(listing.items.map(\.id) == [1, 2, 3, 4])
            #expect(Self.rows(own).isEmpty)
            fixture.lists.prefetch([1, 2, 3], for: fixture.ada)
            await fixture.runUntilIdle()
            #expect(Self.rows(own) == [3, 2])
            #expect(own.queries == [["R_1"]])
            let whole = try await fixture.listing(.all(since: 0))
            #expect(whole.items.map { $0.detail != nil } == [true, true, true, false])
            #expect(try await fixture.rows("repositories", where: "node_id IS NULL") == 2)
        }
    }

    @Test func `a row without a node id survives a restart`() async throws {
        try await withRepositories { fixture in
            fixture.github.set("/repos/a/b", Fixture.withoutNodeId(Fixture.detail(5, "a/b")))
            let before = try await fixture.view("a/b")
            let after = try await fixture.restarted().view("a/b")
            #expect(before.item?.repository.fullName == "a/b")
            #expect(after.item == before.item)
            #expect(after.item?.repository.nodeId == nil)
        }
    }

    @Test func `an invalid node id never appears in a query`() async throws {
        try await withRepositories { fixture in
            let own = RepositoryScript("ada")
            fixture.accounts.set(own, for: fixture.ada)
            Fixture.answerAll(own)
            let evil = Fixture.item(1).replacing("R_1", with: #"R\"){viewer{login}}"#)
            own.set("/repositories", "[\(evil),\(Fixture.item(2))]")
            _ = try await fixture.listing(.all(since: 0))
            await fixture.runUntilIdle()
            #expect(own.queries == [["R_2"]])
        }
    }
}
