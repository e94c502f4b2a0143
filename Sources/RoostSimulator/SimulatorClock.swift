import Foundation

/// What time the simulated world has: milliseconds since 1970 in UTC.
package struct SimulatorClock: Sendable {
    let now: @Sendable () -> Int

    init(_ now: @escaping @Sendable () -> Int) {
        self.now = now
    }

    /// The machine's own clock.
    static let system = SimulatorClock { Int(Date().timeIntervalSince1970 * 1000) }

    /// A clock that stands still, for tests that compare bytes.
    static func fixed(_ milliseconds: Int) -> SimulatorClock {
        SimulatorClock { milliseconds }
    }
}
