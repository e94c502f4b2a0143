import Foundation
import RoostServices
import Synchronization
import Testing

/// Searching by REST when it takes more searches than GitHub gives in a minute.
@Suite struct PullRESTRoundTests {
    private static let limit = GitHubFailure(
        error: .rateLimited(resetDate: TestClock.start + 60), status: 403)

    /// Without GraphQL; `lets` says which searches go through, by their words.
    private func script(_ bench: PullBench, _ lets: @escaping @Sendable (String) -> Bool) {
        bench.gitHub.turn(graphQL: { _, _ in throw GitHubFailure(error: .forbidden, status: 404) })
        bench.gitHub.turn(rest: { path, etag in
            guard lets(path.removingPercentEncoding ?? "") else { throw Self.limit }
            if etag != nil { return .init(status: 304, body: Data()) }
            return .init(status: 200, body: PullFixture.search([PullFixture.item(6)]), etag: "\"1\"")
        })
    }

    @Test func `an own section is cut at three pages, and says so`() async throws {
        try await withPulls { bench in
            let own = try await bench.pulls.addSection(name: "All", query: "org:roost", for: bench.user)
            script(bench) { _ in true }
            bench.gitHub.turn(rest: { path, _ in
                guard path.contains("org") else { return .init(status: 200, body: PullFixture.search([])) }
                let page = path.firstMatch(of: #/&page=(\d+)/#).flatMap { Int($0.1) } ?? 1
                return .init(
                    status: 200, body: PullFixture.search([PullFixture.item(page)], total: 700),
                    links: ["next": "/search/issues?q=org&page=\(page + 1)"])
            })
            await bench.refresh()
            #expect(bench.gitHub.asked.paths.count { $0.contains("org") } == 3)
            let section = bench.inbox.sections.first { $0.id == "own-\(own.id)" }
            #expect(section?.isCut == true && section?.items.count == 3 && section?.total == 700)
        }
    }

    @Test func `a limit among the own sections keeps what came, and the next round begins behind it`()
        async throws
    {
        try await withPulls { bench in
            let one = try await bench.pulls.addSection(name: "One", query: "label:one", for: bench.user)
            let two = try await bench.pulls.addSection(name: "Two", query: "label:two", for: bench.user)
            script(bench) { !$0.contains("label:two") }
            await bench.refresh()
            #expect(bench.source?.error == nil && bench.source?.isIncomplete == true)
            #expect(bench.numbers("mentions") == [6] && bench.numbers("own-\(one.id)") == [6])
            let waiting = bench.inbox.sections.first { $0.id == "own-\(two.id)" }
            #expect(waiting?.problem?.contains("30 searches a minute") == true)
            let count = bench.gitHub.asked.paths.count
            script(bench) { !$0.contains("label:one") }
            bench.clock.advance(700)
            await bench.pulls.refreshDue()
            let asked = bench.gitHub.asked.paths.dropFirst(count).compactMap(\.removingPercentEncoding)
            #expect(asked.filter { $0.contains("label") }.map { $0.contains("label:two") } == [true, false])
            #expect(bench.numbers("own-\(one.id)") == [6] && bench.numbers("own-\(two.id)") == [6])
        }
    }

    @Test func `a limit among the standard searches loses nothing: the next round goes on`() async throws {
        try await withPulls { bench in
            script(bench) { !$0.contains(" author:@me") }
            await bench.refresh()
            #expect(bench.source?.error == Self.limit.error)
            let count = bench.gitHub.asked.paths.count
            script(bench) { _ in true }
            bench.clock.advance(120)
            await bench.pulls.refreshDue()
            let asked = bench.gitHub.asked.paths.dropFirst(count).compactMap(\.removingPercentEncoding)
            #expect(asked.first?.contains(" author:@me") == true)
            #expect(!asked.contains { $0.contains(" review-requested:@me") })
            #expect(bench.source?.error == nil && bench.numbers("mentions") == [6])
        }
    }

    @Test func `a budget whose reset is past is left out`() async throws {
        try await withPulls { bench in
            script(bench) { _ in true }
            bench.gitHub.set(
                budget: RateBudget(
                    resource: "search", limit: 30, remaining: 20, resetAt: bench.clock.now + 40))
            await bench.refresh()
            #expect(bench.source?.budget?.remaining == 20)
            bench.clock.advance(41)
            #expect(bench.source?.budget == nil)
        }
    }
}
