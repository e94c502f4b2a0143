package import Foundation
import RoostSupport

/// What GitHub still answers within the present hour (or minute, for searches): its `x-ratelimit-...` headers.
package struct RateBudget: Codable, Equatable, Hashable, Sendable {
    /// "core", "search", "graphql".
    package let resource: String
    package let limit: Int
    package let remaining: Int
    package let resetAt: Date

    /// How far ahead a reset can be, in seconds: GitHub's budgets last an hour ("Rate limits for the REST API"), and
    /// its clock may be a little ahead of ours.
    static let maximumWindow: TimeInterval = 3_600 + ClockSkew.tolerance

    /// What background work leaves for the user's other tools: a fifth of an hour's limit. The searches of a minute are
    /// back before anybody misses them.
    package var reserve: Int { resource == "search" ? 0 : limit / 5 }

    package init(resource: String, limit: Int, remaining: Int, resetAt: Date) {
        self.resource = resource
        self.limit = limit
        self.remaining = remaining
        self.resetAt = resetAt
    }

    /// The same by a clock that is so many seconds ahead.
    func moved(by seconds: TimeInterval) -> RateBudget {
        RateBudget(
            resource: resource, limit: limit, remaining: remaining, resetAt: resetAt + seconds)
    }
}
