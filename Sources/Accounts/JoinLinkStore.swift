import Foundation
import GRDB
package import RoostSupport

/// Join links in SQLite: of the code a hash to find it by, and a sealed copy to show it again.
package struct JoinLinkStore: Sendable {
    let database: any DatabaseWriter

    func all() async throws -> [(link: JoinLink, hash: [UInt8], sealed: [UInt8])] {
        try await database.fetch { database in
            try Row.fetchAll(database.cachedStatement(sql: "SELECT * FROM join_links ORDER BY id DESC"))
                .readable {
                    (
                        try Self.link($0), try $0.digest("code_hash"),
                        try $0.bytes("sealed_code", maximumBytes: 4_096)
                    )
                }
        }
    }

    func link(hash: [UInt8]) async throws -> JoinLink? {
        try await database.fetch { database in
            try Row.fetchOne(
                database.cachedStatement(sql: "SELECT * FROM join_links WHERE code_hash = ?"),
                arguments: [Data(hash)]
            )
            .map(Self.link)
        }
    }

    func add(
        hash: [UInt8], sealed: [UInt8], note: String, expiresAt: Date, uses: Int, by user: UserID,
        at now: Date
    ) async throws -> Int64 {
        try await database.write { database in
            let open = try Int.fetchOne(
                database.cachedStatement(
                    sql: "SELECT count(*) FROM join_links WHERE revoked_at IS NULL AND expires_at > ?"),
                arguments: [now.timeIntervalSince1970])
            guard (open ?? 0) < InvitationService.limit else {
                throw RoostError.invalid(
                    field: "note",
                    why: "There can be \(InvitationService.limit) join links at most: withdraw one first.")
            }
            try database.execute(
                sql: """
                    INSERT INTO join_links (code_hash, sealed_code, note, created_at, expires_at, uses_allowed, created_by)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    Data(hash), Data(sealed), note, now.timeIntervalSince1970,
                    expiresAt.timeIntervalSince1970,
                    uses, user,
                ])
            return database.lastInsertedRowID
        }
    }

    /// The link that was; nil when there is none of that number.
    func revoke(_ id: Int64, at now: Date) async throws -> JoinLink? {
        try await database.write { database in
            try database.execute(
                sql: "UPDATE join_links SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?",
                arguments: [now.timeIntervalSince1970, id])
            return try Row.fetchOne(
                database.cachedStatement(sql: "SELECT * FROM join_links WHERE id = ?"), arguments: [id]
            )
            .map(Self.link)
        }
    }

    /// Links that a clock which was ahead has made begin now, and last no longer for it.
    func clampMade(to now: Date) async throws {
        let now = now.timeIntervalSince1970
        try await database.write { database in
            try database.execute(
                sql: """
                    UPDATE join_links SET expires_at = expires_at - (created_at - ?1), created_at = ?1
                    WHERE created_at > ?2
                    """,
                arguments: [now, now + ClockSkew.tolerance])
        }
    }

    /// Forgets links that have been of no use for long.
    func removeClosed(before: Date) async throws {
        try await database.write { database in
            try database.execute(
                sql: "DELETE FROM join_links WHERE min(expires_at, coalesce(revoked_at, expires_at)) < ?",
                arguments: [before.timeIntervalSince1970])
        }
    }

    /// Counts one use, within the transaction that makes the user. Throws `RoostError.notFound` for a closed link.
    static func use(hash: [UInt8], by user: UserID, at now: Date, in database: GRDB.Database) throws {
        try database.execute(
            sql: """
                UPDATE join_links SET uses = uses + 1
                WHERE code_hash = ? AND revoked_at IS NULL AND expires_at > ? AND uses < uses_allowed
                """,
            arguments: [Data(hash), now.timeIntervalSince1970])
        guard database.changesCount == 1 else { throw RoostError.notFound(InvitationService.closed) }
        try database.execute(
            sql:
                "UPDATE users SET joined_with = (SELECT id FROM join_links WHERE code_hash = ?) WHERE id = ?",
            arguments: [Data(hash), user])
    }

    package static let sealedValues = SealedColumn(
        sql: "SELECT code_hash, sealed_code AS sealed FROM join_links"
    ) {
        InvitationService.context(try $0.digest("code_hash"))
    }

    package static let stored = [
        StoredRows("join_links") { row in
            _ = (
                try link(row), try row.digest("code_hash"), try row.bytes("sealed_code", maximumBytes: 4_096)
            )
        }
    ]

    private static func link(_ row: Row) throws -> JoinLink {
        JoinLink(
            id: try row.id("id"), note: try row.text("note"), createdAt: try row.time("created_at"),
            expiresAt: try row.time("expires_at"), revokedAt: try row.timeIfPresent("revoked_at"),
            usesAllowed: try row.number("uses_allowed", in: 1...100),
            uses: try row.number("uses", in: 0...100), createdBy: try row.idIfPresent("created_by"))
    }
}
