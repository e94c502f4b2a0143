import Foundation

/// The project's own files, located relative to this file.
enum SiteFiles {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Returns the path and text of every file below the folder with this ending.
    static func texts(in folder: String, ending: String) throws -> [(path: String, text: String)] {
        let base = root.appending(path: folder)
        let paths = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
        return try paths.filter { $0.hasSuffix(ending) }.sorted().map {
            ($0, String(decoding: try Data(contentsOf: base.appending(path: $0)), as: UTF8.self))
        }
    }
}
