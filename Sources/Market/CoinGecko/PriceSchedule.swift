package import Foundation
package import RoostSupport

/// When prices are asked for next: the plan's figures, the month's budget, and an operator's override.
package struct PriceSchedule: Sendable {
    package let plan: CoinGeckoPlan
    /// The operator's own interval in seconds; nil: as the plan says.
    package let override: Int?
    /// False where the upstream is a simulation, which keeps no plan.
    package let warns: Bool

    /// A refused request is not repeated within a minute, whatever the source says.
    package static let backoff = Backoff(initial: 10, maximum: 300, minimumAfterLimit: 60)

    package init(plan: CoinGeckoPlan, override: Int? = nil, warns: Bool = true) {
        self.plan = plan
        self.override = override
        self.warns = warns
    }

    /// Seconds between two refreshes of `calls` requests each, those of all currencies together.
    package func interval(at now: Date, calls: Int, budget: CallBudget?) -> Double {
        if let override { return Double(override) }
        let shortest = max(
            Double(plan.minimumInterval), Double(calls) * 60 / Double(plan.priceCallsPerMinute))
        return max(shortest, budget?.interval(at: now, calls: calls) ?? shortest)
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
