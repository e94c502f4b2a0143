import GRDB
import RoostSupport

/// A user's own sections within one transaction, in their order.
struct SectionTransaction {
    let database: GRDB.Database
    let user: UserID

    func all() throws -> [OwnSection] {
        let sql = "SELECT id, name, query FROM pull_sections WHERE user_id = ? ORDER BY sort_order, id"
        let rows = try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [user])
        return rows.readable(Self.section).enumerated().map { place, section in section(place) }
    }

    /// The section, once its place is known.
    static func section(_ row: Row) throws -> (_ place: Int) -> OwnSection {
        let (id, name, query) = (try row.id("id"), try row.text("name"), try row.text("query"))
        return { OwnSection(id: id, name: name, query: query, order: $0) }
    }

    /// Puts a section last.
    func add(name: String, query: String) throws {
        try database.execute(
            sql: """
                INSERT INTO pull_sections (user_id, name, query, sort_order) VALUES (?, ?, ?,
                    (SELECT coalesce(max(min(sort_order, 1000000)) + 1, 0) FROM pull_sections WHERE user_id = ?))
                """,
            arguments: [user, name, query, user])
    }

    /// False when the user has no such section.
    func change(_ id: Int64, name: String, query: String) throws -> Bool {
        try database.execute(
            sql: "UPDATE pull_sections SET name = ?, query = ? WHERE id = ? AND user_id = ?",
            arguments: [name, query, id, user])
        return database.changesCount > 0
    }

    /// False when the user has no such section.
    func remove(_ id: Int64) throws -> Bool {
        try database.execute(
            sql: "DELETE FROM pull_sections WHERE id = ? AND user_id = ?", arguments: [id, user])
        return database.changesCount > 0
    }

    /// Renumbers the sections in this order.
    func order(_ ids: [Int64]) throws {
        for (place, id) in ids.enumerated() {
            try database.execute(
                sql: "UPDATE pull_sections SET sort_order = ? WHERE id = ? AND user_id = ?",
                arguments: [place, id, user])
        }
    }
}
