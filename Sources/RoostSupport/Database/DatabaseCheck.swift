import Foundation
package import GRDB

/// The checks of `roost check`: the file, the schema, foreign keys and the values in rows.
package struct DatabaseCheck: Sendable {
    private let migrator: DatabaseMigrator
    private let references: ReferenceSchemas
    private let stored: [StoredRows]

    package init(migrator: DatabaseMigrator, stored: [StoredRows]) {
        self.migrator = migrator
        references = ReferenceSchemas(migrator)
        self.stored = stored
    }

    func problems(_ database: GRDB.Database) throws -> [String] {
        let (damage, schema) = try (Self.damage(database), schemaProblems(database))
        let faults = try damage + schema + Self.orphans(database)
        // Reading rows needs the columns of the latest migrations.
        guard try migrator.hasCompletedMigrations(database) else { return faults }
        return faults
            + stored.flatMap { rows in
                // A missing table or column is already among the schema's problems.
                do { return try rows.problems(database) } catch {
                    return schema.isEmpty ? ["The table \(rows.table) cannot be read: \(error)."] : []
                }
            }
    }

    private func faults(_ database: GRDB.Database) throws -> [String] {
        try Self.damage(database) + schemaProblems(database) + Self.orphans(database)
    }

    private func schemaProblems(_ database: GRDB.Database) throws -> [String] {
        try DatabaseSchema(database).differences(from: references.schema(of: database))
    }

    private static func orphans(_ database: GRDB.Database) throws -> [String] {
        try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").map { row in
            let (table, parent): (String, String) = (try row.value("table"), try row.value("parent"))
            return "A row of \(table) refers to a missing row of \(parent)."
        }
    }

    private static func damage(_ database: GRDB.Database) throws -> [String] {
        try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
    }

    func faults(ofCopyAt path: String) async throws -> [String] {
        try await Self.reading(path, faults)
    }

    /// Returns the damage of the file at `path`. Reads the whole file in one transaction; cancelling the task ends it
    /// early.
    static func damage(at path: String) async throws -> [String] { try await reading(path, damage) }

    /// The same on the current thread.
    static func damageNow(at path: String) throws -> [String] {
        try described(path) {
            let queue = try open(path)
            let problems = try queue.read(damage)
            try queue.close()
            return problems
        }
    }

    /// Checks the database in `folder` without changing or migrating it; a server may be running on it.
    ///
    /// Throws `RoostError.unavailable` for the database of a newer version. A file that is not a database is reported
    /// as a problem.
    package func problems(in folder: String) async throws -> [String] {
        let path = folder + "/" + Database.fileName
        return try await problems(ofFileAt: path, shownAs: path)
    }

    /// Checks any file as the database of Roost that it should be, for instance a backup, without changing it.
    package func problems(ofFileAt path: String) async throws -> [String] {
        try Self.refuseMissing(path)
        return try await problems(ofFileAt: path, shownAs: path)
    }

    /// - Parameter name: the path for messages
    func problems(ofFileAt path: String, shownAs name: String) async throws -> [String] {
        try await Self.reading(path, shownAs: name) { database in
            try DatabaseSchema.refuseOther(database, than: migrator, path: name)
            return try problems(database)
        }
    }

    /// Returns how many rows each table of features has, for the tables that the file has.
    package func rowCounts(ofFileAt path: String) async throws -> [String: Int] {
        try Self.refuseMissing(path)
        let tables = Set(stored.map(\.table)).sorted()
        let queue = try Self.open(path)
        let counts = try await queue.read { database in
            try tables.reduce(into: [String: Int]()) { counts, table in
                guard try database.tableExists(table) else { return }
                counts[table] = try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)")
            }
        }
        try queue.close()
        return counts
    }

    /// Throws `RoostError.notFound` unless there is a file at the path: SQLite would create one.
    static func refuseMissing(_ path: String) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw RoostError.notFound("There is no file \(path).")
        }
        guard !isFolder.boolValue else {
            throw RoostError.notFound(
                "\(path) is a folder. Name the file in it, such as \(path)/\(Database.fileName).")
        }
    }

    private static func reading(
        _ path: String, shownAs name: String? = nil,
        _ query: @escaping @Sendable (GRDB.Database) throws -> [String]
    ) async throws -> [String] {
        let problems: [String]
        do {
            let queue = try open(path)
            problems = try await queue.read(query)
            try queue.close()
        } catch {
            return try described(name ?? path) { throw error }
        }
        return problems
    }

    static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        // Not opened read-only, because the last connection must be able to checkpoint the write-ahead log.
        configuration.prepareDatabase { database in
            SearchIndexTokenizer.register(database)
            try database.execute(sql: "PRAGMA query_only = ON")
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Turns the errors of a file that SQLite cannot read into a problem.
    private static func described(_ path: String, _ work: () throws -> [String]) throws -> [String] {
        do { return try work() } catch let error as DatabaseError
            where [ResultCode.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
        {
            return ["\(path) is damaged or isn't a database: \(error.message ?? "SQLite cannot read it")."]
        }
    }
}
