import Foundation
package import GRDB
package import RoostSupport

/// Displays in SQLite: of a link the hash, and its secret sealed; of a paired screen's key the hash alone.
package struct DisplayStore: Sendable {
    /// A secret link as it is stored.
    struct Link: Sendable {
        let hash: [UInt8]
        let sealed: [UInt8]
    }

    private static let maximumSealedBytes = 1_024

    let database: any DatabaseWriter

    package init(database: any DatabaseWriter) {
        self.database = database
    }

    private static let select = """
        SELECT displays.*,
            (SELECT choices.currency FROM watchlist_choices AS choices WHERE choices.user_id = displays.user_id)
                AS owner_currency
        FROM displays
        """

    func displays(of user: UserID) async throws -> [Display] {
        try await read("WHERE user_id = ? ORDER BY id", [user])
    }

    func display(tokenHash: [UInt8]) async throws -> Display? {
        try await read("WHERE token_hash = ?", [Data(tokenHash)]).first
    }

    /// The display that a paired screen's key opens.
    func display(keyHash: [UInt8]) async throws -> Display? {
        try await read(
            "JOIN display_keys ON displays.id = display_keys.display_id WHERE key_hash = ?", [Data(keyHash)]
        ).first
    }

    func display(_ id: DisplayID, of user: UserID) async throws -> Display? {
        try await read("WHERE id = ? AND user_id = ?", [id, user]).first
    }

    /// The sealed secret of the link; nil for a link from before secrets were sealed, and for no display.
    func sealedToken(_ id: DisplayID, of user: UserID) async throws -> Link? {
        try await database.fetch { database in
            try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT token_hash, token_sealed FROM displays
                        WHERE id = ? AND user_id = ? AND token_sealed IS NOT NULL
                        """),
                arguments: [id, user]
            ).map { row in
                Link(
                    hash: try row.digest("token_hash"),
                    sealed: try row.bytes("token_sealed", maximumBytes: Self.maximumSealedBytes))
            }
        }
    }

    /// Adds a display; `limit` bounds how many a user has.
    func add(
        _ name: String, of user: UserID, link: Link, at now: Date, limit: Int
    ) async throws -> Display {
        try await database.write { database in
            try Self.add(name, of: user, link: link, at: now, limit: limit, in: database)
        }
    }

    static func add(
        _ name: String, of user: UserID, link: Link, at now: Date, limit: Int, in database: GRDB.Database
    ) throws -> Display {
        let count = try Int.fetchOne(
            database.cachedStatement(sql: "SELECT count(*) FROM displays WHERE user_id = ?"),
            arguments: [user])
        guard (count ?? 0) < limit else {
            throw RoostError.invalid(field: "name", why: "There can be \(limit) displays at most.")
        }
        try database.execute(
            sql: """
                INSERT INTO displays (user_id, name, token_hash, token_sealed, created_at)
                VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [user, name, Data(link.hash), Data(link.sealed), now.timeIntervalSince1970])
        let added = try read(database, "WHERE id = ?", [database.lastInsertedRowID]).first
        guard let added else { throw ImpossibleValue(column: "id") }
        return added
    }

    /// "Screen 1", or the first number that none of the user's displays has.
    static func freeName(of user: UserID, in database: GRDB.Database) throws -> String {
        let names = try String.fetchSet(
            database.cachedStatement(sql: "SELECT name FROM displays WHERE user_id = ?"), arguments: [user])
        func name(_ number: Int) -> String { "Screen \(number)" }
        return name((1...(names.count + 1)).first { !names.contains(name($0)) } ?? 1)
    }

    /// Replaces the link, which no screen has been seen with. False when the user has no such display.
    func setLink(_ id: DisplayID, of user: UserID, link: Link) async throws -> Bool {
        try await write(
            """
            UPDATE displays SET token_hash = ?, token_sealed = ?, last_seen_at = NULL, screen_version = NULL,
                screen_address = NULL, screen_reloads = NULL
            WHERE id = ? AND user_id = ?
            """,
            [Data(link.hash), Data(link.sealed), id, user])
    }

    /// False when the user has no such display.
    func change(
        _ id: DisplayID, of user: UserID, name: String, settings: DisplaySettings
    ) async throws -> Bool {
        let columns: [(String, (any DatabaseValueConvertible)?)] = [
            ("name", name), ("list_id", settings.listId), ("coins", try Self.json(settings.coins)),
            ("sort", settings.sort?.rawValue), ("per_page", settings.perPage),
            ("seconds_per_page", settings.secondsPerPage),
            ("style", settings.style.rawValue), ("currency", settings.currency),
            ("theme", settings.theme.rawValue), ("dimming", settings.dimming),
            ("dim_from", settings.dimHours.from.minute), ("dim_until", settings.dimHours.until.minute),
            ("black_hours", settings.blackHours.isOff ? nil : try Self.json(settings.blackHours)),
            ("orientation", settings.orientation.rawValue), ("language", settings.language.rawValue),
            ("shows_clock", settings.showsClock), ("headline", settings.headline),
            ("red_is_up", settings.redIsUp), ("reload_at", settings.reloadAt?.minute),
        ]
        let assignments = columns.map { "\($0.0) = ?" }.joined(separator: ", ")
        return try await write(
            "UPDATE displays SET \(assignments) WHERE id = ? AND user_id = ?",
            StatementArguments(columns.map(\.1)) + [id, user])
    }

    /// False when the user has no such display.
    func remove(_ id: DisplayID, of user: UserID) async throws -> Bool {
        try await write("DELETE FROM displays WHERE id = ? AND user_id = ?", [id, user])
    }

    /// Takes the link and every key from the screens. False when the user has no such display.
    func signOut(_ id: DisplayID, of user: UserID, link: Link) async throws -> Bool {
        try await database.write { database in
            try database.execute(
                sql: """
                    DELETE FROM display_keys
                    WHERE display_id = (SELECT id FROM displays WHERE id = ? AND user_id = ?)
                    """,
                arguments: [id, user])
            // A screen that has just been paired could fetch another key.
            try database.execute(
                sql: """
                    DELETE FROM display_pairings
                    WHERE display_id = (SELECT id FROM displays WHERE id = ? AND user_id = ?)
                    """,
                arguments: [id, user])
            try database.execute(
                sql: "UPDATE displays SET token_hash = ?, token_sealed = ? WHERE id = ? AND user_id = ?",
                arguments: [Data(link.hash), Data(link.sealed), id, user])
            return database.changesCount > 0
        }
    }

    /// Saves when screens last asked and what they said of themselves, by the hashes of their links; a link that
    /// opens nothing any more is left out.
    func markSeen(_ sights: [[UInt8]: (time: Date, screen: ScreenReport?)]) async throws {
        guard !sights.isEmpty else { return }
        try await database.write { database in
            let statement = try database.makeStatement(
                sql: """
                    UPDATE displays SET last_seen_at = ?, screen_version = coalesce(?, screen_version),
                        screen_address = coalesce(?, screen_address),
                        screen_reloads = coalesce(?, screen_reloads)
                    WHERE token_hash = ?
                    """)
            for (tokenHash, sight) in sights {
                try statement.execute(arguments: [
                    sight.time.timeIntervalSince1970, sight.screen?.version, sight.screen?.address,
                    sight.screen?.reloads, Data(tokenHash),
                ])
            }
        }
    }

    private func read(_ condition: String, _ arguments: StatementArguments) async throws -> [Display] {
        try await database.fetch { try Self.read($0, condition, arguments) }
    }

    private static func read(
        _ database: GRDB.Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [Display] {
        try Row.fetchAll(
            database.cachedStatement(sql: "\(select) \(condition)"), arguments: arguments
        ).readable(display)
    }

    /// True when it changed a row.
    private func write(_ sql: String, _ arguments: StatementArguments) async throws -> Bool {
        try await database.write { database in
            try database.execute(sql: sql, arguments: arguments)
            return database.changesCount > 0
        }
    }

    package static let sealedValues = SealedColumn(
        sql: "SELECT user_id, token_sealed AS sealed FROM displays WHERE token_sealed IS NOT NULL"
    ) { DisplayService.context(try $0.id("user_id")) }

    package static let stored = [
        StoredRows("displays", sql: select) { row in _ = (try display(row), try sealed(row)) }
    ]

    private static func sealed(_ row: Row) throws -> [UInt8]? {
        let isNone: Bool = try row.value("token_sealed") as DatabaseValue == .null
        return isNone ? nil : try row.bytes("token_sealed", maximumBytes: maximumSealedBytes)
    }

    private static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private static func display(_ row: Row) throws -> Display {
        Display(
            id: try row.id("id"), userId: try row.id("user_id"), tokenHash: try row.digest("token_hash"),
            name: try row.text("name"), settings: try settings(row),
            ownerCurrency: try row.textIfPresent("owner_currency"), createdAt: try row.time("created_at"),
            lastSeenAt: try row.timeIfPresent("last_seen_at"), screen: try screen(row))
    }

    private static func settings(_ row: Row) throws -> DisplaySettings {
        DisplaySettings(
            listId: try row.idIfPresent("list_id"), coins: try row.json("coins"),
            sort: try row.choiceIfPresent("sort"),
            perPage: try row.number("per_page", in: 0...DisplaySettings.maximumPerPage),
            secondsPerPage: try row.number("seconds_per_page", in: 5...3_600), style: try row.choice("style"),
            currency: try row.textIfPresent("currency"), theme: try row.choice("theme"),
            dimming: try row.number("dimming", in: 0...90),
            dimHours: HourRange(from: try time(row, "dim_from"), until: try time(row, "dim_until")),
            blackHours: try row.jsonIfPresent("black_hours") ?? .off,
            orientation: try row.choice("orientation"), language: try row.choice("language"),
            showsClock: try row.value("shows_clock"), headline: try row.text("headline"),
            redIsUp: try row.value("red_is_up"), reloadAt: try timeIfPresent(row, "reload_at"))
    }

    private static func time(_ row: Row, _ column: String) throws -> TimeOfDay {
        guard let time = try timeIfPresent(row, column) else { throw ImpossibleValue(column: column) }
        return time
    }

    private static func timeIfPresent(_ row: Row, _ column: String) throws -> TimeOfDay? {
        let minute: Int? = try row.value(column)
        guard let minute else { return nil }
        guard let time = TimeOfDay(minute: minute) else { throw ImpossibleValue(column: column) }
        return time
    }

    /// Nil for a screen that has said nothing yet.
    private static func screen(_ row: Row) throws -> ScreenReport? {
        let reloads: Int? = try row.value("screen_reloads")
        guard let version = try row.textIfPresent("screen_version"), let reloads,
            let address = try row.textIfPresent("screen_address")
        else { return nil }
        return ScreenReport(version: version, address: address, reloads: reloads)
    }
}
