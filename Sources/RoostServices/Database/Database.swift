import Foundation
package import GRDB

/// The one SQLite file: opened and migrated here.
package enum Database {
    /// The file's name inside the data folder.
    package static let fileName = "roost.sqlite"

    /// Opens (and makes, mode 0600 in a folder of 0700) the database in `folder`, and brings its schema up to date.
    ///
    /// WAL with `synchronous=FULL`: what was acknowledged survives a power cut.
    /// - Parameter trace: told of every statement's SQL, for tests that count them.
    package static func open(
        in folder: String, trace: (@Sendable (String) -> Void)? = nil
    ) throws -> DatabasePool {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let path = folder + "/" + fileName
        if !FileManager.default.fileExists(atPath: path) { try makeFile(at: path) }
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = 4
        configuration.prepareDatabase { database in
            if let trace { database.trace { trace("\($0)") } }
            try database.execute(sql: "PRAGMA synchronous = FULL")
        }
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        try Migrations.migrator.migrate(pool)
        return pool
    }

    /// An empty file that only its owner may read.
    static func makeFile(at path: String) throws {
        let isMade = FileManager.default.createFile(
            atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        guard isMade else { throw RoostError.unavailable("The file \(path) could not be made.") }
    }
}
