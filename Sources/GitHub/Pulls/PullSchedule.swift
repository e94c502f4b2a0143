package import Foundation

package enum PullSchedule {
    /// Seconds between two refreshes while a user watches.
    package static let watched: TimeInterval = 60
    /// Seconds between two refreshes otherwise, for the counts.
    package static let unwatched: TimeInterval = 600
    /// How long a view counts as watching. Longer than the watched interval, so that an open page never lapses.
    package static let demandLifetime = Duration.seconds(90)

    /// The usual cost of a refresh, in points or requests. The first refresh fetches everything and costs more.
    static let typicalCost = 15

    /// How much Roost slows down, to leave a part of the limit for the user's other tools.
    package enum Pace: Equatable, Hashable, Sendable {
        case normal
        case slowed(until: Date)
        case paused(until: Date)
    }

    /// Seconds until the next refresh, stretched so that the budget without its reserve lasts until its reset.
    ///
    /// - Parameter cost: of one refresh
    package static func interval(isWatched: Bool, cost: Int, budget: RateBudget?, at now: Date)
        -> TimeInterval
    {
        let base = isWatched ? watched : unwatched
        guard let budget, budget.resetAt > now else { return base }
        // GitHub's window is an hour: a later reset shows that the clocks differ.
        let window = min(budget.resetAt.timeIntervalSince(now), RateBudget.maximumWindow)
        let refreshes = max(0, budget.remaining - budget.reserve) / max(1, cost)
        // The budget is used up: wait for the reset, and a second for clock differences.
        guard refreshes > 0 else { return max(base, window + 1) }
        return max(base, window / Double(refreshes))
    }

    /// When automatic refreshes resume, or nil if more than the reserve is left.
    package static func pausedUntil(cost: Int, budget: RateBudget?, at now: Date) -> Date? {
        guard let budget, budget.resetAt > now, budget.reserve > 0,
            budget.remaining - budget.reserve < max(1, cost)
        else { return nil }
        return budget.resetAt
    }

    /// Limits per minute have no reserve.
    package static func pace(cost: Int, budget: RateBudget?, at now: Date) -> Pace {
        if let until = pausedUntil(cost: cost, budget: budget, at: now) { return .paused(until: until) }
        guard let budget, budget.resetAt > now, budget.reserve > 0,
            interval(isWatched: true, cost: cost, budget: budget, at: now) > watched
        else { return .normal }
        return .slowed(until: budget.resetAt)
    }
}
