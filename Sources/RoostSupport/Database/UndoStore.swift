package import Foundation
package import GRDB

package enum UndoStore {
    package static let stored = [
        StoredRows("undos") { row in
            _ = (try row.id("id"), try row.id("user_id"), try row.text("feature"))
            _ = (try row.textIfPresent("subject"), try row.time("made_at"))
            _ = (try size(row), try row.number("is_open", in: 0...1))
        },
        StoredRows("undo_steps") { row in
            _ = (try row.id("undo"), try row.value("step") as String)
        },
    ]

    fileprivate static func size(_ row: Row) throws -> Int {
        try row.number("size", in: 0...Int(Int32.max))
    }
}

extension UndoStep {
    /// For `roost check`.
    package static var stored: StoredRows {
        let sql = """
            SELECT undo_steps.* FROM undo_steps JOIN undos ON undos.id = undo WHERE feature = '\(feature)'
            """
        return StoredRows("undo_steps", sql: sql) { _ = try $0.json("step") as Self }
    }
}

extension Reads {
    /// Returns nil if the change can no longer be undone, and for another user's or another feature's.
    package func undo<Step: UndoStep>(_ id: UndoID, _: Step.Type, by user: UserID) throws -> Undo? {
        try validUndo(
            database.rows(
                "SELECT id, made_at, size FROM undos WHERE id = ? AND user_id = ? AND feature = ?",
                [id, user, Step.feature]))
    }

    fileprivate func validUndo(_ rows: [Row]) -> Undo? {
        rows.readable { row in
            let id = try row.id("id")
            let now = undoExpirations.comparisonDate(for: id)
            let isExpired = ClockSkew.isExpired(try row.time("made_at"), lifetime: Undos.lifetime, now: now)
            return now == .distantPast || !isExpired ? Undo(id: id, size: try UndoStore.size(row)) : nil
        }.first ?? nil
    }
}

extension Writes {
    /// Keeps how to undo a change. Its day starts with the commit.
    ///
    /// - Parameters:
    ///   - subject: what was changed, for an undo that names it; replaces the former undo of the same subject
    ///   - earlier: a change to undo together with this one
    ///   - isOpen: whether further steps follow; the limits do not apply until then
    package func addUndo<Step: UndoStep>(
        _ steps: [Step], of subject: String? = nil, to earlier: UndoID? = nil, isOpen: Bool = false,
        by user: UserID, at now: Date
    ) throws -> UndoID {
        let id = try undoID(Step.feature, of: subject, addedTo: earlier, isOpen: isOpen, by: user, at: now)
        let statement = try database.cachedStatement(
            sql: "INSERT INTO undo_steps (undo, step) VALUES (?, ?)")
        let encoder = JSONEncoder()
        for step in steps {
            try statement.execute(
                arguments: [id, String(decoding: try encoder.encode(step), as: UTF8.self)])
        }
        try noteUndoSteps(steps.count, of: id, Step.self, by: user)
        afterCommit { [undoExpirations] in undoExpirations.note(id, lasting: Undos.lifetime) }
        return id
    }

    /// Adds steps that SQLite makes.
    ///
    /// - Parameter selection: selects the JSON of each step
    package func addUndoSteps<Step: UndoStep>(
        _: Step.Type, to id: UndoID, selecting selection: String, _ arguments: StatementArguments,
        by user: UserID
    ) throws {
        try execute(
            "INSERT INTO undo_steps (undo, step) SELECT ?, step FROM (\(selection))", [id] + arguments)
        try noteUndoSteps(database.changesCount, of: id, Step.self, by: user)
    }

    private func undoID(
        _ feature: String, of subject: String?, addedTo earlier: UndoID?, isOpen: Bool, by user: UserID,
        at now: Date
    ) throws -> UndoID {
        if let earlier {
            try execute(
                "UPDATE undos SET made_at = ?, is_open = ? WHERE id = ? AND user_id = ? AND feature = ?",
                [now.stored, isOpen, earlier, user, feature])
            if database.changesCount > 0 { return earlier }
        }
        try execute(
            """
            INSERT OR REPLACE INTO undos (user_id, feature, subject, made_at, is_open) VALUES (?, ?, ?, ?, ?)
            """, [user, feature, subject, now.stored, isOpen])
        return database.lastInsertedRowID
    }

