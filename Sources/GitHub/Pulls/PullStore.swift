import Foundation
package import GRDB
package import RoostSupport

/// Marks, choices and own sections in SQLite.
package struct PullStore: Sendable {
    /// More are not kept for a user: the oldest go.
    static let maximumMarks = 2_000

    let database: any DatabaseWriter

    package init(database: any DatabaseWriter) {
        self.database = database
    }

    /// All that a user's inbox hangs on, in one read.
    func settings(of user: UserID) async throws -> InboxSettings {
        try await database.fetch { database in
            var settings = InboxSettings()
            let marks = try Row.fetchCursor(
                database.cachedStatement(sql: "SELECT * FROM pull_marks WHERE user_id = ?"),
                arguments: [user])
            // Where a mark cannot be read, the pull request is shown.
            settings.marks = try marks.readable(Self.mark)
            let choices = try Row.fetchAll(
                database.cachedStatement(sql: "SELECT * FROM pull_choices WHERE user_id = ?"),
                arguments: [user])
            settings.choices = choices.readable(Self.choices).first ?? PullChoices()
            settings.sections = try SectionTransaction(database: database, user: user).all()
            return settings
        }
    }

    /// The users of whom a snooze has ended until `now`.
    func usersWithEndedSnoozes(at now: Date) async throws -> Set<UserID> {
        try await database.fetch { database in
            let rows = try Row.fetchAll(
                database.cachedStatement(sql: "SELECT user_id FROM pull_marks WHERE until <= ?"),
                arguments: [now.timeIntervalSince1970])
            return Set(rows.readable { try $0.id("user_id") })
        }
    }

    /// When the next snooze of anybody ends; nil where none does after `now`.
    func nextEnd(after now: Date) async throws -> Date? {
        try await database.fetch { database in
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: "SELECT until FROM pull_marks WHERE until > ? ORDER BY until LIMIT 1"),
                arguments: [now.timeIntervalSince1970])
            return rows.readable { try $0.time("until") }.first
        }
    }

    /// Replaces the mark that the pull request has.
    func put(_ mark: StoredMark, for user: UserID) async throws {
        let (kind, until) = Self.kind(mark.mark)
        let seen = String(decoding: try JSONEncoder().encode(mark.seen), as: UTF8.self)
        try await database.write { database in
            let (key, nodeId) = (mark.key, mark.nodeId ?? "")
            // Marks of the same name that may be of this pull request; the index replaces one of its node id.
            try database.execute(
                sql: """
                    DELETE FROM pull_marks WHERE user_id = ? AND host = ? AND owner = ? AND name = ? AND number = ?
                        AND (node_id = '' OR ? = '' OR (node_id GLOB 'PR_*') <> (? GLOB 'PR_*'))
                    """,
                arguments: [user, key.host, key.owner, key.name, key.number, nodeId, nodeId])
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO pull_marks
                        (user_id, host, owner, name, number, node_id, kind, until, seen, marked_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    user, key.host, key.owner, key.name, key.number, nodeId, kind,
                    until?.timeIntervalSince1970, seen, mark.markedAt.timeIntervalSince1970,
                ])
            try database.execute(
                sql: """
                    DELETE FROM pull_marks WHERE user_id = ? AND (host, owner, name, number, node_id) IN (
                        SELECT host, owner, name, number, node_id FROM pull_marks WHERE user_id = ?
                        ORDER BY marked_at DESC, host, owner, name, number, node_id LIMIT -1 OFFSET ?)
                    """,
                arguments: [user, user, Self.maximumMarks])
        }
    }

    /// Removes marks as they were read; one that was made again since stays.
    func remove(_ marks: [StoredMark], of user: UserID) async throws {
        try await database.write { database in
            for mark in marks {
                var arguments = Self.arguments(mark, of: user)
                arguments += [mark.markedAt.timeIntervalSince1970]
                try database.execute(
                    sql: "DELETE FROM pull_marks WHERE \(Self.isMark) AND marked_at <= ?",
                    arguments: arguments)
            }
        }
    }

    /// Removes a mark of any kind. False if there was no mark.
    func remove(_ mark: StoredMark, of user: UserID) async throws -> Bool {
        try await database.write { database in
            try database.execute(
                sql: "DELETE FROM pull_marks WHERE \(Self.isMark)", arguments: Self.arguments(mark, of: user))
            return database.changesCount > 0
        }
    }

    /// Gives marks the names and node ids of their pull requests as they are now.
    func move(_ moves: [PullMarkIndex.Move], of user: UserID) async throws {
        try await database.write { database in
            for move in moves {
                let key = move.key
                var arguments: StatementArguments = [key.owner, key.name, key.number, move.nodeId ?? ""]
                arguments += Self.arguments(move.mark, of: user)
                try database.execute(
                    sql: """
                        UPDATE OR IGNORE pull_marks SET owner = ?, name = ?, number = ?, node_id = ?
                        WHERE \(Self.isMark)
                        """,
                    arguments: arguments)
            }
        }
    }

    private static let isMark =
        "user_id = ? AND host = ? AND owner = ? AND name = ? AND number = ? AND node_id = ?"

    private static func arguments(_ mark: StoredMark, of user: UserID) -> StatementArguments {
        let key = mark.key
        return [user, key.host, key.owner, key.name, key.number, mark.nodeId ?? ""]
    }

    func choose(_ choices: PullChoices, for user: UserID) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO pull_choices (user_id, grouping, sort, drafts, hides_bots,
                        amber_hours, red_hours, notifies, sounds, bot_logins)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    user, choices.grouping.rawValue, choices.sort.rawValue, choices.drafts.rawValue,
                    choices.hidesBots, choices.amberHours, choices.redHours, choices.notifies, choices.sounds,
                    choices.botLogins.joined(separator: " "),
                ])
        }
    }

    /// Changes a user's own sections in one transaction.
    func changeSections<Value: Sendable>(
        of user: UserID, _ change: @escaping @Sendable (SectionTransaction) throws -> Value
    ) async throws -> Value {
        try await database.write { database in
            do {
                return try change(SectionTransaction(database: database, user: user))
            } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
                throw RoostError.conflict(field: "name", why: "You have a section of this name already.")
            }
        }
    }

    private static func kind(_ mark: PullMark) -> (kind: String, until: Date?) {
        switch mark {
        case .snoozedUntil(let time): ("until", time)
        case .snoozedUntilChange: ("change", nil)
        case .muted: ("mute", nil)
        case .done: ("done", nil)
        }
    }

    package static let stored = [
        StoredRows("pull_marks") { row in _ = (try row.id("user_id"), try mark(row)) },
        StoredRows("pull_choices") { row in _ = (try row.id("user_id"), try choices(row)) },
        StoredRows("pull_sections") { row in _ = (try row.id("user_id"), try SectionTransaction.section(row))
        },
    ]

    private static func mark(_ row: Row) throws -> StoredMark {
        let mark: PullMark =
            switch try row.text("kind") {
            case "until": .snoozedUntil(try row.time("until"))
            case "change": .snoozedUntilChange
            case "mute": .muted
            case "done": .done
            default: throw ImpossibleValue(column: "kind")
            }
        let key = PullKey(
            host: try row.text("host"), owner: try row.text("owner"), name: try row.text("name"),
            number: try row.number("number", in: 1...Int.max))
        let nodeId = try row.text("node_id")
        return StoredMark(
            key: key, nodeId: nodeId.isEmpty ? nil : nodeId, mark: mark, seen: try seen(row),
            markedAt: try row.time("marked_at"))
    }

    /// Read by hand: each look at the inbox reads all of a user's marks, and `JSONDecoder` takes five times as long.
    private static func seen(_ row: Row) throws -> PullDigest {
        guard let digest = try? PullDigest(json: Data(try row.text("seen").utf8)) else {
            throw ImpossibleValue(column: "seen")
        }
        return digest
    }

    private static func choices(_ row: Row) throws -> PullChoices {
        var choices = PullChoices()
        choices.grouping = try row.choice("grouping")
        choices.sort = try row.choice("sort")
        choices.drafts = try row.choice("drafts")
        choices.hidesBots = try row.value("hides_bots")
        choices.amberHours = try row.number("amber_hours", in: 1...8_760)
        choices.redHours = try row.number("red_hours", in: 1...8_760)
        choices.notifies = try row.value("notifies")
        choices.sounds = try row.value("sounds")
        choices.botLogins = try row.text("bot_logins").words.map(String.init)
        return choices
    }
}
