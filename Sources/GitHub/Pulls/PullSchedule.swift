package import Foundation

/// When an account's pull requests are asked for next.
package enum PullSchedule {
    /// Seconds between two refreshes while somebody looks.
    package static let watched: TimeInterval = 60
    /// And while nobody does, for the counts.
    package static let unwatched: TimeInterval = 600
    /// How long one look counts, in seconds: longer than the watched interval, so that an open page never lapses.
    package static let demandLifetime: TimeInterval = 90

    /// Points or requests that a refresh takes in the long run; the first one, which fetches everything, says nothing of
    /// the next.
    static let usualCost = 15

    /// Whether Roost holds back, so that a part of the limit stays for the user's other tools.
    package enum Pace: Equatable, Hashable, Sendable {
        case usual
        /// It asks less often until then.
        case slowed(until: Date)
        /// It asks nothing by itself until then.
        case paused(until: Date)
    }

    /// Seconds until the next refresh, stretched so that what is left of the budget, but for its reserve, lasts until its
    /// reset.
    ///
    /// - Parameter cost: what one refresh took from the budget
    package static func interval(isWatched: Bool, cost: Int, budget: RateBudget?, at now: Date)
        -> TimeInterval
    {
        let base = isWatched ? watched : unwatched
        guard let budget, budget.resetAt > now else { return base }
        // GitHub counts by the hour: a reset further ahead says that the clocks differ.
        let window = min(budget.resetAt.timeIntervalSince(now), RateBudget.maximumWindow)
        let refreshes = max(0, budget.remaining - budget.reserve) / max(1, cost)
        // Nothing is left: the next one waits for the reset, and a second for the clocks.
        guard refreshes > 0 else { return max(base, window + 1) }
        return max(base, window / Double(refreshes))
    }

    /// Until when nothing is asked by itself, since what is left of the budget is the user's own; nil where there is more.
    package static func pausedUntil(cost: Int, budget: RateBudget?, at now: Date) -> Date? {
        guard let budget, budget.resetAt > now, budget.reserve > 0,
            budget.remaining - budget.reserve < max(1, cost)
        else { return nil }
        return budget.resetAt
    }

    /// How the budget bounds what is asked while somebody looks. A limit by the minute needs no sharing.
    package static func pace(cost: Int, budget: RateBudget?, at now: Date) -> Pace {
        if let until = pausedUntil(cost: cost, budget: budget, at: now) { return .paused(until: until) }
        guard let budget, budget.resetAt > now, budget.reserve > 0,
            interval(isWatched: true, cost: cost, budget: budget, at: now) > watched
        else { return .usual }
        return .slowed(until: budget.resetAt)
    }
}
