import Foundation
import Synchronization

@testable import RoostSupport

/// The machine's clock and the steady one, which stand until they are put forward.
final class TestClock: Sendable {
    /// 10 November 2026, 12:00 UTC: a month of 30 days, nine and a half of them over.
    static let start = Date(timeIntervalSince1970: 1_794_312_000)

    private let time: Mutex<(wall: Date, steady: Date)>

    init(_ start: Date = TestClock.start) {
        time = Mutex((start, start))
    }

    var now: Date { time.withLock { $0.wall } }

    var wallClock: WallClock {
        WallClock(now: { [self] in now }, steady: { [self] in time.withLock { $0.steady } })
    }

    /// So many seconds pass.
    func advance(_ seconds: TimeInterval) {
        time.withLock { time in
            time.wall += seconds
            time.steady += seconds
        }
    }

    /// Somebody sets the machine's clock, forward or back; no time passes.
    func jump(_ seconds: TimeInterval) { time.withLock { $0.wall += seconds } }
}
