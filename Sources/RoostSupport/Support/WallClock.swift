package import Foundation
import Synchronization

/// The time as the services see it: real in the program, moved by hand in tests.
///
/// There are two clocks. `now` is the machine's, which somebody may set: it is for times that are stored, shown or
/// compared with another machine's. `steady` cannot be set: it is for everything that is counted in seconds while the
/// program runs (intervals, back-off, throttles, "somebody looks"). Their times are compared only with times of the
/// same clock; `date(of:)` and `steady(of:)` convert.
package struct WallClock: Sendable {
    /// What the machine's clock says.
    package let now: @Sendable () -> Date
    /// What the machine's clock said when the program started, plus the seconds that have passed since.
    ///
    /// `ContinuousClock`, which is `CLOCK_BOOTTIME` on Linux (swift/stdlib/public/Concurrency/Clock.cpp) and so counts
    /// while the machine sleeps (clock_gettime(2)).
    package let steady: @Sendable () -> Date
    private let offset = Offset()

    /// The machine's clocks.
    package init() {
        self.init(
            now: { Date() },
            steady: {
                let passed = (ContinuousClock.now - Self.start.instant).components
                return Self.start.date + Double(passed.seconds) + Double(passed.attoseconds) * 1e-18
            })
    }

    /// - Parameter steady: as much as `now` at first; nil: nobody sets `now`
    package init(now: @escaping @Sendable () -> Date, steady: (@Sendable () -> Date)? = nil) {
        self.now = now
        self.steady = steady ?? now
    }

    private static let start = (date: Date(), instant: ContinuousClock.now)

    /// How far ahead of `steady` the machine's clock is, in seconds: 0 unless somebody has set it.
    ///
    /// It changes only when the clock has been set by more than a second, so that converting a time twice gives the
    /// same date.
    package var shift: TimeInterval {
        offset.value.withLock { value in
            let measured = measuredShift
            if abs(measured - value) > 1 { value = measured }
            return value
        }
    }

    /// Between the readings the thread may be put aside: then they do not belong together.
    private var measuredShift: TimeInterval {
        for _ in 0..<3 {
            let before = steady()
            let date = now()
            if steady().timeIntervalSince(before) < 0.1 { return date.timeIntervalSince(before) }
        }
        return now().timeIntervalSince(steady())
    }

    /// The date to show for a time of the steady clock.
    package func date(of steady: Date) -> Date { steady + shift }

    /// The time of the steady clock at which the machine's clock says this date, unless it is set again.
    package func steady(of date: Date) -> Date { date - shift }

    private final class Offset: Sendable {
        let value = Mutex<TimeInterval>(0)
    }
}
