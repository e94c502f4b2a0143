import Foundation

/// A folder for one test, deleted with its last reference.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        path = FileManager.default.temporaryDirectory.path + "/roost-test-\(UUID().uuidString)"
        // Roost warns about a data folder that others may open.
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        // A folder that is left in /tmp does no harm.
        try? FileManager.default.removeItem(atPath: path)
    }

    package func file(_ name: String) -> String { path + "/" + name }

    /// Writes a file and makes the folders in its name.
    package func write(_ bytes: [UInt8], to name: String) throws {
        let url = URL(filePath: file(name))
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    package func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

    package func read(_ name: String) throws -> [UInt8] { try Self.bytes(of: file(name)) }

    package static func bytes(of file: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: file)))
    }
}
