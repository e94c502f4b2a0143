package import Foundation

/// What GitHub still answers within the present hour (or minute, for searches): its `x-ratelimit-...` headers.
package struct RateBudget: Codable, Equatable, Hashable, Sendable {
    /// "core", "search", "graphql".
    package let resource: String
    package let limit: Int
    package let remaining: Int
    package let resetAt: Date

    package init(resource: String, limit: Int, remaining: Int, resetAt: Date) {
        self.resource = resource
        self.limit = limit
        self.remaining = remaining
        self.resetAt = resetAt
    }
}
