import Foundation

/// How much of GitHub's limit each purpose may use. Only clicks may use all of it.
enum RateLimitPolicy {
    /// From the least to the most urgent.
    package enum Purpose: Int, Sendable, CaseIterable {
        /// Refreshes of bookmarks and stars.
        case upkeep
        /// Details of list rows, and refreshes of old pages.
        case rows
        case page
        case readme
        case click

        var priority: GitHubSession.Priority { self >= .page ? .click : .background }

        package static func >= (left: Purpose, right: Purpose) -> Bool { left.rawValue >= right.rawValue }
    }

    /// Larger limits belong to accounts, and need smaller reserves.
    private static let largeLimit = 1_000

    /// The purpose may only use the limit while more than this remains.
    package static func reserve(of limit: Int, for use: Purpose) -> Int {
        let isLarge = limit > largeLimit
        return switch use {
        case .click: 0
        case .readme: isLarge ? 20 : 3
        case .page: isLarge ? 50 : limit / 6
        case .rows: isLarge ? limit / 10 : limit / 2
        case .upkeep: isLarge ? limit / 5 : limit * 2 / 3
        }
    }

    /// When the purpose may use the limit again, or nil for now. An unknown budget, or one past its reset, allows it.
    static func closedUntil(_ use: Purpose, _ budget: RateBudget?, now: Date) -> Date? {
        guard let budget, budget.resetAt > now else { return nil }
        return budget.remaining > reserve(of: budget.limit, for: use) ? nil : budget.resetAt
    }
}
