import Foundation
package import GRDB

/// Marks, choices and own sections in SQLite. `kept` is called once a change is committed, in the order of commits.
package struct PullStore: Sendable {
    /// What is kept for one user.
    struct Kept: Sendable {
        var marks: [PullKey: KeptMark] = [:]
        var choices = PullChoices()
        var sections: [OwnSection] = []
    }

    /// More are not kept for a user: the oldest go.
    static let mostMarks = 2_000

    let database: any DatabaseWriter

    package init(database: any DatabaseWriter) {
        self.database = database
    }

    /// Everybody's.
    func all() async throws -> [UserID: Kept] {
        try await database.read { database in
            var all: [UserID: Kept] = [:]
            for row in try Row.fetchAll(database, sql: "SELECT * FROM pull_marks") {
                // A row that cannot be read is one of a later version: the pull request is shown.
                guard let mark = Self.mark(row) else { continue }
                all[row["user_id"], default: Kept()].marks[mark.key] = mark
            }
            for row in try Row.fetchAll(database, sql: "SELECT * FROM pull_choices") {
                all[row["user_id"], default: Kept()].choices = Self.choices(row)
            }
            let sections = "SELECT * FROM pull_sections ORDER BY user_id, sort_order, id"
            for row in try Row.fetchAll(database, sql: sections) {
                let user: UserID = row["user_id"]
                let place = all[user]?.sections.count ?? 0
                all[user, default: Kept()].sections.append(
                    OwnSection(id: row["id"], name: row["name"], query: row["query"], order: place))
            }
            return all
        }
    }

    func put(_ mark: KeptMark, for user: UserID, kept: @escaping @Sendable () -> Void) async throws {
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
                arguments: [user, user, Self.mostMarks])
            database.afterNextTransaction { _ in kept() }
        }
    }

    /// Takes marks away as they were seen; one that was made anew meanwhile stays.
    func remove(
        _ marks: [KeptMark], of user: UserID, kept: @escaping @Sendable () -> Void
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
            database.afterNextTransaction { _ in kept() }
        }
    }

    func choose(
        _ choices: PullChoices, for user: UserID, kept: @escaping @Sendable () -> Void
    ) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO pull_choices (user_id, grouping, sort, drafts, hides_bots,
                        amber_hours, red_hours, notifies, sounds)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    user, choices.grouping.rawValue, choices.sort.rawValue, choices.drafts.rawValue,
                    choices.hidesBots, choices.amberHours, choices.redHours, choices.notifies, choices.sounds,
                ])
            database.afterNextTransaction { _ in kept() }
        }
    }

    /// Changes a user's own sections, and answers them as they are now; `kept` is given them after the commit.
    func sections(
        of user: UserID, kept: @escaping @Sendable ([OwnSection]) -> Void,
        change: @escaping @Sendable (SectionRows) throws -> Void
    ) async throws -> [OwnSection] {
        try await database.write { database in
            let rows = SectionRows(database: database, user: user)
            do {
                try change(rows)
            } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
                throw RoostError.conflict(field: "name", why: "You have a section of this name already.")
            }
            let sections = try rows.all()
            database.afterNextTransaction { _ in kept(sections) }
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

    private static func mark(_ row: Row) -> KeptMark? {
        let seen: String = row["seen"]
        guard let digest = try? JSONDecoder().decode(PullDigest.self, from: Data(seen.utf8)) else {
            return nil
        }
        let kind: String = row["kind"]
        let until: Double? = row["until"]
        let mark: PullMark? =
            switch kind {
            case "until": until.map { .snoozedUntil(Date(timeIntervalSince1970: $0)) }
            case "change": .snoozedUntilChange
            case "mute": .muted
            case "done": .done
            default: nil
            }
        let key = PullKey(host: row["host"], owner: row["owner"], name: row["name"], number: row["number"])
        return mark.map {
            KeptMark(
                key: key, mark: $0, seen: digest, markedAt: Date(timeIntervalSince1970: row["marked_at"]))
        }
    }

    private static func choices(_ row: Row) -> PullChoices {
        var choices = PullChoices()
        choices.grouping = PullChoices.Grouping(rawValue: row["grouping"]) ?? .none
        choices.sort = PullChoices.Sort(rawValue: row["sort"]) ?? .age
        choices.drafts = PullChoices.Drafts(rawValue: row["drafts"]) ?? .shown
        choices.hidesBots = row["hides_bots"]
        choices.amberHours = row["amber_hours"]
        choices.redHours = row["red_hours"]
        choices.notifies = row["notifies"]
        choices.sounds = row["sounds"]
        return choices
    }
}
