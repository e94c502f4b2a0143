package import Foundation

/// When prices are asked for next: the plan's figures, the month's budget, an operator's override, and back-off.
package struct PriceSchedule: Sendable {
    package let plan: CoinGeckoPlan
    /// The operator's own interval in seconds; nil: as the plan says.
    package let override: Int?
    /// False where the upstream is a simulation, which keeps no plan.
    package let warns: Bool

    /// After a failure: 10, 20, 40 ... seconds, at most this.
    package static let longestBackOff = 300.0
    /// A refused request is not repeated sooner than this, whatever the source says.
    package static let shortestPenalty = 60.0

    package init(plan: CoinGeckoPlan, override: Int? = nil, warns: Bool = true) {
        self.plan = plan
        self.override = override
        self.warns = warns
    }

    /// Seconds between two refreshes of `calls` requests each.
    package func interval(at now: Date, calls: Int, budget: CallBudget?) -> Double {
        if let override { return Double(override) }
        let shortest = Double(plan.shortestInterval)
        return max(shortest, budget?.interval(at: now, calls: calls) ?? shortest)
    }

    /// Seconds until the next try after the `failures`-th failure in a row; `jitter` lies in 0.8 ... 1.2.
    package func backOff(failures: Int, failure: CoinGeckoAPI.Failure, jitter: Double) -> Double {
        let grown = min(10 * pow(2, Double(max(0, failures - 1))), Self.longestBackOff) * jitter
        let asked = failure.retryAfter ?? 0
        if case .rateLimited = failure.error { return max(grown, asked, Self.shortestPenalty) }
        return max(grown, asked)
    }

    /// What speaks against the override, in words; nil when nothing does.
    package var warning: String? {
        guard warns, let override else { return nil }
        if let monthly = plan.monthlyCalls {
            let cost = 31 * 86_400 / max(1, override)
            if cost > monthly {
                return "Prices are asked for every \(override) s by setting: up to \(cost) calls a month, "
                    + "and the plan has \(monthly)."
            }
        }
        if override < plan.edgeCache {
            return
                "Prices are asked for every \(override) s by setting, but CoinGecko repeats the same answer "
                + "for \(plan.edgeCache) s on this plan."
        }
        return nil
    }
}
