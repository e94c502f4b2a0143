import FoundationEssentials
import Glibc

/// A folder that goes away with its last reference.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/http-server-tests-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ bytes: [UInt8], to name: String) throws {
        let file = URL(filePath: path + "/" + name)
        try FileManager.default.createDirectory(
            atPath: file.deletingLastPathComponent().path, withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

    func read(_ name: String) throws -> [UInt8] { try Self.bytes(of: path + "/" + name) }

    static func bytes(of file: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: file))) }
}
