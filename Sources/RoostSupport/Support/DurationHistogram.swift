/// Counts how long something took, in fixed steps that cover a database read as well as a slow download.
package struct DurationHistogram: Sendable, Equatable {
    /// The upper ends of the steps, in microseconds. The last step has no end.
    package static let bounds = [
        100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
        2_500_000, 5_000_000, 10_000_000, 30_000_000,
    ]

    /// One count for each step; the last one counts everything longer.
    package private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    /// In microseconds.
    package private(set) var sum = 0

    package init() {}

    package var count: Int { counts.reduce(0, +) }

    package mutating func add(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let microseconds = max(0, Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000))
        counts[Self.step(microseconds)] += 1
        sum += microseconds
    }

    /// The bounds belong to their steps, as Prometheus' `le` says.
    private static func step(_ microseconds: Int) -> Int {
        // Most durations are short, so this looks at few bounds.
        bounds.firstIndex { microseconds <= $0 } ?? bounds.count
    }
}
