package import Foundation

/// The time as the services see it: real in the program, fixed in tests.
package struct WallClock: Sendable {
    package var now: @Sendable () -> Date

    package init(now: @escaping @Sendable () -> Date = { Date() }) {
        self.now = now
    }
}
