import Foundation
import TestSupport
import Testing

@testable import GitHub

@Suite struct RepositorySearchTests {
    private typealias Fixture = RepositoryFixture

    private static func find(
        _ fixture: RepositoryServiceFixture, _ items: [String], total: Int? = nil, next: String? = nil
    ) {
        fixture.github.turn { _, _ in
            .init(
                status: 200, body: Data(Fixture.search(items, total: total, isIncomplete: true).utf8),
                links: next.map { ["next": $0] } ?? [:])
        }
    }

    @Test func `a search is sent in GitHub's own syntax and reports its total`() async throws {
        try await withRepositories { fixture in
            Self.find(
                fixture, [Fixture.detail(1, stars: 9)], total: 70_000, next: "/search/repositories?page=2")
            let list = RepositoryList.search(query: " topic:birds  stars:>5 ", sort: .stars)
            let found = try await fixture.listing(list)
            #expect(found.items.first?.detail?.stars == 9)
            #expect(found.total == 70_000 && found.isIncomplete && found.hasMorePages)
            #expect(
                fixture.github.paths == [
                    "/search/repositories?q=topic%3Abirds%20stars%3A%3E5&sort=stars&order=desc&per_page=100&page=1"
                ])
        }
    }

    @Test func `a search with the server's token finds public repositories only`() async throws {
        try await withRepositories { fixture in
            fixture.accounts.setServerToken()
            Self.find(fixture, [Fixture.detail(1)])
            _ = try await fixture.listing(.search(query: "is:private birds", sort: nil))
            #expect(fixture.github.paths.first?.contains("q=is%3Aprivate%20birds%20is%3Apublic&") == true)
        }
    }

    @Test func `search results are kept for five minutes, trending ones for an hour`() async throws {
        for (list, lifetime) in [
            (RepositoryList.search(query: "birds", sort: nil), 300.0),
            (.trending(.week, language: "Swift"), 3_600.0),
        ] {
            try await withRepositories { fixture in
                Self.find(fixture, [Fixture.detail(1)])
                _ = try await fixture.listing(list)
                fixture.clock.advance(lifetime - 1)
                _ = try await fixture.listing(list)
                #expect(fixture.github.paths.count == 1)
                fixture.clock.advance(2)
                let old = try await fixture.lists.listing(list, pages: 1, for: fixture.ada)
                #expect(old.items.count == 1)
                await fixture.runUntilIdle()
                #expect(fixture.github.paths.count == 2)
            }
        }
    }

    @Test func `trending lists recently created repositories, most stars first`() async throws {
        try await withRepositories { fixture in
            Self.find(fixture, [])
            _ = try await fixture.listing(.trending(.month, language: "C\"++ \\"))
            #expect(
                fixture.github.paths == [
                    "/search/repositories?q=created%3A%3E2026-10-11%20language%3A%22C%2B%2B%22&sort=stars"
                        + "&order=desc&per_page=100&page=1"
                ])
        }
    }

    @Test func `a query that GitHub refuses shows GitHub's message, and is not sent again and again`()
        async throws
    {
        try await withRepositories { fixture in
            fixture.github.turn { (_: String, _: String?) in
                throw GitHubFailure(
                    error: .invalidResponse(statusCode: 422), status: 422,
                    detail: "status 422: Validation Failed")
            }
            let list = RepositoryList.search(query: "stars:<>", sort: nil)
            for _ in 0..<3 { _ = try await fixture.listing(list) }
            let found = try await fixture.lists.listing(list, pages: 1, for: fixture.ada)
            #expect(found.refusal == "Validation Failed")
            #expect(found.items.isEmpty && fixture.github.paths.count == 1)
        }
    }

    @Test func `an empty or overlong query is not sent`() async throws {
        try await withRepositories { fixture in
            let empty = try await fixture.listing(.search(query: " \n", sort: nil))
            #expect(empty.items.isEmpty && empty.refusal == nil && !empty.loading.isLoading)
            let long = try await fixture.listing(
                .search(query: String(repeating: "x", count: 257), sort: nil))
            #expect(long.error == .invalidResponse(statusCode: 422))
            #expect(long.refusal == "A search can have at most 256 characters.")
            #expect(fixture.github.paths.isEmpty)
        }
    }

    @Test func `a search ends at a thousand results, whatever its links say`() async throws {
        try await withRepositories { fixture in
            fixture.github.turn { path, _ in
                let page = Int(path.split(separator: "=").last ?? "") ?? 0
                return .init(
                    status: 200, body: Data(Fixture.search([Fixture.detail(page)], total: 5_000).utf8),
                    links: ["next": "/search/repositories?page=\(page + 1)"])
            }
            let found = try await fixture.listing(.search(query: "birds", sort: nil), pages: 12)
            #expect(found.pages == 10 && !found.hasMorePages && found.items.count == 10)
        }
    }

    @Test func `searches have a limit of their own`() async throws {
        try await withRepositories { fixture in
            Self.find(fixture, [Fixture.detail(1)])
            let reset = fixture.clock.now + 40
            fixture.github.set(budget: 1, of: 10, "search", until: reset)
            let found = try await fixture.listing(.search(query: "birds", sort: nil))
            #expect(found.error == .rateLimited(resetDate: reset) && found.budget?.resource == "search")
            fixture.script(pages: 1)
            let all = try await fixture.listing(.all(since: 0))
            #expect(all.items.count == 100)
        }
    }

    @Test func `every query is valid in GitHub's schema`() throws {
        let path = RecordedFiles.folder.appending(
            path: "../github/gh-dash/api.github.com.graphql-schema.json")
        guard let data = try? Data(contentsOf: path) else { return }
        let schema = try GraphQLSchema(data)
        #expect(try GraphQLCheck.faults(of: RepositoryQuery.nodes, in: schema) == [])
    }
}
