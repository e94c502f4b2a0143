package import Foundation
package import RoostSupport

/// A display's number in this database.
package typealias DisplayID = Int64

/// A screen on a wall: shows its owner's watchlist to anyone with its secret link or the key of a paired screen.
package struct Display: Equatable, Sendable, Identifiable {
    package let id: DisplayID
    package let userId: UserID
    /// SHA-256 of its link's secret.
    package let tokenHash: [UInt8]
    package let name: String
    package let settings: DisplaySettings
    /// The currency that its owner has chosen for watchlists, if any.
    package let ownerCurrency: String?
    package let createdAt: Date
    /// When a screen last asked with this display's link or key.
    package var lastSeenAt: Date?
    /// What that screen said of itself.
    package var screen: ScreenReport?

    /// True while a screen shows it: one asks at least twice a minute.
    package func isHere(at now: Date) -> Bool {
        lastSeenAt.map { !ClockSkew.isOver($0, lifetime: DisplayService.presence, now: now) } ?? false
    }
}

/// What a screen says of itself with each poll.
package struct ScreenReport: Equatable, Sendable {
    /// Roost's version that its page is of.
    package let version: String
    /// Where it asked from.
    package let address: String
    /// How often its page has loaded since it was opened or paired.
    package let reloads: Int

    package init(version: String, address: String, reloads: Int) {
        self.version = version
        self.address = address
        self.reloads = reloads
    }
}
