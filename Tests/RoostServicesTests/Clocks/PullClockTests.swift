import Foundation
import RoostServices
import Testing

/// The machine's clock is wrong while the inbox is fetched, and is set right after.
@Suite(.timeLimit(.minutes(2))) struct PullClockTests {
    private let day: TimeInterval = 86_400

    @Test(arguments: [2.0, -2, 1, -1])
    func `the inbox grows old at the same pace, and is asked for again in a minute`(days: Double)
        async throws
    {
        try await withPulls { bench in
            bench.clock.jump(days * day)
            bench.pulls.want(bench.user)
            await bench.refresh()
            bench.clock.jump(-days * day)
            bench.clock.advance(20)
            #expect(bench.inbox.now == bench.clock.now)
            #expect(bench.source?.updatedAt == bench.clock.now - 20)
            #expect(bench.source?.loading == .loaded(bench.clock.now - 20))
            #expect(bench.source?.nextTryAt == bench.clock.now + 40)
            bench.clock.advance(39)
            await bench.pulls.refreshDue()
            #expect(bench.gitHub.requests == 1)
            bench.clock.advance(1)
            await bench.pulls.refreshDue()
            #expect(bench.gitHub.requests == 2)
        }
    }

    @Test(arguments: [1.0, -1])
    func `a failure is tried again as soon as it would have been`(days: Double) async throws {
        try await withPulls { bench in
            bench.gitHub.fail(.rateLimited(resetDate: bench.clock.now + 300), retryAfter: 300)
            await bench.refresh()
            bench.clock.jump(days * day)
            let until = bench.clock.now + 300
            #expect(bench.source?.error == .rateLimited(resetDate: until))
            #expect(bench.source?.nextTryAt == until)
            #expect(bench.pulls.retry(for: bench.user) == .mustWait(until: until))
            bench.gitHub.recover()
            bench.clock.advance(300)
            await bench.pulls.refreshDue()
            #expect(bench.source?.error == nil && bench.source?.updatedAt == bench.clock.now)
        }
    }

    @Test func `a reset that only a wrong clock can see far ahead is an hour away at most`() {
        let now = TestClock.start
        let budget = RateBudget(resource: "graphql", limit: 5_000, remaining: 0, resetAt: now + 2 * day)
        let wait = PullSchedule.interval(isWatched: true, cost: 1, budget: budget, at: now)
        #expect(wait <= RateBudget.longestWindow + 1)
    }

    private func snoozed(_ days: Double, _ test: (PullBench) async throws -> Void) async throws {
        try await withPulls { bench in
            bench.gitHub.set(.asked, PullFixture.node(1, PullFixture.asks("ada")))
            await bench.refresh()
            let until = bench.clock.now + day / 2
            try await bench.pulls.mark(PullFixture.key(1), .snoozedUntil(until), for: bench.user)
            #expect(bench.numbers("turn").isEmpty && bench.inbox.hidden.count == 1)
            bench.clock.jump(days * day)
            await bench.pulls.refreshDue()
            try await test(bench)
        }
    }

    @Test func `a snooze ends at its hour, though the clock was put forward`() async throws {
        try await snoozed(1) { bench in
            #expect(bench.numbers("turn") == [1] && bench.inbox.hidden.isEmpty)
        }
    }

    @Test func `a snooze ends at its hour, though the clock was put back`() async throws {
        try await snoozed(-1) { bench in
            #expect(bench.numbers("turn").isEmpty)
            bench.clock.advance(1.5 * day)
            await bench.pulls.refreshDue()
            #expect(bench.numbers("turn") == [1])
        }
    }

    @Test func `a snooze longer than any can be is over`() async throws {
        try await snoozed(-800) { bench in #expect(bench.numbers("turn") == [1]) }
    }
}
