import Foundation
import RoostSupport
import Synchronization

/// A clock that is set by hand, with which the demo's history is written in the past.
final class DemoClock: Sendable {
    private let time: Mutex<Date>

    init(_ time: Date) {
        self.time = Mutex(time)
    }

    func set(_ time: Date) { self.time.withLock { $0 = time } }

    var wall: WallClock { WallClock(now: { self.time.withLock(\.self) }) }
}
