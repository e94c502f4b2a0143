import Synchronization

@testable import RoostSimulator

final class TestSimulatorClock: Sendable {
    private let milliseconds: Mutex<Int>

    init(_ milliseconds: Int = TestMarket.moment) {
        self.milliseconds = Mutex(milliseconds)
    }

    var clock: SimulatorClock {
        SimulatorClock { self.milliseconds.withLock { $0 } }
    }

    func advance(seconds: Int) {
        milliseconds.withLock { $0 += seconds * 1000 }
    }
}
