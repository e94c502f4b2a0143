import Foundation
package import GRDB

/// The one SQLite file: opened and migrated here.
package enum Database {
    /// The file's name inside the data folder.
    package static let fileName = "roost.sqlite"
    /// SQLite copies the log into the main file every 1,000 pages (4 MB), so that it rarely gets this large.
    static let maximumLogBytes = 8 << 20

    /// What is done with each connection when it is opened.
    package struct Preparation: Sendable {
        package let prepare: @Sendable (GRDB.Database) -> Void

        package init(_ prepare: @escaping @Sendable (GRDB.Database) -> Void = { _ in }) {
            self.prepare = prepare
        }
    }

    /// Opens (and makes, mode 0600 in a folder of 0700) the database in `folder`, and brings its schema up to date.
    ///
    /// WAL with `synchronous=FULL`: what was acknowledged survives a power cut.
    /// - Parameters:
    ///   - migrator: all that has to be done to an older database
    ///   - maximumPages: SQLite's `max_page_count`, with which tests fill the database up
    ///   - prepare: called with each connection, for tests that watch its statements
    /// - Throws: `RoostError.unavailable` for the database of a newer version
    package static func open(
        in folder: String, migrator: DatabaseMigrator, maximumPages: Int? = nil,
        prepare: @escaping @Sendable (GRDB.Database) -> Void = { _ in }
    ) throws -> DatabasePool {
        try DataFolder.prepare(folder)
        let path = folder + "/" + fileName
        if !FileManager.default.fileExists(atPath: path) {
            try FolderOwner.checkAccess(to: folder, file: path)
            try makeFile(at: path)
            // SQLite gives the files next to it the same owner.
            FolderOwner.give(path)
        }
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(5)
        // The four threads of requests, the two of heavy work and the two of background work.
        configuration.maximumReaderCount = 8
        configuration.prepareDatabase { database in
            prepare(database)
            try database.execute(sql: "PRAGMA synchronous = FULL")
            // In KiB, for each of at most thirteen connections. SQLite's default of 2,000 is less than 10,000 bookmarks take.
            try database.execute(sql: "PRAGMA cache_size = -4000")
            // In bytes. A log that has grown while a reader kept it in use shrinks to this size when it is reused.
            try database.execute(sql: "PRAGMA journal_size_limit = \(maximumLogBytes)")
            if let maximumPages { try database.execute(sql: "PRAGMA max_page_count = \(maximumPages)") }
        }
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        try pool.read { try DatabaseSchema.refuseNewer($0, than: migrator, path: path) }
        try migrator.migrate(pool)
        return pool
    }

    /// Closes the database so that its main file alone is whole.
    ///
    /// Throws what kept the write-ahead log from being taken over, such as a reader in another process or a full disk;
    /// the database is closed then too, and what is missing from the main file waits in the log.
    package static func close(_ pool: DatabasePool) throws {
        // SQLite removes the log with the last connection, if that one may write: here the readers end first.
        pool.invalidateReadOnlyConnections()
        let checkpoint = Result {
            try pool.writeWithoutTransaction { database in
                // Closed a second time: SQLite would be asked with a connection that is gone.
                guard database.sqliteConnection != nil else { return }
                try database.checkpoint(.truncate)
            }
        }
        try pool.close()
        try checkpoint.get()
    }

    /// An empty file that only its owner may read.
    static func makeFile(at path: String) throws {
        let isMade = FileManager.default.createFile(
            atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        guard isMade else { throw RoostError.unavailable("The file \(path) could not be made.") }
    }
}

/// A step of the schema, named for its feature. What has been released is never changed: later steps follow it.
package struct Migration: Sendable {
    package let name: String
    package let run: @Sendable (GRDB.Database) throws -> Void

    package init(_ name: String, run: @escaping @Sendable (GRDB.Database) throws -> Void) {
        self.name = name
        self.run = run
    }

    package init(_ name: String, sql: String) {
        self.init(name) { try $0.execute(sql: sql) }
    }
}
