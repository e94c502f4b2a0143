import TestSupport
import Testing

@testable import RoostSupport

@Suite struct SteadyExpirationsTests {
    @Test func `a key is valid for its time, wherever the machine's clock is set`() {
        let clock = TestClock()
        let expirations = SteadyExpirations<Int>(clock: clock.wallClock)
        expirations.note(1, lasting: 60)
        clock.jump(1_000_000)
        #expect(expirations.comparisonDate(for: 1) == .distantPast)
        clock.advance(59)
        #expect(expirations.validKeys == [1])
        clock.advance(1)
        #expect(expirations.validKeys.isEmpty)
        #expect(expirations.comparisonDate(for: 1) == clock.now)
    }

    @Test func `the number of kept keys is limited, and those that expire last are kept`() {
        let clock = TestClock()
        let expirations = SteadyExpirations<Int>(clock: clock.wallClock)
        let limit = SteadyExpirations<Int>.limit
        for key in 0..<limit * 3 {
            expirations.note(key, lasting: 60)
            clock.advance(0.001)
        }
        #expect((limit / 2...limit).contains(expirations.validKeys.count))
        #expect(expirations.expiration(of: limit * 3 - 1) != nil)
        #expect(expirations.expiration(of: 0) == nil)
    }
}
