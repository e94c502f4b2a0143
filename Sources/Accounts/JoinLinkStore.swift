import Foundation
import GRDB
package import RoostSupport

/// Join links in SQLite. Stores the code's hash for lookups, and a sealed copy to show the code again.
package enum JoinLinkStore {
    package static let sealedValues = SealedColumn(
        sql: "SELECT code_hash, sealed_code AS sealed FROM join_links"
    ) {
        InvitationService.context(try $0.digest("code_hash"))
    }

    package static let stored = [
        StoredRows("join_links", JoinLink.self, others: ["code_hash", "sealed_code"]) { _, row in
            _ = try code(row)
        }
    ]

    fileprivate static let select = """
        SELECT \(JoinLink.selection(of: "join_links")), code_hash, sealed_code FROM join_links
        """

    fileprivate static func code(_ row: Row) throws -> (hash: [UInt8], sealed: [UInt8]) {
        (try row.digest("code_hash"), try row.bytes("sealed_code", maximumBytes: 4_096))
    }
}

extension Reads {
    func joinLinks() throws -> [(link: JoinLink, hash: [UInt8], sealed: [UInt8])] {
        try database.rows(JoinLinkStore.select + " ORDER BY id DESC").readable { row in
            let (hash, sealed) = try JoinLinkStore.code(row)
            return (try JoinLink(row), hash, sealed)
        }
    }

    func joinLink(hash: [UInt8]) throws -> JoinLink? {
        try database.row(JoinLinkStore.select + " WHERE code_hash = ?", [Data(hash)])
            .map { try JoinLink($0) }
    }
}

extension Writes {
    func addJoinLink(
        hash: [UInt8], sealed: [UInt8], note: String, expiresAt: Date, uses: Int, by user: UserID,
        at now: Date
    ) throws -> Int64 {
        let open = try database.value(
            Int.self, "SELECT count(*) FROM join_links WHERE revoked_at IS NULL AND expires_at > ?",
            [now.stored])
        guard (open ?? 0) < InvitationService.limit else {
            throw RoostError.invalid(
                field: "note",
                why: "There can be at most \(InvitationService.limit) join links. Revoke one first.")
        }
        let link = JoinLink(
            id: 0, note: note, createdAt: now, expiresAt: expiresAt, revokedAt: nil, usesAllowed: uses,
            uses: 0,
            createdBy: user)
        return try insert(
            link, into: "join_links", omitting: ["id"],
            keys: ["code_hash": Data(hash), "sealed_code": Data(sealed)])
    }

    func revokeJoinLink(_ id: Int64, at now: Date) throws -> JoinLink? {
        try database.execute(
            sql: "UPDATE join_links SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?",
            arguments: [now.stored, id])
        return try database.row(JoinLinkStore.select + " WHERE id = ?", [id]).map { try JoinLink($0) }
    }

    /// Moves links created in the future, by a clock that was ahead, to now. Their lifetime stays the same.
    func clampJoinLinks(to now: Date) throws {
        try clamp("created_at", of: "join_links", moving: "expires_at", to: now)
    }

    func removeClosedJoinLinks(before: Date) throws {
        try database.execute(
            sql: "DELETE FROM join_links WHERE min(expires_at, coalesce(revoked_at, expires_at)) < ?",
            arguments: [before.stored])
    }

    /// Counts one use, in the transaction that creates the user. Throws `RoostError.notFound` for a closed link.
    func useJoinLink(hash: [UInt8], by user: UserID, at now: Date) throws {
        try database.execute(
            sql: """
                UPDATE join_links SET uses = uses + 1
                WHERE code_hash = ? AND revoked_at IS NULL AND expires_at > ? AND uses < uses_allowed
                """,
            arguments: [Data(hash), now.stored])
        guard database.changesCount == 1 else { throw RoostError.notFound(InvitationService.closed) }
        try database.execute(
            sql:
                "UPDATE users SET joined_with = (SELECT id FROM join_links WHERE code_hash = ?) WHERE id = ?",
            arguments: [Data(hash), user])
    }
}
