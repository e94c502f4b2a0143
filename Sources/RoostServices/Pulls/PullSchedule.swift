package import Foundation

/// When an account's pull requests are asked for next.
package enum PullSchedule {
    /// Seconds between two refreshes while somebody looks.
    package static let watched: TimeInterval = 60
    /// And while nobody does, for the counts.
    package static let unwatched: TimeInterval = 600
    /// How long one look counts, in seconds: longer than the watched interval, so that an open page never lapses.
    package static let demandLifetime: TimeInterval = 90

    /// Seconds until the next refresh, stretched so that what is left of the budget lasts until its reset.
    ///
    /// - Parameter cost: what one refresh took from the budget
    package static func interval(isWatched: Bool, cost: Int, budget: RateBudget?, at now: Date)
        -> TimeInterval
    {
        let base = isWatched ? watched : unwatched
        guard let budget, budget.resetAt > now else { return base }
        // GitHub counts by the hour: a reset further ahead says that the clocks differ.
        let window = min(budget.resetAt.timeIntervalSince(now), RateBudget.maximumWindow)
        let refreshes = max(0, budget.remaining) / max(1, cost)
        // Nothing is left: the next one waits for the reset, and a second for the clocks.
        guard refreshes > 0 else { return max(base, window + 1) }
        return max(base, window / Double(refreshes))
    }
}
