import Foundation
import Testing

/// Real answers, kept beside the project and not in it.
enum RecordedFiles {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../shared/recordings/coingecko").standardizedFileURL

    static let arePresent = FileManager.default.fileExists(atPath: folder.path)

    /// Where CI runs, they must be there: their tests then run and fail.
    static let mayRun = arePresent || ProcessInfo.processInfo.environment["CI"] == "true"

    static let reason: Comment = "The recordings are not at ../shared/recordings/coingecko"

    static func read(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: name))
    }

    static func text(_ name: String) throws -> String {
        String(decoding: try read(name), as: UTF8.self)
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips with a reason where the recordings are absent, except on CI.
    static var recordings: Self { .enabled(if: RecordedFiles.mayRun, RecordedFiles.reason) }
}
