package import Foundation

/// A display's number in this database.
package typealias DisplayID = Int64

/// A screen on a wall: shows its owner's watchlist to whoever holds its secret link.
package struct Display: Equatable, Sendable, Identifiable {
    package let id: DisplayID
    package let userId: UserID
    /// SHA-256 of its link's secret.
    package let tokenHash: [UInt8]
    package let name: String
    /// How long a page of coins stays when they do not fit on one, 5 to 3,600 s.
    package let secondsPerPage: Int
    /// Red for rising prices, as East Asian markets have it.
    package let redIsUp: Bool
    package let createdAt: Date
    /// When a screen last asked with this display's link.
    package var lastSeenAt: Date?

    /// True while a screen shows it: one asks at least twice a minute.
    package func isHere(at now: Date) -> Bool {
        lastSeenAt.map { !ClockSkew.isOver($0, lifetime: DisplayService.presence, now: now) } ?? false
    }
}
