import Foundation
import TestSupport
import Testing

@testable import GitHub

/// The machine's clock is wrong while the inbox is fetched, and is corrected afterwards.
@Suite(.timeLimit(.minutes(2))) struct PullClockTests {
    private let day: TimeInterval = 86_400

    @Test(arguments: [2.0, -2, 1, -1])
    func `the inbox ages at the same pace, and is refreshed after a minute`(days: Double)
        async throws
    {
        try await withPulls { fixture async throws in
            fixture.clock.jump(days * day)
            fixture.pulls.watch(fixture.user)
            await fixture.refresh()
            fixture.clock.jump(-days * day)
            fixture.clock.advance(20)
            #expect(try await fixture.inbox.now == fixture.clock.now)
            #expect(try await fixture.source?.updatedAt == fixture.clock.now - 20)
            #expect(try await fixture.source?.loading == .loaded(fixture.clock.now - 20))
            #expect(try await fixture.source?.nextTryAt == fixture.clock.now + 40)
            fixture.clock.advance(39)
            await fixture.pulls.refreshDue()
            #expect(fixture.gitHub.requests == 1)
            fixture.clock.advance(1)
            await fixture.pulls.refreshDue()
            #expect(fixture.gitHub.requests == 2)
        }
    }

    @Test(arguments: [1.0, -1])
    func `a failure is retried as soon as it would have been`(days: Double) async throws {
        try await withPulls { fixture async throws in
            fixture.gitHub.fail(.rateLimited(resetDate: fixture.clock.now + 300), retryAfter: 300)
            await fixture.refresh()
            fixture.clock.jump(days * day)
            let until = fixture.clock.now + 300
            #expect(try await fixture.source?.error == .rateLimited(resetDate: until))
            #expect(try await fixture.source?.nextTryAt == until)
            #expect(fixture.pulls.retry(for: fixture.user) == .mustWait(until: until))
            fixture.gitHub.recover()
            fixture.clock.advance(300)
            await fixture.pulls.refreshDue()
            #expect(try await fixture.source?.error == nil)
            #expect(try await fixture.source?.updatedAt == fixture.clock.now)
        }
    }

    @Test func `a reset that a wrong clock puts far ahead is waited for an hour at most`() {
        let now = TestClock.start
        let budget = RateBudget(resource: "graphql", limit: 5_000, remaining: 0, resetAt: now + 2 * day)
        let wait = PullSchedule.interval(isWatched: true, cost: 1, budget: budget, at: now)
        #expect(wait <= RateBudget.maximumWindow + 1)
    }

    private func snoozed(_ days: Double, _ test: (PullServiceFixture) async throws -> Void) async throws {
        try await withPulls { fixture in
            fixture.gitHub.set(.reviewRequested, PullFixture.node(1, PullFixture.asks("ada")))
            await fixture.refresh()
            let until = fixture.clock.now + day / 2
            try await fixture.pulls.mark(PullFixture.key(1), .snoozedUntil(until), for: fixture.user)
            #expect(try await fixture.numbers("turn").isEmpty)
            #expect(try await fixture.inbox.hidden.count == 1)
            fixture.clock.jump(days * day)
            await fixture.pulls.refreshDue()
            try await test(fixture)
        }
    }

    @Test func `a snooze ends at its time when the clock is set forward`() async throws {
        try await snoozed(1) { fixture async throws in
            #expect(try await fixture.numbers("turn") == [1])
            #expect(try await fixture.inbox.hidden.isEmpty)
        }
    }

    @Test func `a snooze ends at its time when the clock is set back`() async throws {
        try await snoozed(-1) { fixture async throws in
            #expect(try await fixture.numbers("turn").isEmpty)
            fixture.clock.advance(1.5 * day)
            await fixture.pulls.refreshDue()
            #expect(try await fixture.numbers("turn") == [1])
        }
    }

    @Test func `a snooze longer than the maximum ends at once`() async throws {
        try await snoozed(-800) { fixture async throws in #expect(try await fixture.numbers("turn") == [1]) }
    }
}
