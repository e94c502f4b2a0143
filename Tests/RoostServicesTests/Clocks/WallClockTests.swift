import Foundation
import Testing

@testable import RoostSupport

@Suite struct WallClockTests {
    @Test func `the machine's clocks agree as long as nobody sets one`() {
        let clock = WallClock()
        let before = clock.steady()
        #expect(clock.shift == 0)
        #expect(clock.date(of: before) == before && clock.steady(of: before) == before)
        #expect(clock.steady() >= before)
    }

    @Test(arguments: [172_800.0, -172_800])
    func `a time of one clock is found again by the other after somebody has set it`(jump: TimeInterval) {
        let test = TestClock()
        let clock = test.wallClock
        let steady = clock.steady()
        test.jump(jump)
        test.advance(5)
        #expect(clock.shift == jump)
        #expect(clock.steady().timeIntervalSince(steady) == 5)
        #expect(clock.date(of: steady) == test.now - 5)
        #expect(clock.steady(of: test.now - 5) == steady)
    }

    @Test func `readings that do not quite agree do not make a time tremble`() {
        let test = TestClock()
        let clock = test.wallClock
        test.jump(0.4)
        #expect(clock.shift == 0)
        test.jump(3_600)
        let shift = clock.shift
        #expect(abs(shift - 3_600.4) < 0.001)
        test.jump(-0.4)
        #expect(clock.shift == shift)
    }

    @Test(arguments: [(0.0, false), (3_600, false), (3_601, true), (-300, false), (-301, true)])
    func `what was fetched in the future is to be fetched again`(age: TimeInterval, isOver: Bool) {
        let now = TestClock.start
        #expect(ClockSkew.isOver(now - age, lifetime: 3_600, now: now) == isOver)
    }
}
