import Foundation
import TestSupport
import Testing

@testable import Market

@Suite struct PriceScheduleTests {
    private let now = TestClock.start
    private let serverError = CoinGeckoAPI.Failure(error: .serverError(statusCode: 503))

    @Test(arguments: [(CoinGeckoPlan.keyless, 60.0), (.demo, 60), (.paid, 30)])
    func `a plan without a budget has its own fixed interval`(plan: CoinGeckoPlan, seconds: Double) {
        #expect(PriceSchedule(plan: plan).interval(at: now, calls: 1, budget: nil) == seconds)
    }

    @Test(arguments: [
        (CoinGeckoPlan.keyless, 5, 60.0), (.keyless, 6, 72), (.keyless, 63, 756), (.demo, 30, 60),
        (.demo, 63, 126),
        (.paid, 60, 30), (.paid, 120, 60),
    ])
    func `many currencies and coins share the minute's limit`(
        plan: CoinGeckoPlan, calls: Int, seconds: Double
    ) {
        #expect(PriceSchedule(plan: plan).interval(at: now, calls: calls, budget: nil) == seconds)
    }

    @Test(arguments: [1, 3, 10])
    func `an evenly spent month costs the same, however many currencies share it`(calls: Int) {
        let month = CallBudget.month(of: now)
        let used = Int(10_000 * now.timeIntervalSince(month.start) / month.duration) + 1
        let budget = CallBudget(monthlyCalls: 10_000, used: used)
        let interval = PriceSchedule(plan: .demo).interval(at: now, calls: calls, budget: budget)
        let hourly = 3_600 / interval * Double(calls)
        #expect((13.8...13.9).contains(hourly))
    }

    @Test func `the plans' limits are those of CoinGecko's documentation`() {
        #expect(CoinGeckoPlan.allCases.map(\.monthlyCalls) == [nil, 10_000, nil])
        #expect(CoinGeckoPlan.allCases.map(\.edgeCache) == [60, 60, 20])
        #expect(
            CoinGeckoPlan.allCases.map(\.defaultURL) == [
                "https://api.coingecko.com/api/v3", "https://api.coingecko.com/api/v3",
                "https://pro-api.coingecko.com/api/v3",
            ])
    }

    @Test func `a budget slows the demo plan down but never refreshes faster than CoinGecko's cache`() {
        let schedule = PriceSchedule(plan: .demo)
        let spent = CallBudget(monthlyCalls: 10_000, used: 9_900)
        let fresh = CallBudget(monthlyCalls: 10_000, used: 0)
        #expect(schedule.interval(at: now, calls: 1, budget: spent) > 10_000)
        #expect(schedule.interval(at: now, calls: 1, budget: fresh) == 60)
    }

    @Test func `the operator's own interval overrides plan and budget`() {
        let schedule = PriceSchedule(plan: .demo, override: 15)
        let spent = CallBudget(monthlyCalls: 10_000, used: 10_000)
        #expect(schedule.interval(at: now, calls: 1, budget: spent) == 15)
    }

    @Test(arguments: [
        (CoinGeckoPlan.keyless, Int?.none), (.demo, nil), (.paid, nil), (.keyless, 60), (.keyless, 300),
        (.demo, 268), (.paid, 20),
    ])
    func `a sensible interval gives no warning`(plan: CoinGeckoPlan, override: Int?) {
        #expect(PriceSchedule(plan: plan, override: override).warning == nil)
    }

    @Test func `an interval that the month's calls cannot cover gives a warning with the cost`() {
        #expect(
            PriceSchedule(plan: .demo, override: 60).warning
                == "The price interval is set to 60 s: up to 44640 calls a month, "
                + "but the plan has 10000.")
    }

    @Test(arguments: [(CoinGeckoPlan.keyless, 30, 60), (.paid, 5, 20)])
    func `an interval shorter than CoinGecko's cache gives a warning`(
        plan: CoinGeckoPlan, override: Int, cache: Int
    ) {
        #expect(
            PriceSchedule(plan: plan, override: override).warning
                == "The price interval is set to \(override) s, "
                + "but CoinGecko repeats the same answer for \(cache) s on this plan.")
    }

    private func delay(
        _ failures: Int, _ failure: CoinGeckoAPI.Failure, jitter: Double = 1
    ) -> TimeInterval {
        PriceSchedule.backoff.delay(failures: failures, failure: failure, jitter: jitter, at: now).inSeconds
    }

    @Test func `failures back off from ten seconds to five minutes`() {
        let waits = (1...8).map { delay($0, serverError) }
        #expect(waits == [10, 20, 40, 80, 160, 300, 300, 300])
        #expect(delay(10_000, serverError) == 300)
    }

    @Test func `jitter spreads the retries`() {
        #expect(delay(3, serverError, jitter: 0.8) == 32)
        #expect(delay(3, serverError, jitter: 1.2) == 48)
    }

    @Test func `a wait that CoinGecko requests is respected, whatever the jitter`() {
        let failure = CoinGeckoAPI.Failure(error: .serverError(statusCode: 503), retryAfter: 119)
        #expect(delay(1, failure, jitter: 0.8) == 119)
        #expect(delay(9, failure, jitter: 1) == 300)
    }

    @Test(arguments: [(Double?.none, 60.0), (1, 60), (119, 119), (3_600, 3_600)])
    func `a rejected request is not repeated within a minute`(retryAfter: Double?, wait: Double) {
        let failure = CoinGeckoAPI.Failure(error: .rateLimited(resetDate: now), retryAfter: retryAfter)
        #expect(delay(1, failure, jitter: 0.8) == wait)
    }
}
