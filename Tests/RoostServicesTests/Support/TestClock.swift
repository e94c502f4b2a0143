import Foundation
import RoostServices
import Synchronization

/// A clock that stands until it is put forward.
final class TestClock: Sendable {
    /// 10 November 2026, 12:00 UTC: a month of 30 days, nine and a half of them over.
    static let start = Date(timeIntervalSince1970: 1_794_312_000)

    private let time: Mutex<Date>

    init(_ start: Date = TestClock.start) {
        time = Mutex(start)
    }

    var now: Date { time.withLock { $0 } }

    var wallClock: WallClock { WallClock { [self] in now } }

    func advance(_ seconds: TimeInterval) { time.withLock { $0 += seconds } }
}