    /// Counts the steps, and removes the user's oldest changes past the limits.
    private func noteUndoSteps<Step: UndoStep>(
        _ count: Int, of id: UndoID, _: Step.Type, by user: UserID
    ) throws {
        try execute("UPDATE undos SET size = size + ? WHERE id = ?", [count, id])
        try execute(
            """
            DELETE FROM undos WHERE is_open = 0 AND id <> ? AND id IN (
                SELECT id FROM (
                    SELECT id, row_number() OVER latest AS number, sum(size) OVER latest AS steps
                    FROM undos WHERE user_id = ? AND feature = ?
                    WINDOW latest AS (ORDER BY made_at DESC, id DESC ROWS UNBOUNDED PRECEDING))
                WHERE number > ? OR steps > ?)
            """, [id, user, Step.feature, Step.maximumChanges, Step.maximumSteps])
    }

    /// Lets the limits apply to a change that gets no further steps.
    package func closeUndo(_ id: UndoID) throws {
        try execute("UPDATE undos SET is_open = 0 WHERE id = ?", [id])
    }

    /// Removes a change and returns its readable steps in their order, or nil if it can no longer be undone, for
    /// example because an older version stored steps that this one cannot read.
    package func takeUndo<Step: UndoStep>(_ id: UndoID, by user: UserID) throws -> [Step]? {
        try undo(id, Step.self, by: user).flatMap(takeSteps)
    }

    /// Removes the change of a subject like `takeUndo(_:by:)`.
    package func takeUndo<Step: UndoStep>(of subject: String, by user: UserID) throws -> [Step]? {
        try validUndo(
            database.rows(
                "SELECT id, made_at, size FROM undos WHERE user_id = ? AND feature = ? AND subject = ?",
                [user, Step.feature, subject])
        ).flatMap(takeSteps)
    }

    private func takeSteps<Step: UndoStep>(of undo: Undo) throws -> [Step]? {
        let rows = try database.rows("SELECT step FROM undo_steps WHERE undo = ? ORDER BY id", [undo.id])
        let steps: [Step] = rows.readable { try $0.json("step") }
        guard !steps.isEmpty || rows.isEmpty else { return nil }
        try execute("DELETE FROM undos WHERE id = ?", [undo.id])
        return steps
    }

    func removeExpiredUndos(at now: Date) throws {
        try execute(
            """
            DELETE FROM undos WHERE (made_at < ? OR made_at > ?) AND is_open = 0
                AND id NOT IN (SELECT value FROM json_each(?))
            """,
            [
                (now - Undos.lifetime).stored, (now + ClockSkew.tolerance).stored,
                undoExpirations.validKeys.jsonArray,
            ])
    }
}

extension Migration {
    /// Changes that can be undone, of all features. Their steps are JSON that only rare queries look into. `subject`
    /// says what was changed if the undo names that instead of the id.
    ///
    /// The row in `sqlite_sequence` lets features move their former undos without reusing ids.
    package static let undos = Migration(
        "undos",
        sql: """
            CREATE TABLE undos (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                feature TEXT NOT NULL,
                subject TEXT,
                made_at REAL NOT NULL,
                size INTEGER NOT NULL DEFAULT 0 CHECK (size >= 0),
                is_open INTEGER NOT NULL DEFAULT 0 CHECK (is_open IN (0, 1)),
                UNIQUE (user_id, feature, subject)
            ) STRICT;
            CREATE INDEX undos_by_time ON undos (made_at);
            CREATE TABLE undo_steps (
                id INTEGER PRIMARY KEY,
                undo INTEGER NOT NULL REFERENCES undos (id) ON DELETE CASCADE,
                step TEXT NOT NULL
            ) STRICT;
            CREATE INDEX undo_steps_by_undo ON undo_steps (undo);
            INSERT INTO sqlite_sequence (name, seq) VALUES ('undos', 0);
            """)
}
