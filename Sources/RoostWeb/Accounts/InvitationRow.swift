package import Foundation
import TextFormats

/// One link by which others can join.
package struct InvitationRow: Sendable {
    package let id: String
    package let note: String
    package let maker: String?
    package let createdAt: Date
    package let expiresAt: Date
    package let revokedAt: Date?
    package let uses: Int
    package let joined: [String]
    /// The code cannot be shown again: it was sealed with another key.
    package let isSealedAway: Bool
    package let now: Date

    /// - Parameters:
    ///   - maker: the name of the owner who made it; nil where that account is gone
    ///   - uses: how many can join with it in all
    ///   - joined: the names of those who have, "former member" where one is gone
    package init(
        id: String, note: String, maker: String?, createdAt: Date, expiresAt: Date, revokedAt: Date? = nil,
        uses: Int, joined: [String], isSealedAway: Bool = false, now: Date
    ) {
        self.id = id
        self.note = note
        self.maker = maker
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
        self.uses = uses
        self.joined = joined
        self.isSealedAway = isSealedAway
        self.now = now
    }

    /// Somebody can still join with it.
    package var isOpen: Bool { revokedAt == nil && expiresAt > now && joined.count < uses }

    package static let samples = [
        InvitationRow(
            id: "1", note: "The new neighbours", maker: "Ada Lovelace", createdAt: .sample - 3_600,
            expiresAt: .sample + 86_400 * 7, uses: 3, joined: ["Grace Hopper"], now: .sample),
        InvitationRow(
            id: "2", note: "", maker: nil, createdAt: .sample - 86_400 * 2,
            expiresAt: .sample + 3_600 * 5, uses: 1, joined: [], isSealedAway: true, now: .sample),
        InvitationRow(
            id: "3", note: "Office, third floor", maker: "Ada Lovelace", createdAt: .sample - 86_400 * 40,
            expiresAt: .sample - 86_400 * 10, uses: 20, joined: ["李 小龙", "former member"], now: .sample),
    ]

    var invitationId: String { PathSegment(id).description }
    var invitationName: String { note.isEmpty ? "Join link" : note }
    var invitationMade: String { ISO8601.seconds(createdAt) }
    var invitationMadeDay: String { RelativeTime.day(createdAt) }
    var invitationEnds: String? { isOpen ? ISO8601.seconds(expiresAt) : nil }
    var invitationEndsIn: String { RelativeTime.until(expiresAt, now: now) }
    var invitationState: String { state }
    var invitationClosed: String? { closedAt.map(ISO8601.seconds) }
    var invitationClosedDay: String? { closedAt.map { RelativeTime.day($0) } }
    var isInvitationOpen: Bool { isOpen }
    var joinedNames: String? { joined.isEmpty ? nil : joined.map(Self.isolated).joined(separator: ", ") }

    var usesLeft: String {
        let left = max(uses - joined.count, 0)
        return uses == 1 ? "for one person" : "\(left) of \(uses) left"
    }

    /// A name between U+2068 and U+2069: one written from the right must not turn its neighbours around.
    private static func isolated(_ name: String) -> String { "\u{2068}\(name)\u{2069}" }

    /// When it ended; nil for one that is used up.
    private var closedAt: Date? { revokedAt ?? (joined.count >= uses ? nil : expiresAt) }

    /// Why nobody can join with it any more.
    private var state: String {
        if revokedAt != nil { return "withdrawn on" }
        return joined.count >= uses ? "used up" : "ended on"
    }
}
