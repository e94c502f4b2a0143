import Foundation

/// What time the simulated world has: milliseconds since 1970 in UTC.
package struct SimulatorClock: Sendable {
    package let now: @Sendable () -> Int

    package init(_ now: @escaping @Sendable () -> Int) {
        self.now = now
    }

    /// The machine's own clock.
    package static let system = SimulatorClock { Int(Date().timeIntervalSince1970 * 1000) }

    /// A clock that stands still, for tests that compare bytes.
    package static func fixed(_ milliseconds: Int) -> SimulatorClock {
        SimulatorClock { milliseconds }
    }
}
