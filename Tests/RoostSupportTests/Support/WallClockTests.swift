import Foundation
import TestSupport
import Testing

@testable import RoostSupport

@Suite struct WallClockTests {
    @Test func `the machine's clocks agree until someone sets one`() {
        let clock = WallClock()
        let (instant, date) = (clock.steady(), clock.now())
        #expect(abs(clock.date(of: instant).timeIntervalSince(date)) < 0.1)
        #expect(abs((clock.instant(of: date) - instant).inSeconds) < 0.1)
        #expect(clock.date(of: instant) == clock.date(of: instant))
        #expect(clock.steady() >= instant)
    }

    @Test func `a time for JSON is in whole milliseconds`() {
        let clock = WallClock(now: { Date(timeIntervalSince1970: 1_700_000_000.123_6) })
        #expect(clock.nowInMilliseconds == Date(timeIntervalSince1970: 1_700_000_000.124))
    }

    @Test(arguments: [172_800.0, -172_800])
    func `a time survives conversion between the clocks after one was set`(jump: TimeInterval) {
        let test = TestClock()
        let clock = test.wallClock
        let instant = clock.steady()
        test.jump(jump)
        test.advance(5)
        #expect(clock.steady() - instant == .seconds(5))
        #expect(clock.date(of: instant) == test.now - 5)
        #expect(clock.instant(of: test.now - 5) == instant)
    }

    @Test func `small differences between readings do not change a time`() {
        let test = TestClock()
        let clock = test.wallClock
        let instant = clock.steady()
        test.jump(0.4)
        #expect(clock.date(of: instant) == TestClock.start)
        test.jump(3_600)
        let date = clock.date(of: instant)
        #expect(abs(date.timeIntervalSince(TestClock.start) - 3_600.4) < 0.001)
        test.jump(-0.4)
        #expect(clock.date(of: instant) == date)
    }

    @Test(arguments: [(0.0, false), (3_600, false), (3_601, true), (-300, false), (-301, true)])
    func `data fetched in the future must be fetched again`(age: TimeInterval, isOver: Bool) {
        let now = TestClock.start
        #expect(ClockSkew.isExpired(now - age, lifetime: 3_600, now: now) == isOver)
    }
}
