package import Foundation
import RoostSupport

/// The remaining requests of a resource in the current hour (or minute, for searches), from the `x-ratelimit-...`
/// headers.
package struct RateBudget: Codable, Equatable, Hashable, Sendable {
    /// "core", "search", "graphql".
    package let resource: String
    package let limit: Int
    package let remaining: Int
    package let resetAt: Date

    /// How far ahead a reset can be, in seconds: GitHub's window is an hour ("Rate limits for the REST API"), and its
    /// clock may be slightly ahead.
    static let maximumWindow: TimeInterval = 3_600 + ClockSkew.tolerance

    /// The requests that background work leaves for the user's other tools: a fifth of the hourly limit. None for
    /// searches, whose limit resets every minute.
    package var reserve: Int { resource == "search" ? 0 : limit / 5 }

    func resetting(at date: Date) -> RateBudget {
        RateBudget(resource: resource, limit: limit, remaining: remaining, resetAt: date)
    }
}
