package import Foundation
package import RoostSupport

/// A browser that is signed in; of its cookie only the hash is kept.
package struct Session: Equatable, Sendable, Identifiable {
    package let id: Int64
    package let userId: UserID
    package let createdAt: Date
    package var lastSeenAt: Date
    /// From where it was last seen: "192.168.1.7".
    package var address: String
    /// "Firefox on Linux"
    package let device: String

    /// A session that nobody has used for so long is over: thirty days, in seconds.
    static let idleLimit: TimeInterval = 30 * 86_400

    package func isOver(at now: Date) -> Bool { now.timeIntervalSince(lastSeenAt) > Self.idleLimit }
}
