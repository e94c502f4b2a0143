import Foundation
import TextFormats

/// One link by which others can join.
struct InvitationRow: Sendable {
    let id: String
    let note: String
    let maker: String?
    let createdAt: Date
    let expiresAt: Date
    let revokedAt: Date?
    let uses: Int
    let joined: [String]
    /// The code cannot be shown again: it was sealed with another key.
    let isSealedAway: Bool
    let now: Date

    /// - Parameters:
    ///   - maker: the name of the owner who made it; nil where that account is gone
    ///   - uses: how many can join with it in all
    ///   - joined: the names of those who have, "former member" where one is gone
    init(
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
    var isOpen: Bool { revokedAt == nil && expiresAt > now && joined.count < uses }

    var invitationId: String { PathSegment(id).description }
    var invitationName: String { note.isEmpty ? "Join link" : note }
    var invitationMade: String { ISO8601.seconds(createdAt) }
    var invitationMadeDay: String { RelativeTime.day(createdAt) }
    var invitationEnds: String? { isOpen ? ISO8601.seconds(expiresAt) : nil }
    var invitationEndsIn: String { RelativeTime.until(expiresAt, now: now) }
    var invitationClosed: String? { closedAt.map(ISO8601.seconds) }
    var invitationClosedDay: String? { closedAt.map { RelativeTime.day($0) } }
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
    var state: String {
        if revokedAt != nil { return "withdrawn on" }
        return joined.count >= uses ? "used up" : "ended on"
    }
}
