import Foundation
import GRDB
import TestSupport
import Testing

@testable import GitHub
@testable import RoostSupport

@Suite struct RepositoryListingTests {
    private typealias Fixture = RepositoryFixture

    @Test func `a missing page is fetched in the background, and no one waits for it`() async throws {
        try await withRepositories { fixture in
            fixture.script(pages: 2)
            let first = try await fixture.lists.listing(.all(since: 0), pages: 1, for: fixture.ada)
            #expect(first.items.isEmpty && first.pages == 0 && first.loading.isLoading)
            #expect(fixture.github.paths.isEmpty)
            await fixture.runUntilIdle()
            let then = try await fixture.lists.listing(.all(since: 0), pages: 1, for: fixture.ada)
            #expect(then.items.map(\.id) == (1...100).map { RepositoryID($0) })
            #expect(then.pages == 1 && then.loading == .idle && then.error == nil)
            #expect(then.hasMorePages && then.next == 100)
            #expect(then.updatedAt == fixture.clock.now)
        }
    }

    @Test func `pages follow GitHub’s link to the end`() async throws {
        try await withRepositories { fixture in
            fixture.script(pages: 3)
            let listing = try await fixture.listing(.all(since: 0), pages: 5)
            #expect(listing.items.count == 300 && listing.pages == 3)
            #expect(!listing.hasMorePages && listing.next == nil && listing.loading == .idle)
            #expect(fixture.github.paths == (0..<3).map { RepositoryFixture.path(since: $0 * 100) })
        }
    }

    @Test(arguments: [
        "/repositories?since=0", "/repositories?since=-7", "/user?since=900", "/repositories?page=2",
    ])
    func `a link that leads to a known page ends the list`(link: String) async throws {
        try await withRepositories { fixture in
            fixture.github.set("/repositories", "[\(Fixture.item(1))]", next: link)
            let listing = try await fixture.listing(.all(since: 0), pages: 3)
            #expect(listing.pages == 1 && !listing.hasMorePages)
        }
    }

    @Test func `a page is fetched once for all users, by one of them`() async throws {
        try await withRepositories { fixture in
            fixture.script(pages: 1)
            let own = RepositoryScript("grace")
            fixture.accounts.set(own, for: fixture.grace)
            own.set("/repositories", Fixture.page(after: 0))
            for user in [fixture.ada, fixture.grace, fixture.ada] {
                _ = try await fixture.lists.listing(.all(since: 0), pages: 1, for: user)
            }
            await fixture.runUntilIdle()
            #expect(fixture.github.paths.count + own.paths.count == 1)
            for user in [fixture.ada, fixture.grace] {
                let listing = try await fixture.lists.listing(.all(since: 0), pages: 1, for: user)
                #expect(listing.items.count == 100)
            }
        }
    }

    @Test func `loaded pages stay when the next one fails, with the reason and the time of the next try`()
        async throws
    {
        try await withRepositories { fixture in
            fixture.script(pages: 3)
            _ = try await fixture.listing(.all(since: 0), pages: 1)
            fixture.github.fail("/repositories?since=100", .serverError(statusCode: 502), status: 502)
            let failed = try await fixture.listing(.all(since: 0), pages: 2)
            #expect(failed.items.count == 100 && failed.pages == 1)
            #expect(failed.error == .serverError(statusCode: 502))
            #expect(failed.loading == .failed(.serverError(statusCode: 502)))
            #expect((failed.nextTryAt ?? .distantPast) > fixture.clock.now)
            #expect(failed.hasMorePages)
            fixture.script(pages: 3)
            fixture.clock.advance(60)
            let back = try await fixture.listing(.all(since: 0), pages: 2)
            #expect(back.items.count == 200 && back.error == nil)
        }
    }

    @Test func `a click retries at once, unless a limit is active`() async throws {
        try await withRepositories { fixture in
            fixture.github.fail("/repositories", .networkUnavailable)
            _ = try await fixture.listing(.all(since: 0))
            fixture.script(pages: 1)
            #expect(fixture.lists.retry(.all(since: 0), for: fixture.ada) == .started)
            await fixture.runUntilIdle()
            let listing = try await fixture.lists.listing(.all(since: 0), pages: 1, for: fixture.ada)
            #expect(listing.items.count == 100)
            fixture.github.set(budget: 10, of: 60, until: fixture.clock.now + 900)
            let retry = fixture.lists.retry(.all(since: 0), for: fixture.ada)
            #expect(retry == .mustWait(until: fixture.clock.now + 900))
        }
    }

