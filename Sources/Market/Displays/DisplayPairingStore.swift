import Foundation
package import GRDB
package import RoostSupport

/// Screens that wait for their codes to be typed, and the keys of those whose codes were, in SQLite.
package struct DisplayPairingStore: Sendable {
    struct Record: Sendable {
        let secretHash: [UInt8]
        let code: String
        let expiresAt: Date
        let display: DisplayID?

        init(row: Row) throws {
            (secretHash, code) = (try row.digest("secret_hash"), try row.text("code"))
            expiresAt = try row.time("expires_at")
            display = try row.idIfPresent("display_id")
        }
    }

    /// What the screen becomes.
    enum Target: Sendable {
        case existing(DisplayID)
        /// Without a name it gets the first free "Screen 2".
        case new(name: String?, link: DisplayStore.Link)
    }

    /// Screens that wait at the same time, in all and of one network.
    private static let (maximum, maximumOfNetwork) = (200, 20)
    /// Of an IPv6 address its /64, since one client can use all addresses of it.
    private static let network = "CASE length(origin) WHEN 32 THEN substr(origin, 1, 16) ELSE origin END"
    /// The /48 of an IPv6 address, the /24 of an IPv4 address: one subscriber can have thousands of /64.
    private static let site = "substr(origin, 1, CASE length(origin) WHEN 32 THEN 12 ELSE 6 END)"
    /// Screens that show one display; the oldest make room.
    private static let maximumKeys = 20

    let database: any DatabaseWriter

    package init(database: any DatabaseWriter) {
        self.database = database
    }

    /// Nil where another screen has the code.
    ///
    /// - Parameter origin: the client's address in hexadecimal digits; too many codes of one network push out each other
    func add(
        code: String, secretHash: [UInt8], origin: String?, at now: Date, until end: Date
    ) async throws -> Record? {
        try await database.write { database in
            try Self.removeOld(database, origin: origin, at: now)
            try database.execute(
                sql: """
                    INSERT OR IGNORE INTO display_pairings (secret_hash, code, created_at, expires_at, origin)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [
                    Data(secretHash), code, now.timeIntervalSince1970, end.timeIntervalSince1970, origin,
                ])
            return try Self.pairing(database, secretHash: secretHash)
        }
    }

    func pairing(secretHash: [UInt8]) async throws -> Record? {
        try await database.fetch { try Self.pairing($0, secretHash: secretHash) }
    }

    /// Says what the screen with this code is; nil where no screen shows it. Once: the code is good for nothing then.
    ///
    /// Throws `RoostError.notFound` for a display that is not the user's, and `.invalid` beyond `limit` displays: the
    /// code goes on then.
    func claim(
        _ code: String, for target: Target, of user: UserID, at now: Date, until end: Date, limit: Int
    ) async throws -> (display: DisplayID, secretHash: [UInt8])? {
        try await database.write { database in
            let open = try Row.fetchOne(
                database.cachedStatement(
                    sql:
                        "SELECT * FROM display_pairings WHERE code = ? AND display_id IS NULL AND expires_at > ?"
                ),
                arguments: [code, now.timeIntervalSince1970])
            guard let pairing = try open.map(Record.init(row:)) else { return nil }
            let display: DisplayID
            switch target {
            case .existing(let id):
                let isTheirs = try Bool.fetchOne(
                    database.cachedStatement(
                        sql: "SELECT EXISTS (SELECT 1 FROM displays WHERE id = ? AND user_id = ?)"),
                    arguments: [id, user])
                guard isTheirs == true else { throw DisplayService.notFound }
                display = id
            case .new(let name, let link):
                display = try DisplayStore.add(
                    name ?? DisplayStore.freeName(of: user, in: database), of: user, link: link, at: now,
                    limit: limit, in: database
                ).id
            }
            try database.execute(
                sql: "UPDATE display_pairings SET display_id = ?, expires_at = ? WHERE secret_hash = ?",
                arguments: [display, end.timeIntervalSince1970, Data(pairing.secretHash)])
            return (display, pairing.secretHash)
        }
    }

    /// Stores the key of a screen whose code was typed; a second one replaces the first, whose answer may have been lost.
    /// False where there is no such screen.
    func redeem(secretHash: [UInt8], keyHash: [UInt8], at now: Date) async throws -> Bool {
        try await database.write { database in
            guard let pairing = try Self.pairing(database, secretHash: secretHash),
                pairing.expiresAt > now, let display = pairing.display
            else { return false }
            try database.execute(
                sql: "DELETE FROM display_keys WHERE pairing_hash = ?", arguments: [Data(secretHash)])
            try database.execute(
                sql: """
                    DELETE FROM display_keys WHERE key_hash IN (
                        SELECT key_hash FROM display_keys WHERE display_id = ?
                        ORDER BY created_at DESC LIMIT -1 OFFSET ?)
                    """,
                arguments: [display, Self.maximumKeys - 1])
            try database.execute(
                sql: """
                    INSERT INTO display_keys (key_hash, display_id, created_at, pairing_hash)
                    VALUES (?, ?, ?, ?)
                    """,
                arguments: [Data(keyHash), display, now.timeIntervalSince1970, Data(secretHash)])
            return true
        }
    }

    private static func pairing(_ database: GRDB.Database, secretHash: [UInt8]) throws -> Record? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM display_pairings WHERE secret_hash = ?"),
            arguments: [Data(secretHash)]
        ).map(Record.init(row:))
    }

    /// Makes room for one more.
    private static func removeOld(_ database: GRDB.Database, origin: String?, at now: Date) throws {
        try database.execute(
            sql: "DELETE FROM display_pairings WHERE expires_at <= ?", arguments: [now.timeIntervalSince1970])
        if let origin {
            try makeRoom(
                database, below: maximumOfNetwork,
                where: "\(network) = \(network.replacing("origin", with: "?1"))",
                [origin], share: "origin")
        }
        try makeRoom(database, below: maximum, where: "TRUE", [], share: site)
    }

    /// Removes waiting codes until fewer than `limit` are left: the oldest of the client that has most of them.
    private static func makeRoom(
        _ database: GRDB.Database, below limit: Int, where scope: String, _ arguments: StatementArguments,
        share: String
    ) throws {
        let waiting = "FROM display_pairings WHERE display_id IS NULL AND \(scope)"
        var count =
            try Int.fetchOne(
                database.cachedStatement(sql: "SELECT count(*) \(waiting)"), arguments: arguments) ?? 0
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

    package static let stored = [
        StoredRows("display_pairings") { row in _ = (try Record(row: row), try row.time("created_at")) },
        StoredRows("display_keys") { row in
            _ = (
                try row.digest("key_hash"), try row.id("display_id"), try row.time("created_at"),
                try row.digest("pairing_hash")
            )
        },
    ]
}
