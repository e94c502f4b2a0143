import Foundation
import TestSupport
import Testing

@testable import GitHub
@testable import RoostSupport

@Suite struct PullScheduleTests {
    private let now = TestClock.start

    private func budget(_ remaining: Int, resetsIn seconds: Double = 3_600) -> RateBudget {
        RateBudget(resource: "graphql", limit: 5_000, remaining: remaining, resetAt: now + seconds)
    }

    private func interval(_ isWatched: Bool, cost: Int = 40, _ budget: RateBudget?) -> TimeInterval {
        PullSchedule.interval(isWatched: isWatched, cost: cost, budget: budget, at: now)
    }

    @Test func `it refreshes every minute while someone is watching, every ten minutes otherwise`() {
        #expect(interval(true, nil) == 60 && interval(false, nil) == 600)
        #expect(interval(true, budget(4_800)) == 60 && interval(false, budget(4_800)) == 600)
    }

    @Test func `the budget, less the fifth for other tools, lasts until the reset`() {
        // 1,400 points less the 1,000 are ten refreshes: one in six minutes.
        #expect(interval(true, budget(1_400)) == 360)
        #expect(interval(false, budget(1_400)) == 600)
        // 4,000 less the 1,000 are enough for one a minute.
        #expect(interval(true, budget(4_000)) == 60)
    }

    @Test func `with only that fifth left it waits for the reset`() {
        #expect(interval(true, budget(1_039)) == 3_601)
        #expect(interval(true, budget(1_000)) == 3_601)
        #expect(interval(true, budget(0, resetsIn: 5)) == 60)
    }

    @Test func `the pace reports whether it is slowed or paused, and until when`() {
        let pace = { remaining in
            PullSchedule.pace(cost: 40, budget: budget(remaining), at: now)
        }
        #expect(pace(4_800) == .normal)
        #expect(pace(1_400) == .slowed(until: now + 3_600))
        #expect(pace(1_039) == .paused(until: now + 3_600))
        #expect(PullSchedule.pace(cost: 40, budget: nil, at: now) == .normal)
        #expect(PullSchedule.pace(cost: 40, budget: budget(0, resetsIn: -1), at: now) == .normal)
    }

    @Test func `nothing is reserved of a minute's searches`() {
        let searches = RateBudget(resource: "search", limit: 30, remaining: 12, resetAt: now + 30)
        #expect(searches.reserve == 0)
        #expect(interval(true, cost: 11, searches) == 60)
        #expect(PullSchedule.pace(cost: 20, budget: searches, at: now) == .normal)
    }

    @Test func `an expired budget is ignored, and an invalid one does no harm`() {
        #expect(interval(true, budget(0, resetsIn: -1)) == 60)
        #expect(interval(true, cost: 0, budget(-5, resetsIn: 100)) == 101)
    }

    private func backOff(_ failures: Int, _ error: APIError, retryAfter: Double? = nil) -> TimeInterval {
        Backoff.gitHub.delay(
            failures: failures, failure: GitHubFailure(error: error, retryAfter: retryAfter), jitter: 1,
            at: now
        ).inSeconds
    }

    @Test func `failures wait longer and longer, ten minutes at most`() {
        let waits = (1...8).map { backOff($0, .networkUnavailable) }
        #expect(waits == [15, 30, 60, 120, 240, 480, 600, 600])
        #expect(backOff(1_000, .networkUnavailable) == 600)
    }

    @Test func `GitHub's Retry-After is respected, whatever the back-off`() {
        #expect(backOff(1, .serverError(statusCode: 503), retryAfter: 90) == 90)
        #expect(backOff(1, .rateLimited(resetDate: now + 1_800)) == 1_800)
        #expect(backOff(1, .rateLimited(resetDate: now - 5), retryAfter: 70) == 70)
    }
}