    @Test func `an old page is shown while it is fetched again with its ETag`() async throws {
        try await withRepositories { fixture in
            fixture.script(pages: 1)
            _ = try await fixture.listing(.all(since: 0))
            fixture.clock.advance(601)
            let old = try await fixture.lists.listing(.all(since: 0), pages: 1, for: fixture.ada)
            #expect(old.items.count == 100 && old.updatedAt == TestClock.start)
            await fixture.runUntilIdle()
            #expect(fixture.github.asked.map(\.etag) == [nil, "W/\"0\""])
            let new = try await fixture.lists.listing(.all(since: 0), pages: 1, for: fixture.ada)
            #expect(new.updatedAt == fixture.clock.now && new.items.count == 100)
        }
    }

    @Test func `an old page is not refreshed when the remaining budget is reserved for clicks`() async throws
    {
        try await withRepositories { fixture in
            fixture.script(pages: 1)
            _ = try await fixture.listing(.all(since: 0))
            fixture.clock.advance(601)
            fixture.github.set(budget: 30, of: 60, until: fixture.clock.now + 900)
            let listing = try await fixture.listing(.all(since: 0))
            #expect(listing.items.count == 100 && listing.error == nil)
            #expect(fixture.github.paths.count == 1)
            #expect(fixture.lists.retry(.all(since: 0), for: fixture.ada) == .started)
            await fixture.runUntilIdle()
            #expect(fixture.github.paths.count == 2)
        }
    }

    @Test func `a list is valid as long as its oldest page, and is then fetched again`() async throws {
        try await withRepositories { fixture in
            fixture.script(pages: 2)
            let startedAt = fixture.clock.now
            _ = try await fixture.listing(.all(since: 0))
            fixture.clock.advance(300)
            let both = try await fixture.listing(.all(since: 0), pages: 2)
            #expect(both.updatedAt == startedAt)
            #expect(both.expiresAt == startedAt + 600)
            #expect(!both.isRenewing)
            fixture.clock.advance(301)
            let old = try await fixture.lists.listing(.all(since: 0), pages: 2, for: fixture.ada)
            #expect(old.expiresAt == startedAt + 600)
            #expect(old.isRenewing)
            await fixture.runUntilIdle()
            let new = try await fixture.lists.listing(.all(since: 0), pages: 2, for: fixture.ada)
            #expect(new.expiresAt == startedAt + 900)
            #expect(!new.isRenewing)
        }
    }

    @Test func `a click publishes the list at once and fetches it`() async throws {
        try await withRepositories { fixture in
            fixture.script(pages: 1)
            _ = try await fixture.listing(.all(since: 0))
            fixture.clock.advance(60)
            let cursor = fixture.feed.cursor
            #expect(fixture.lists.retry(.all(since: 0), for: fixture.ada) == .started)
            #expect(fixture.told(since: cursor) == [Topic.repositories(fixture.ada)])
            let listing = try await fixture.lists.listing(.all(since: 0), pages: 1, for: fixture.ada)
            #expect(listing.isRenewing)
            await fixture.runUntilIdle()
            let new = try await fixture.lists.listing(.all(since: 0), pages: 1, for: fixture.ada)
            #expect(!new.isRenewing)
            #expect(new.updatedAt == fixture.clock.now)
        }
    }

    @Test func `an old list that the budget cannot refresh stays old, without an error`() async throws {
        try await withRepositories { fixture in
            fixture.script(pages: 1)
            _ = try await fixture.listing(.all(since: 0))
            fixture.github.set(budget: 20, of: 60, until: fixture.clock.now + 3_600)
            fixture.clock.advance(1_200)
            let old = try await fixture.listing(.all(since: 0))
            #expect(old.expiresAt == fixture.clock.now - 600)
            #expect(!old.isRenewing)
            #expect(old.error == nil)
            #expect(fixture.github.paths.count == 1)
        }
    }

    @Test func `refused items are reported, and a private one on the shared list is not shown`() async throws
    {
        try await withRepositories { fixture in
            let items = [Fixture.item(1), Fixture.item(2, isPrivate: "true"), "7"]
            fixture.github.set("/repositories", "[\(items.joined(separator: ","))]")
            let listing = try await fixture.listing(.all(since: 0))
            #expect(listing.items.map(\.id) == [1])
            #expect(listing.refused == 2)
        }
    }

    @Test func `each repository is listed once, however many pages have it`() async throws {
        try await withRepositories { fixture in
            fixture.github.set(
                "/repositories", "[\(Fixture.item(1)),\(Fixture.item(2))]",
                next: "/repositories?since=1")
            fixture.github.set("/repositories?since=1", "[\(Fixture.item(2)),\(Fixture.item(3))]")
            let listing = try await fixture.listing(.all(since: 0), pages: 2)
            #expect(listing.items.map(\.id) == [1, 2, 3])
        }
    }

