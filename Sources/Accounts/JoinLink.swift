package import Foundation
package import RoostSupport

/// A link with which people sign up; of its code the database has a hash and a sealed copy.
package struct JoinLink: Equatable, Sendable, Identifiable {
    /// Whether it still lets people in.
    package enum State: Equatable, Sendable {
        case open, usedUp, expired, revoked
    }

    package let id: Int64
    package let note: String
    package let createdAt: Date
    package fileprivate(set) var expiresAt: Date
    package let revokedAt: Date?
    package let usesAllowed: Int
    package let uses: Int
    /// Who made it, while he is here.
    package let createdBy: UserID?

    /// The same, good until this date at least.
    func lasting(until date: Date?) -> JoinLink {
        var link = self
        link.expiresAt = max(expiresAt, date ?? expiresAt)
        return link
    }

    package func state(at now: Date) -> State {
        if revokedAt != nil { return .revoked }
        if expiresAt <= now { return .expired }
        return uses < usesAllowed ? .open : .usedUp
    }
}
