import Foundation
import Testing

@testable import Market

@Suite struct CallBudgetTests {
    /// 1 December 2026, 00:00 UTC, the first second of a month of 31 days.
    private let december = Date(timeIntervalSince1970: 1_796_083_200)
    private let monthly = 10_000

    /// Refreshes from `start` to the end of its month whenever the budget allows, at most every 60 s.
    private func simulate(
        from start: Date, calls: Int = 1, isLooking: (Date) -> Bool = { _ in true }
    ) -> (used: Int, intervals: [Double]) {
        var budget = CallBudget(monthlyCalls: monthly, used: 0)
        var intervals: [Double] = []
        var now = start
        let end = CallBudget.month(of: start).end
        while now < end {
            if isLooking(now) { budget.used += calls }
            let interval = isLooking(now) ? max(60, budget.interval(at: now, calls: calls)) : 60
            if isLooking(now) { intervals.append(interval) }
            now += interval
        }
        return (budget.used, intervals)
    }

    @Test func `a display that is always on refreshes about every 268 s in a month of 31 days`() throws {
        let (used, intervals) = simulate(from: december)
        let day = intervals[1_000..<1_320]
        #expect(day.allSatisfy { (260...280).contains($0) }, "\(day.min() ?? 0) to \(day.max() ?? 0)")
        #expect(used <= monthly)
        #expect(used > monthly * 98 / 100)
    }

    @Test func `someone who looks for an hour a day gets prices faster than a display that is always on`() {
        let (used, intervals) = simulate(from: december) {
            Int($0.timeIntervalSince(december)) % 86_400 >= 82_800
        }
        #expect(intervals.sorted()[intervals.count / 2] < 100)
        #expect(used <= monthly)
    }

    @Test func `the calls saved in a quiet night are spent over hours, not at once`() {
        let morning = december + 8 * 3_600
        let budget = CallBudget(monthlyCalls: monthly, used: 0)
        let interval = budget.interval(at: morning, calls: 1)
        #expect(interval < 268 / 2 && interval > 60)
    }

    @Test(arguments: [1, 2, 5])
    func `a month never uses more than its calls, however many a refresh takes`(calls: Int) {
        #expect(simulate(from: december, calls: calls).used <= monthly)
        #expect(simulate(from: december + 20 * 86_400, calls: calls).used <= monthly)
        #expect(simulate(from: december + 30.9 * 86_400, calls: calls).used <= monthly)
    }

    @Test func `refreshes of two calls happen half as often`() {
        let budget = CallBudget(monthlyCalls: monthly, used: 5_000)
        let one = budget.interval(at: december + 86_400, calls: 1)
        #expect(budget.interval(at: december + 86_400, calls: 2) == 2 * one)
    }

    @Test func `a budget in debt spreads the remaining calls over the rest of the month`() {
        let middle = december + 15.5 * 86_400
        let budget = CallBudget(monthlyCalls: monthly, used: 9_000)
        let interval = budget.interval(at: middle, calls: 1)
        #expect(abs(interval - 15.5 * 86_400 / 1_000) < 1)
        #expect(budget.left == 1_000)
    }

    @Test(arguments: [10_000, 10_500])
    func `with no calls left the next refresh is next month`(used: Int) {
        let budget = CallBudget(monthlyCalls: monthly, used: used)
        let now = december + 10 * 86_400
        #expect(budget.left == 0)
        #expect(now + budget.interval(at: now, calls: 1) == CallBudget.month(of: now).end)
    }

    @Test func `fewer calls than a refresh needs count as none`() {
        let budget = CallBudget(monthlyCalls: monthly, used: 9_999)
        let now = december + 10 * 86_400
        #expect(now + budget.interval(at: now, calls: 2) == CallBudget.month(of: now).end)
    }

    @Test func `the last moment of a month still has a finite, positive interval`() {
        let budget = CallBudget(monthlyCalls: monthly, used: 3)
        let interval = budget.interval(at: CallBudget.month(of: december).end - 0.001, calls: 1)
        #expect(interval.isFinite && interval > 0)
    }

    @Test func `months are calendar months in UTC, each with its own name`() {
        let beforeMidnight = december - 1
        #expect(CallBudget.monthName(of: beforeMidnight) == "2026-11")
        #expect(CallBudget.monthName(of: december) == "2026-12")
        #expect(CallBudget.month(of: december).duration == 31 * 86_400)
        #expect(CallBudget.month(of: beforeMidnight).duration == 30 * 86_400)
        #expect(CallBudget.month(of: Date(timeIntervalSince1970: 1_709_164_800)).duration == 29 * 86_400)
    }
}