    @Test func `a new fact about a repository shows in every list`() async throws {
        try await withRepositories { fixture in
            fixture.script(pages: 1)
            _ = try await fixture.listing(.all(since: 0))
            fixture.github.set("/repos/owner5/repo5", Fixture.detail(5, stars: 4_000))
            _ = try await fixture.view("owner5/repo5", for: fixture.grace)
            let listing = try await fixture.lists.listing(.all(since: 0), pages: 1, for: fixture.ada)
            #expect(listing.items[4].detail?.stars == 4_000)
            #expect(listing.items[3].detail == nil)
        }
    }

    @Test(arguments: [1, 100])
    func `one statement reads the details of a list, however many there are`(
        detailCount: Int
    ) async throws {
        try await withRepositories { fixture in
            fixture.github.turn { _, _ in
                let items = (1...detailCount).map { Fixture.detail($0) }
                return .init(status: 200, body: Data(Fixture.search(items).utf8))
            }
            _ = try await fixture.listing(.search(query: "birds", sort: nil))
            let restarted = try await fixture.restarted()
            restarted.script(pages: 10)
            _ = try await restarted.lists.listing(.all(since: 0), pages: 1, for: fixture.ada)
            await restarted.runUntilIdle()
            let before = fixture.statements.all.count
            let listing = try await restarted.lists.listing(.all(since: 0), pages: 1, for: fixture.ada)
            #expect(listing.items.filter { $0.detail != nil }.count == detailCount)
            let reads = fixture.statements.all.dropFirst(before).filter { $0.contains("FROM repositories") }
            #expect(reads.count == 1)
            _ = try await restarted.listing(.all(since: 0), pages: 10)
            let later = fixture.statements.all.count
            let many = try await restarted.lists.listing(.all(since: 0), pages: 10, for: fixture.ada)
            #expect(many.items.count == 1_000)
            let more = fixture.statements.all.dropFirst(later).filter { $0.contains("FROM repositories") }
            #expect(more.count == 1)
        }
    }

    @Test func `repositories are found by an index`() async throws {
        try await withRepositories { fixture in
            fixture.script(pages: 1)
            fixture.github.set("/repos/ada/engine", Fixture.detail(5, "ada/engine"))
            _ = try await fixture.listing(.all(since: 0))
            _ = try await fixture.view("ada/engine")
            let asked = Set(fixture.statements.all).filter {
                $0.hasPrefix("SELECT") && $0.contains("FROM repositories")
            }
            let plans = try await fixture.database.read { database in
                try asked.map { try QueryPlan(of: $0, database).steps }
            }
            #expect(plans.count >= 3)
            for plan in plans { #expect(!plan.contains { $0.hasPrefix("SCAN repositor") }, "\(plan)") }
        }
    }

    @Test func `a page of the JSON API waits for GitHub and reports errors`() async throws {
        try await withRepositories { fixture in
            fixture.script(pages: 2)
            let page = try await fixture.lists.page(since: 100, for: fixture.ada)
            #expect(page.items.count == 100 && page.next == nil)
            fixture.github.fail(
                "/repositories?since=7", .rateLimited(resetDate: fixture.clock.now + 90), status: 403,
                retryAfter: 90)
            let error = await refusal { _ = try await fixture.lists.page(since: 7, for: fixture.ada) }
            guard case .unavailable(let why, let wait) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(why.hasPrefix("GitHub rate limit exceeded.") && wait == 90)
        }
    }

    @Test func `a wait that GitHub asked for is reported even without a limit, as the time left`()
        async throws
    {
        try await withRepositories { fixture in
            fixture.github.fail(
                "/repositories?since=7", .serverError(statusCode: 503), status: 503, retryAfter: 100)
            for (passed, left) in [(0.0, 100), (40, 60)] {
                fixture.clock.advance(passed)
                let error = await refusal { _ = try await fixture.lists.page(since: 7, for: fixture.ada) }
                guard case .unavailable(_, let wait) = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                #expect(wait == left)
            }
            #expect(fixture.github.paths == ["/repositories?since=7"])
            fixture.github.fail("/repositories?since=8", .serverError(statusCode: 503), status: 503)
            let error = await refusal { _ = try await fixture.lists.page(since: 8, for: fixture.ada) }
            guard case .unavailable(_, nil) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test func `a list is published once, not for every read`() async throws {
        try await withRepositories { fixture in
            fixture.script(pages: 2)
            let cursor = fixture.feed.cursor
            _ = try await fixture.listing(.all(since: 0), pages: 2)
            #expect(fixture.told(since: cursor).contains(Topic.repositories))
            let later = fixture.feed.cursor
            _ = try await fixture.listing(.all(since: 0), pages: 2)
            #expect(fixture.told(since: later).isEmpty)
        }
    }
}
