import Foundation

enum TestFiles {
    /// The folder that contains `Package.swift`.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// Returns an unused name in the temporary folder.
    static func name() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("roost-test-\(UUID().uuidString)").path
    }

    static func temporary(_ text: String) throws -> String {
        let name = name()
        try Data(text.utf8).write(to: URL(fileURLWithPath: name))
        return name
    }

    static func temporaryFolder(_ folders: [String] = []) throws -> String {
        let name = name()
        for folder in [""] + folders {
            try FileManager.default.createDirectory(
                atPath: name + "/" + folder, withIntermediateDirectories: true)
        }
        return name
    }

    static func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: name)), as: UTF8.self)
    }

    static func remove(_ name: String) {
        try? FileManager.default.removeItem(atPath: name)
    }
}
