import Foundation
import RoostServices
import RoostSupport

/// A new database with the current schema, made once per process, because migrating took most of a test's time.
package enum MigratedDatabase {
    private static let bytes = Result {
        let folder = try TemporaryFolder()
        try Database.close(try Database.open(in: folder.path))
        return try Data(contentsOf: URL(filePath: folder.file(Database.fileName)))
    }

    /// Copies it into the folder, which is made if it is missing; an existing database is kept.
    package static func put(into folder: String) throws {
        let files = FileManager.default
        let path = folder + "/" + Database.fileName
        guard !files.fileExists(atPath: path) else { return }
        try files.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard
            files.createFile(atPath: path, contents: try bytes.get(), attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
    }
}
