import Foundation

/// How much of GitHub's limit each kind of work may take: what people click goes to the last request.
enum RateLimitPolicy {
    /// From what somebody waits for to what nobody would miss.
    package enum Purpose: Int, Sendable, CaseIterable {
        /// Bookmarks and stars, kept up to date.
        case upkeep
        /// Details of rows on screen, and of lists that are looked at; old pages anew.
        case rows
        /// A page of a list.
        case page
        case readme
        /// Opening a detail.
        case click

        /// Whether somebody waits for it.
        var priority: GitHubSession.Priority { self >= .page ? .click : .background }

        package static func >= (left: Purpose, right: Purpose) -> Bool { left.rawValue >= right.rawValue }
    }

    /// Limits above this are an account's, and their shares smaller.
    private static let largeLimit = 1_000

    /// More than this must be left of the limit.
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

    /// When it may be asked again; nil: now. What is unknown, or past its reset, is allowed.
    static func closedUntil(_ use: Purpose, _ budget: RateBudget?, now: Date) -> Date? {
        guard let budget, budget.resetAt > now else { return nil }
        return budget.remaining > reserve(of: budget.limit, for: use) ? nil : budget.resetAt
    }
}
