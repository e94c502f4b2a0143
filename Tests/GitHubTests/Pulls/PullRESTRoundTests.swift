import Foundation
import Synchronization
import TestSupport
import Testing

@testable import GitHub

/// Searching by REST when it needs more searches than GitHub allows in a minute.
@Suite struct PullRESTRoundTests {
    private static let limit = GitHubFailure(
        error: .rateLimited(resetDate: TestClock.start + 60), status: 403)

    /// Without GraphQL; `lets` decides which searches succeed, by their query.
    private func script(_ fixture: PullServiceFixture, _ lets: @escaping @Sendable (String) -> Bool) {
        fixture.gitHub.turn(graphQL: { _, _ in throw GitHubFailure(error: .forbidden, status: 404) })
        fixture.gitHub.turn(rest: { path, etag in
            guard lets(path.removingPercentEncoding ?? "") else { throw Self.limit }
            if etag != nil { return .init(status: 304, body: Data()) }
            return .init(status: 200, body: PullFixture.search([PullFixture.item(6)]), etag: "\"1\"")
        })
    }

    @Test func `an own section ends after three pages, and says so`() async throws {
        try await withPulls { fixture in
            let own = try await fixture.pulls.addSection(name: "All", query: "org:roost", for: fixture.user)
            script(fixture) { _ in true }
            fixture.gitHub.turn(rest: { path, _ in
                guard path.contains("org") else { return .init(status: 200, body: PullFixture.search([])) }
                let page = path.firstMatch(of: #/&page=(\d+)/#).flatMap { Int($0.1) } ?? 1
                return .init(
                    status: 200, body: PullFixture.search([PullFixture.item(page)], total: 700),
                    links: ["next": "/search/issues?q=org&page=\(page + 1)"])
            })
            await fixture.refresh()
            #expect(fixture.gitHub.asked.paths.count { $0.contains("org") } == 3)
            let section = try await fixture.inbox.sections.first { $0.id == "own-\(own.id)" }
            #expect(section?.isCut == true && section?.items.count == 3 && section?.total == 700)
        }
    }

    @Test
    func `a limit among the own sections keeps the results so far, and the next round continues after them`()
        async throws
    {
        try await withPulls { fixture in
            let one = try await fixture.pulls.addSection(name: "One", query: "label:one", for: fixture.user)
            let two = try await fixture.pulls.addSection(name: "Two", query: "label:two", for: fixture.user)
            script(fixture) { !$0.contains("label:two") }
            await fixture.refresh()
            #expect(try await fixture.source?.error == nil)
            #expect(try await fixture.source?.isIncomplete == true)
            #expect(try await fixture.numbers("mentions") == [6])
            #expect(try await fixture.numbers("own-\(one.id)") == [6])
            let waiting = try await fixture.inbox.sections.first { $0.id == "own-\(two.id)" }
            #expect(waiting?.problem?.contains("30 searches a minute") == true)
            let count = fixture.gitHub.asked.paths.count
            script(fixture) { !$0.contains("label:one") }
            fixture.clock.advance(700)
            await fixture.pulls.refreshDue()
            let asked = fixture.gitHub.asked.paths.dropFirst(count).compactMap(\.removingPercentEncoding)
            #expect(asked.filter { $0.contains("label") }.map { $0.contains("label:two") } == [true, false])
            #expect(try await fixture.numbers("own-\(one.id)") == [6])
            #expect(try await fixture.numbers("own-\(two.id)") == [6])
        }
    }

    @Test func `a limit among the standard searches loses nothing: the next round continues`() async throws {
        try await withPulls { fixture async throws in
            script(fixture) { !$0.contains(" author:@me") }
            await fixture.refresh()
            #expect(try await fixture.source?.error == Self.limit.error)
            let count = fixture.gitHub.asked.paths.count
            script(fixture) { _ in true }
            fixture.clock.advance(120)
            await fixture.pulls.refreshDue()
            let asked = fixture.gitHub.asked.paths.dropFirst(count).compactMap(\.removingPercentEncoding)
            #expect(asked.first?.contains(" author:@me") == true)
            #expect(!asked.contains { $0.contains(" review-requested:@me") })
            #expect(try await fixture.source?.error == nil)
            #expect(try await fixture.numbers("mentions") == [6])
        }
    }

    @Test func `a budget whose reset has passed is ignored`() async throws {
        try await withPulls { fixture async throws in
            script(fixture) { _ in true }
            fixture.gitHub.set(
                budget: RateBudget(
                    resource: "search", limit: 30, remaining: 20, resetAt: fixture.clock.now + 40))
            await fixture.refresh()
            #expect(try await fixture.source?.budget?.remaining == 20)
            fixture.clock.advance(41)
            #expect(try await fixture.source?.budget == nil)
        }
    }
}
