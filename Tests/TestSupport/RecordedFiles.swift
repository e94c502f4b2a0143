package import Foundation
package import Testing

/// Recorded answers, stored next to the project, not in it.
package enum RecordedFiles {
    package static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../shared/recordings/coingecko").standardizedFileURL

    package static let arePresent = FileManager.default.fileExists(atPath: folder.path)

    /// CI requires the recordings: without them the tests run and fail.
    package static let mayRun = arePresent || ProcessInfo.processInfo.environment["CI"] == "true"

    package static let reason: Comment = "The recordings are not at ../shared/recordings/coingecko"

    package static func read(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: name))
    }

    package static func text(_ name: String) throws -> String {
        String(decoding: try read(name), as: UTF8.self)
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips with a reason if the recordings are missing, except on CI.
    package static var recordings: Self { .enabled(if: RecordedFiles.mayRun, RecordedFiles.reason) }
}
