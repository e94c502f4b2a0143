import Foundation
import RoostWeb
import TextFormats

struct InvitationRow: Sendable {
    let id: String
    let note: String
    /// The name of the owner who made it, or nil if that account is gone.
    let creator: String?
    let createdAt: Date
    let expiresAt: Date
    var revokedAt: Date?
    let uses: Int
    /// The names of those who have joined, "former member" for deleted accounts.
    let joined: [String]
    /// The code cannot be shown again, because it was encrypted with another key.
    var isCodeUnreadable = false
    let now: Date

    var isOpen: Bool { revokedAt == nil && expiresAt > now && joined.count < uses }

    var invitationId: String { PathSegment(id).description }
    var invitationName: String { note.isEmpty ? "Join link" : note }
    var invitationCreated: String { ISO8601.seconds(createdAt) }
    var invitationCreatedDay: String { RelativeTime.day(createdAt) }
    var invitationEnds: String? { isOpen ? ISO8601.seconds(expiresAt) : nil }
    var invitationEndsIn: String { RelativeTime.until(expiresAt, now: now) }
    var invitationClosed: String? { closedAt.map(ISO8601.seconds) }
    var invitationClosedDay: String? { closedAt.map { RelativeTime.day($0) } }
    var joinedNames: String? { joined.isEmpty ? nil : joined.map(Self.isolated).joined(separator: ", ") }

    var usesLeft: String {
        let left = max(uses - joined.count, 0)
        return uses == 1 ? "for one person" : "\(left) of \(uses) left"
    }

    /// Isolates a name (U+2068 to U+2069), so that a right-to-left name does not reorder its neighbours.
    private static func isolated(_ name: String) -> String { "\u{2068}\(name)\u{2069}" }

    /// Nil if the link is used up.
    private var closedAt: Date? { revokedAt ?? (joined.count >= uses ? nil : expiresAt) }

    /// Why no one can join with it any more.
    var state: String {
        if revokedAt != nil { return "revoked on" }
        return joined.count >= uses ? "used up" : "expired on"
    }
}
