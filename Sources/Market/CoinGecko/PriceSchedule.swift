package import Foundation
package import RoostSupport

/// Decides when prices are requested next, from the plan, the month's budget and the operator's override.
package struct PriceSchedule: Sendable {
    package let plan: CoinGeckoPlan
    /// The operator's own interval in seconds; nil to use the plan's.
    package var override: Int?
    /// False if the upstream is a simulation, which has no limits.
    package var warns = true

    /// After a 429, wait at least a minute, whatever CoinGecko says.
    package static let backoff = Backoff(
        initial: .seconds(10), maximum: .seconds(300), minimumAfterLimit: .seconds(60))

    /// Seconds between two refreshes, which take `calls` requests for all currencies together.
    package func interval(at now: Date, calls: Int, budget: CallBudget?) -> Double {
        if let override { return Double(override) }
        let shortest = max(
            Double(plan.minimumInterval), Double(calls) * 60 / Double(plan.priceCallsPerMinute))
        return max(shortest, budget?.interval(at: now, calls: calls) ?? shortest)
    }

    package var warning: String? {
        guard warns, let override else { return nil }
        if let monthly = plan.monthlyCalls {
            let cost = 31 * 86_400 / max(1, override)
            if cost > monthly {
                return "The price interval is set to \(override) s: up to \(cost) calls a month, "
                    + "but the plan has \(monthly)."
            }
        }
        if override < plan.edgeCache {
            return
                "The price interval is set to \(override) s, but CoinGecko repeats the same answer "
                + "for \(plan.edgeCache) s on this plan."
        }
        return nil
    }
}
