import GRDB
import Synchronization

/// The tables, columns, indexes and triggers of a database, to compare with those that the migrations make.
struct DatabaseSchema: Sendable {
    fileprivate struct Item: Sendable {
        let kind: String
        let table: String
        let sql: String
        /// Empty except for tables.
        let columns: [String]
    }

    /// Keyed by name, in lower case because SQLite ignores the case of names.
    private let items: [String: Item]

    /// Leaves out SQLite's own tables, and those in which Litestream counts what it copies.
    private static let isOwn = """
        name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND tbl_name NOT LIKE '\\_litestream\\_%' ESCAPE '\\'
        """

    init(_ database: GRDB.Database) throws {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT type, name, tbl_name, sql FROM sqlite_schema
                WHERE \(Self.isOwn) AND sql IS NOT NULL
                """)
        var items: [String: Item] = [:]
        for row in rows {
            let (kind, name): (String, String) = try (
                row.decode(forColumn: "type"), row.decode(forColumn: "name")
            )
            let columns =
                kind == "table"
                ? try String.fetchAll(
                    database, sql: "SELECT name FROM pragma_table_xinfo(?)", arguments: [name])
                : []
            items[name.lowercased()] = Item(
                kind: kind, table: try row.decode(forColumn: "tbl_name"),
                sql: Self.normalized(try row.decode(forColumn: "sql")), columns: columns)
        }
        self.items = items
    }

    /// Throws `RoostError.unavailable` if the database is another program's, or if a newer version of Roost has
    /// migrated it. Accepts an empty one, unless `mayBeEmpty` is false.
    static func refuseOther(
        _ database: GRDB.Database, than migrator: DatabaseMigrator, path: String, mayBeEmpty: Bool = false
    ) throws {
        let applied = try migrator.appliedIdentifiers(database)
        if applied.isDisjoint(with: migrator.migrations) {
            let table = try String.fetchOne(
                database,
                sql: """
                    SELECT name FROM sqlite_schema
                    WHERE \(isOwn) AND type = 'table' AND name <> 'grdb_migrations' ORDER BY name
                    """)
            if let table {
                throw RoostError.unavailable(
                    """
                    \(path) is the database of another program: it has the table “\(table)”. Move it away, or choose \
                    another folder with --data.
                    """)
            }
            guard mayBeEmpty else { throw RoostError.unavailable("\(path) is an empty database.") }
        }
        let unknown = applied.subtracting(migrator.migrations).sorted()
        guard let first = unknown.first else { return }
        throw RoostError.unavailable(
            """
            The database \(path) was written by a newer version of Roost: this one does not know its migration “\(first)”. \
            Start the newer version, or restore a backup made before the update.
            """)
    }

    /// Returns a sentence for each difference, in a stable order.
    func differences(from expected: DatabaseSchema) -> [String] {
        let missingTables = Set(
            expected.items.filter { $0.value.kind == "table" && items[$0.key] == nil }.map(\.key))
        let missingOrOther = expected.items.sorted { $0.key < $1.key }.flatMap { name, item -> [String] in
            guard let found = items[name], found.kind == item.kind else {
                // Dropping a table drops its indexes and triggers, so report only the table.
                let isImplied = item.kind != "table" && missingTables.contains(item.table.lowercased())
                return isImplied ? [] : ["The \(item.label(name)) is missing."]
            }
            return Self.differences(of: name, found, from: item)
        }
        let unknown = items.filter { expected.items[$0.key] == nil }.sorted { $0.key < $1.key }
        return missingOrOther + unknown.map { "The \($1.label($0)) is unknown to this version." }
    }

    private static func differences(of name: String, _ found: Item, from expected: Item) -> [String] {
        guard found.sql != expected.sql else { return [] }
        let missing = expected.columns.filter { !found.columns.contains($0) }
        let unknown = found.columns.filter { !expected.columns.contains($0) }
        let columns =
            missing.map { "The column \($0) of the table \(name) is missing." }
            + unknown.map { "The column \($0) of the table \(name) is unknown to this version." }
        return columns.isEmpty
            ? ["The \(expected.label(name)) is defined differently in this version."] : columns
    }

    /// Collapses white space and removes quotation marks, also within literals: no migration has a literal with two
    /// spaces.
    private static func normalized(_ sql: String) -> String {
        var result: [UInt8] = []
        for byte in sql.utf8 where byte != UInt8(ascii: "\"") {
            guard byte == 0x20 || (0x09...0x0D).contains(byte) else {
                // "( x" equals "(x", and "x )" equals "x)".
                if result.last == 0x20, [UInt8(ascii: ")"), UInt8(ascii: ",")].contains(byte) {
                    result.removeLast()
                }
                result.append(byte)
                continue
            }
            if let last = result.last, last != 0x20, last != UInt8(ascii: "(") { result.append(0x20) }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension DatabaseSchema.Item {
    fileprivate func label(_ name: String) -> String {
        kind == "table" ? "table \(name)" : "\(kind) \(name) of the table \(table)"
    }
}

/// The schemas that a migrator makes, each made once: that takes longer than the rest of a small database's check.
final class ReferenceSchemas: Sendable {
    private let migrator: DatabaseMigrator
    private let made = Mutex<[String?: DatabaseSchema]>([:])

    init(_ migrator: DatabaseMigrator) { self.migrator = migrator }

    /// Returns the schema that the database should have. A database without the latest migrations is compared with the
    /// schema at its own last migration.
    func schema(of database: GRDB.Database) throws -> DatabaseSchema {
        let last = try migrator.completedMigrations(database).last
        return try made.withLock { made -> DatabaseSchema in
            if let schema = made[last] { return schema }
            let reference = try DatabaseQueue()
            if let last {
                try migrator.migrate(reference, upTo: last)
            } else {
                try migrator.migrate(reference)
            }
            let schema = try reference.read(DatabaseSchema.init)
            made[last] = schema
            return schema
        }
    }
}
