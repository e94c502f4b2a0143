import Foundation
package import GRDB

/// The one SQLite file: opened, migrated, checked and backed up here.
package enum Database {
    /// The file's name inside the data folder.
    package static let fileName = "roost.sqlite"

    /// Opens (and makes, mode 0600 in a folder of 0700) the database in `folder`, and brings its schema up to date.
    ///
    /// WAL with `synchronous=FULL`: what was acknowledged survives a power cut.
    package static func open(in folder: String) throws -> DatabasePool {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let path = folder + "/" + fileName
        if !FileManager.default.fileExists(atPath: path) { try makeFile(at: path) }
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = 4
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        try Migrations.migrator.migrate(pool)
        return pool
    }

    /// What SQLite's own checks find wrong, a line each; empty when all is well.
    package static func problems(in pool: DatabasePool) throws -> [String] {
        try pool.read { database in
            let integrity = try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
            let orphans = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").map { row in
                "A row of \(row["table"] as String? ?? "?") points at nothing in \(row["parent"] as String? ?? "?")."
            }
            return integrity + orphans
        }
    }

    /// Copies the database to a new file while it is in use; refuses to overwrite one.
    package static func backup(_ pool: DatabasePool, to path: String) throws {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw RoostError.conflict(field: "file", why: "There already is a file at \(path).")
        }
        try makeFile(at: path)
        let destination = try DatabaseQueue(path: path)
        try pool.backup(to: destination)
        try destination.close()
    }

    /// An empty file that only its owner may read.
    private static func makeFile(at path: String) throws {
        let isMade = FileManager.default.createFile(
            atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        guard isMade else { throw RoostError.unavailable("The file \(path) could not be made.") }
    }
}
