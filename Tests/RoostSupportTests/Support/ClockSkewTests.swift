import Foundation
import TestSupport
import Testing

@testable import RoostSupport

@Suite struct ClockSkewTests {
    @Test(arguments: [(-1_000_000.0, false), (0, false), (300, false), (300.5, true), (1_000_000, true)])
    func `only a time more than five minutes ahead is clamped`(ahead: Double, isClamped: Bool) {
        let now = TestClock.start
        let result = ClockSkew.clamped(now + ahead, now: now)
        #expect(result.wasAhead == isClamped)
        #expect(result.date == (isClamped ? now : now + ahead))
    }
}
