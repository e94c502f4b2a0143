package import Foundation
package import RoostSupport

/// A link to sign up with. The database stores a hash and a sealed copy of its code.
package struct JoinLink: Equatable, Sendable, Identifiable {
    package enum State: Equatable, Sendable {
        case open, usedUp, expired, revoked
    }

    package private(set) var id: Int64
    package private(set) var note: String
    package private(set) var createdAt: Date
    package private(set) var expiresAt: Date
    package private(set) var revokedAt: Date?
    package private(set) var usesAllowed: Int
    package private(set) var uses: Int
    package private(set) var createdBy: UserID?

    /// Returns the link with its expiry moved to this date, if that is later.
    func extended(until date: Date?) -> JoinLink {
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

extension JoinLink: ColumnRecord {
    package init() {
        self.init(
            id: 0, note: "", createdAt: .distantPast, expiresAt: .distantPast, revokedAt: nil, usesAllowed: 1,
            uses: 0, createdBy: nil)
    }

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("id", &id)
        try columns.column("note", &note)
        try columns.column("created_at", &createdAt)
        try columns.column("expires_at", &expiresAt)
        try columns.column("revoked_at", &revokedAt)
        try columns.column("uses_allowed", &usesAllowed)
        try columns.column("uses", &uses)
        try columns.column("created_by", &createdBy)
        // A page lists the uses; a damaged row may have any number.
        uses = min(max(uses, 0), 100)
    }
}
