import Foundation
import RoostServices
import Synchronization

/// A clock that stands until it is put forward.
final class TestClock: Sendable {
    private let time = Mutex(Date(timeIntervalSince1970: 1_794_312_000))

    var now: Date { time.withLock { $0 } }

    var wallClock: WallClock { WallClock { [self] in now } }

    func advance(_ seconds: TimeInterval) { time.withLock { $0 += seconds } }
}
