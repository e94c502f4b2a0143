import Foundation
import TestSupport
import Testing

@testable import GitHub

@Suite struct RateLimitPolicyTests {
    private static func budget(_ remaining: Int, of limit: Int, in seconds: TimeInterval = 600) -> RateBudget
    {
        RateBudget(
            resource: "core", limit: limit, remaining: remaining, resetAt: TestClock.start + seconds)
    }

    /// The highest remaining budget at which this kind of work has to wait.
    private static func stop(_ use: RateLimitPolicy.Purpose, of limit: Int) -> Int? {
        (0...limit).last { left in
            RateLimitPolicy.closedUntil(use, budget(left, of: limit), now: TestClock.start) != nil
        }
    }

    @Test(arguments: [
        (RateLimitPolicy.Purpose.click, 0), (.readme, 3), (.page, 10), (.rows, 30), (.upkeep, 40),
    ])
    func `of sixty an hour each kind of work leaves a reserve for more urgent kinds`(
        use: RateLimitPolicy.Purpose, left: Int
    ) {
        #expect(Self.stop(use, of: 60) == left)
    }

    @Test(arguments: [
        (RateLimitPolicy.Purpose.click, 0), (.readme, 20), (.page, 50), (.rows, 500), (.upkeep, 1_000),
    ])
    func `of five thousand the reserves are smaller fractions`(use: RateLimitPolicy.Purpose, left: Int) {
        #expect(Self.stop(use, of: 5_000) == left)
    }

    @Test func `work that has to wait gets the time of the reset`() {
        let closed = RateLimitPolicy.closedUntil(.rows, Self.budget(30, of: 60), now: TestClock.start)
        #expect(closed == TestClock.start + 600)
    }

    @Test func `an unknown budget, or one past its reset, allows requests`() {
        #expect(RateLimitPolicy.closedUntil(.upkeep, nil, now: TestClock.start) == nil)
        let past = Self.budget(0, of: 60, in: 0)
        #expect(RateLimitPolicy.closedUntil(.click, past, now: TestClock.start) == nil)
    }

    @Test func `the more urgent a kind of work is, the smaller its reserve`() {
        for limit in [1, 10, 30, 60, 1_000, 1_001, 5_000, 15_000] {
            let reserves = RateLimitPolicy.Purpose.allCases.map {
                RateLimitPolicy.reserve(of: limit, for: $0)
            }
            // A README reserves three requests for clicks, even of a small limit.
            if limit > 17 { #expect(reserves == reserves.sorted(by: >), "\(limit)") }
            #expect(RateLimitPolicy.reserve(of: limit, for: .click) == 0)
        }
    }
}
