import Foundation
package import GRDB

/// Marks, choices and own sections in SQLite. `stored` is called once a change is committed, in the order of commits.
package struct PullStore: Sendable {
    /// What is kept for one user.
    struct StoredSettings: Sendable {
        var marks: [PullKey: StoredMark] = [:]
        var choices = PullChoices()
        var sections: [OwnSection] = []
    }

    /// More are not kept for a user: the oldest go.
    static let maximumMarks = 2_000

    let database: any DatabaseWriter

    package init(database: any DatabaseWriter) {
        self.database = database
    }

    /// Everybody's.
    func all() async throws -> [UserID: StoredSettings] {
        try await database.read { database in
            var all: [UserID: StoredSettings] = [:]
            // Where a mark cannot be read, the pull request is shown.
            let marks = try Row.fetchAll(database, sql: "SELECT * FROM pull_marks")
            for (user, mark) in marks.readable(Self.mark) {
                all[user, default: StoredSettings()].marks[mark.key] = mark
            }
            let choices = try Row.fetchAll(database, sql: "SELECT * FROM pull_choices")
            for (user, choices) in choices.readable(Self.choices) {
                all[user, default: StoredSettings()].choices = choices
            }
            let sections = try Row.fetchAll(
                database, sql: "SELECT * FROM pull_sections ORDER BY user_id, sort_order, id")
            for (user, section) in sections.readable({
                (try $0.id("user_id"), try SectionTransaction.section($0))
            }) {
                let place = all[user]?.sections.count ?? 0
                all[user, default: StoredSettings()].sections.append(section(place))
            }
            return all
        }
    }

    func put(_ mark: StoredMark, for user: UserID, onCommit: @escaping @Sendable () -> Void) async throws {
        let (kind, until) = Self.kind(mark.mark)
        let seen = String(decoding: try JSONEncoder().encode(mark.seen), as: UTF8.self)
        try await database.write { database in
            let key = mark.key
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO pull_marks
                        (user_id, host, owner, name, number, kind, until, seen, marked_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    user, key.host, key.owner, key.name, key.number, kind, until?.timeIntervalSince1970, seen,
                    mark.markedAt.timeIntervalSince1970,
                ])
            try database.execute(
                sql: """
                    DELETE FROM pull_marks WHERE user_id = ? AND (host, owner, name, number) IN (
                        SELECT host, owner, name, number FROM pull_marks WHERE user_id = ?
                        ORDER BY marked_at DESC, host, owner, name, number LIMIT -1 OFFSET ?)
                    """,
                arguments: [user, user, Self.maximumMarks])
            database.afterNextTransaction { _ in onCommit() }
        }
    }

    /// Takes marks away as they were seen; one that was made anew meanwhile stays.
    func remove(
        _ marks: [StoredMark], of user: UserID, onCommit: @escaping @Sendable () -> Void
    ) async throws {
        try await database.write { database in
            for mark in marks {
                let key = mark.key
                try database.execute(
                    sql: """
                        DELETE FROM pull_marks WHERE user_id = ? AND host = ? AND owner = ? AND name = ?
                            AND number = ? AND marked_at <= ?
                        """,
                    arguments: [
                        user, key.host, key.owner, key.name, key.number, mark.markedAt.timeIntervalSince1970,
                    ])
            }
            database.afterNextTransaction { _ in onCommit() }
        }
    }

    func choose(
        _ choices: PullChoices, for user: UserID, onCommit: @escaping @Sendable () -> Void
    ) async throws {
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
            database.afterNextTransaction { _ in onCommit() }
        }
    }

    /// Changes a user's own sections, and answers them as they are now; `onCommit` is given them after the commit.
    func sections(
        of user: UserID, onCommit: @escaping @Sendable ([OwnSection]) -> Void,
        change: @escaping @Sendable (SectionTransaction) throws -> Void
    ) async throws -> [OwnSection] {
        try await database.write { database in
            let rows = SectionTransaction(database: database, user: user)
            do {
                try change(rows)
            } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
                throw RoostError.conflict(field: "name", why: "You have a section of this name already.")
            }
            let sections = try rows.all()
            database.afterNextTransaction { _ in onCommit(sections) }
            return sections
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

    static let stored = [
        StoredRows("pull_marks") { _ = try mark($0) }, StoredRows("pull_choices") { _ = try choices($0) },
        StoredRows("pull_sections") { row in _ = (try row.id("user_id"), try SectionTransaction.section(row))
        },
    ]

    private static func mark(_ row: Row) throws -> (UserID, StoredMark) {
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
        return (
            try row.id("user_id"),
            StoredMark(key: key, mark: mark, seen: try row.json("seen"), markedAt: try row.time("marked_at"))
        )
    }

    private static func choices(_ row: Row) throws -> (UserID, PullChoices) {
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
        return (try row.id("user_id"), choices)
    }
}
