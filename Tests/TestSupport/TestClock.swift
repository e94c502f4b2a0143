package import Foundation
package import RoostSupport
import Synchronization

/// The machine's clock and the steady one, which stand still until they are advanced.
package final class TestClock: Sendable {
    /// 10 November 2026, 12:00 UTC, in a month of 30 days, nine and a half of which have passed.
    package static let start = Date(timeIntervalSince1970: 1_794_312_000)

    private let instant = ContinuousClock.now
    private let time: Mutex<(wall: Date, passed: Duration)>

    package init(_ start: Date = TestClock.start) {
        time = Mutex((start, .zero))
    }

    package var now: Date { time.withLock { $0.wall } }

    package var steady: ContinuousClock.Instant { time.withLock { instant + $0.passed } }

    package var wallClock: WallClock { WallClock(now: { [self] in now }, steady: { [self] in steady }) }

    /// Lets this many seconds pass.
    package func advance(_ seconds: TimeInterval) {
        time.withLock { time in
            time.wall += seconds
            time.passed += .seconds(seconds)
        }
    }

    /// Sets the machine's clock forward or back; no time passes.
    package func jump(_ seconds: TimeInterval) { time.withLock { $0.wall += seconds } }
}
