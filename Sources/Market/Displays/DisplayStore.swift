import Foundation
import GRDB
package import RoostSupport

/// Displays in SQLite. Stores the hash and the sealed secret of a link, but only the hash of a paired screen's key.
package enum DisplayStore {
    struct Link: Sendable {
        let hash: [UInt8]
        let sealed: [UInt8]
    }

    fileprivate static let maximumSealedBytes = 1_024

    static let ownerCurrency = """
        (SELECT \(WatchlistStore.currency) FROM preferences
            WHERE preferences.user_id = displays.user_id AND preferences.name = 'watchlist')
        """
    fileprivate static let select = "SELECT \(Display.selection(of: "displays")) FROM displays"

    package static let sealedValues = SealedColumn(
        sql: "SELECT user_id, token_sealed AS sealed FROM displays WHERE token_sealed IS NOT NULL"
    ) { DisplayService.context(try $0.id("user_id")) }

    package static let stored = [
        StoredRows("displays", Display.self, others: ["token_sealed"]) { _, row in
            guard try row.value("token_sealed") as DatabaseValue != .null else { return }
            _ = (
                try row.digest("token_hash"), try row.bytes("token_sealed", maximumBytes: maximumSealedBytes)
            )
        }
    ]
}

extension Reads {
    func displays(of user: UserID) throws -> [Display] {
        try displays("WHERE user_id = ? ORDER BY id", [user])
    }

    func display(_ id: DisplayID, of user: UserID) throws -> Display? {
        try displays("WHERE id = ? AND user_id = ?", [id, user]).first
    }

    func display(tokenHash: [UInt8]) throws -> Display? {
        try displays("WHERE token_hash = ?", [Data(tokenHash)]).first
    }

    func display(keyHash: [UInt8]) throws -> Display? {
        try displays(
            "JOIN display_keys ON displays.id = display_keys.display_id WHERE key_hash = ?", [Data(keyHash)]
        ).first
    }

    /// The sealed secret of the link; nil if there is no such display, or its link is from before secrets were sealed.
    func sealedLink(of id: DisplayID, of user: UserID) throws -> DisplayStore.Link? {
        try database.row(
            """
            SELECT token_hash, token_sealed FROM displays
            WHERE id = ? AND user_id = ? AND token_sealed IS NOT NULL
            """, [id, user]
        ).map { row in
            DisplayStore.Link(
                hash: try row.digest("token_hash"),
                sealed: try row.bytes("token_sealed", maximumBytes: DisplayStore.maximumSealedBytes))
        }
    }

    func displayNames(of user: UserID) throws -> Set<String> {
        try Set(database.values(String.self, "SELECT name FROM displays WHERE user_id = ?", [user]))
    }

    private func displays(_ condition: String, _ arguments: StatementArguments) throws -> [Display] {
        try database.rows("\(DisplayStore.select) \(condition)", arguments).readable {
            try Display($0)
        }
    }
}

extension Writes {
    func addDisplay(
        _ name: String, of user: UserID, link: DisplayStore.Link, at now: Date
    ) throws -> Display {
        let count = try database.value(Int.self, "SELECT count(*) FROM displays WHERE user_id = ?", [user])
        guard (count ?? 0) < DisplayService.limit else {
            throw RoostError.invalid(
                field: "name", why: "You can have at most \(DisplayService.limit) displays.")
        }
        try database.execute(
            sql: """
                INSERT INTO displays (user_id, name, token_hash, token_sealed, created_at)
                VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [user, name, Data(link.hash), Data(link.sealed), now.stored])
        guard let added = try display(database.lastInsertedRowID, of: user) else {
            throw ImpossibleValue(column: "id")
        }
        return added
    }

    /// Replaces the link. Returns false if the user has no such display.
    func setLink(_ link: DisplayStore.Link, of id: DisplayID, of user: UserID) throws -> Bool {
        try changeDisplay(
            "UPDATE displays SET token_hash = ?, token_sealed = ? WHERE id = ? AND user_id = ?",
            [Data(link.hash), Data(link.sealed), id, user])
    }

    func clearLastPoll(of id: DisplayID) throws {
        try database.execute(
            sql: """
                UPDATE displays SET last_seen_at = NULL, screen_version = NULL, screen_address = NULL,
                    screen_reloads = NULL
                WHERE id = ?
                """,
            arguments: [id])
    }

    func changeDisplay(
        _ id: DisplayID, of user: UserID, name: String, settings: DisplaySettings
    ) throws -> Bool {
        try update("displays", with: settings, where: "id = ? AND user_id = ?", [id, user])
        return try changeDisplay(
            "UPDATE displays SET name = ? WHERE id = ? AND user_id = ?", [name, id, user])
    }

    func removeDisplay(_ id: DisplayID, of user: UserID) throws -> Bool {
        try changeDisplay("DELETE FROM displays WHERE id = ? AND user_id = ?", [id, user])
    }

    /// Saves the screens' last polls and reports, keyed by the hashes of their links. Links that were replaced are
    /// skipped.
    func saveLastPolls(_ lastPolls: [[UInt8]: (time: Date, screen: ScreenReport?)]) throws {
        let statement = try database.makeStatement(
            sql: """
                UPDATE displays SET last_seen_at = ?, screen_version = coalesce(?, screen_version),
                    screen_address = coalesce(?, screen_address),
                    screen_reloads = coalesce(?, screen_reloads)
                WHERE token_hash = ?
                """)
        for (tokenHash, lastPoll) in lastPolls {
            try statement.execute(arguments: [
                lastPoll.time.stored, lastPoll.screen?.version, lastPoll.screen?.address,
                lastPoll.screen?.reloads, Data(tokenHash),
            ])
        }
    }

    private func changeDisplay(_ sql: String, _ arguments: StatementArguments) throws -> Bool {
        try database.execute(sql: sql, arguments: arguments)
        return database.changesCount > 0
    }
}
