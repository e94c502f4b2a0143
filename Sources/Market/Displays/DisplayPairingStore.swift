import Foundation
import GRDB
package import RoostSupport

/// Screens that wait for their codes to be entered, and the keys of paired screens, in SQLite.
package enum DisplayPairingStore {
    struct Record: ColumnRecord, Sendable {
        private(set) var secretHash: [UInt8] = []
        private(set) var code = ""
        private(set) var expiresAt = Date.distantPast
        private(set) var display: DisplayID?

        mutating func columns(_ columns: inout some ColumnVisitor) throws {
            try columns.bytes("secret_hash", &secretHash)
            try columns.column("code", &code)
            try columns.column("expires_at", &expiresAt)
            try columns.column("display_id", &display)
        }
    }

    fileprivate static let select = "SELECT \(Record.selection(of: "display_pairings")) FROM display_pairings"

    /// The maximum number of waiting screens, in total and in one network.
    fileprivate static let (maximum, maximumOfNetwork) = (200, 20)
    /// An IPv6 address counts as its /64, since one client can use all its addresses.
    fileprivate static let network = "CASE length(origin) WHEN 32 THEN substr(origin, 1, 16) ELSE origin END"
    /// The /48 of an IPv6 address or the /24 of an IPv4 address, since one subscriber can have thousands of /64.
    fileprivate static let site = "substr(origin, 1, CASE length(origin) WHEN 32 THEN 12 ELSE 6 END)"
    /// The maximum number of paired screens of a display; the oldest are removed.
    fileprivate static let maximumKeys = 20

    package static let stored = [
        StoredRows("display_pairings", Record.self, others: ["created_at"]) { _, row in
            _ = try row.time("created_at")
        },
        StoredRows("display_keys") { row in
            _ = (
                try row.digest("key_hash"), try row.id("display_id"), try row.time("created_at"),
                try row.digest("pairing_hash")
            )
        },
    ]
}

extension Reads {
    func pairing(secretHash: [UInt8]) throws -> DisplayPairingStore.Record? {
        try database.row(DisplayPairingStore.select + " WHERE secret_hash = ?", [Data(secretHash)]).map {
            try DisplayPairingStore.Record($0)
        }
    }

    /// The screen that shows this code and waits to be paired.
    func waitingPairing(code: String, at now: Date) throws -> DisplayPairingStore.Record? {
        try database.row(
            DisplayPairingStore.select + " WHERE code = ? AND display_id IS NULL AND expires_at > ?",
            [code, now.stored]
        ).map { try DisplayPairingStore.Record($0) }
    }
}

extension Writes {
    /// Returns nil if another screen has the code.
    ///
    /// - Parameter origin: the client's address in hexadecimal digits; too many codes from one network replace each
    ///   other
    func addPairing(
        code: String, secretHash: [UInt8], origin: String?, at now: Date, until end: Date
    ) throws -> DisplayPairingStore.Record? {
        try removeOldPairings(origin: origin, at: now)
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO display_pairings (secret_hash, code, created_at, expires_at, origin)
                VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [
                Data(secretHash), code, now.stored, end.stored, origin,
            ])
        return try pairing(secretHash: secretHash)
    }

    func pair(secretHash: [UInt8], with display: DisplayID, until end: Date) throws {
        try database.execute(
            sql: "UPDATE display_pairings SET display_id = ?, expires_at = ? WHERE secret_hash = ?",
            arguments: [display, end.stored, Data(secretHash)])
    }

    /// Stores the key of a paired screen. Replaces a previous key, whose response may have been lost.
    func setKey(_ keyHash: [UInt8], ofScreen secretHash: [UInt8], display: DisplayID, at now: Date) throws {
        try database.execute(
            sql: "DELETE FROM display_keys WHERE pairing_hash = ?", arguments: [Data(secretHash)])
        try database.execute(
            sql: """
                DELETE FROM display_keys WHERE key_hash IN (
                    SELECT key_hash FROM display_keys WHERE display_id = ?
                    ORDER BY created_at DESC LIMIT -1 OFFSET ?)
                """,
            arguments: [display, DisplayPairingStore.maximumKeys - 1])
        try database.execute(
            sql: """
                INSERT INTO display_keys (key_hash, display_id, created_at, pairing_hash)
                VALUES (?, ?, ?, ?)
                """,
            arguments: [Data(keyHash), display, now.stored, Data(secretHash)])
    }

    /// Removes the keys and pairings of a display's screens.
    func removeScreens(of display: DisplayID) throws {
        try database.execute(sql: "DELETE FROM display_keys WHERE display_id = ?", arguments: [display])
        // Otherwise a screen that has just been paired could fetch another key.
        try database.execute(sql: "DELETE FROM display_pairings WHERE display_id = ?", arguments: [display])
    }

    private func removeOldPairings(origin: String?, at now: Date) throws {
        try database.execute(
            sql: "DELETE FROM display_pairings WHERE expires_at <= ?", arguments: [now.stored])
        if let origin {
            let network = DisplayPairingStore.network
            try makeRoom(
                below: DisplayPairingStore.maximumOfNetwork,
                where: "\(network) = \(network.replacing("origin", with: "?1"))", [origin], share: "origin")
        }
        try makeRoom(
            below: DisplayPairingStore.maximum, where: "TRUE", [], share: DisplayPairingStore.site)
    }

    /// Deletes waiting codes until fewer than `limit` are left: the oldest of the client with the most codes.
    private func makeRoom(
        below limit: Int, where scope: String, _ arguments: StatementArguments,
        share: String
    ) throws {
        let waiting = "FROM display_pairings WHERE display_id IS NULL AND \(scope)"
        var count =
            try database.value(Int.self, "SELECT count(*) \(waiting)", arguments) ?? 0
        while count >= limit {
            try database.execute(
                sql: """
                    DELETE FROM display_pairings WHERE secret_hash = (
                        SELECT secret_hash FROM (
                            SELECT secret_hash, created_at, count(*) OVER (PARTITION BY \(share)) AS share \(waiting))
                        ORDER BY share DESC, created_at LIMIT 1)
                    """,
                arguments: arguments)
            count -= 1
        }
    }
}
