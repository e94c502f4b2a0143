package import Foundation
package import Testing

/// Pages of public sites, stored next to the project, not in it.
package enum RecordedPages {
    package struct GunzipFailed: Error {}

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../shared/recordings").standardizedFileURL

    package static let content = folder.appending(path: "web-content")
    package static let articles = folder.appending(path: "articles")

    /// CI requires the pages: without them the tests run and fail.
    package static let mayRun =
        FileManager.default.fileExists(atPath: content.path)
        || ProcessInfo.processInfo.environment["CI"] == "true"

    package static func names(in folder: URL, suffix: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(suffix) }
            .map { String($0.dropLast(suffix.count)) }.sorted()
    }

    /// Unpacks with the system's own gzip.
    package static func gunzip(_ file: URL) throws -> [UInt8] {
        guard let pipe = popen("gzip -dc '\(file.path)'", "r") else { throw GunzipFailed() }
        var all: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&part, 1, part.count, pipe), count > 0 { all += part[..<count] }
        guard pclose(pipe) == 0 else { throw GunzipFailed() }
        return all
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips with a reason if the pages are missing, except on CI.
    package static var recordedPages: Self {
        .enabled(if: RecordedPages.mayRun, "The recordings are not at ../shared/recordings")
    }
}

/// Sums of items found and items looked for.
package struct Share {
    package private(set) var found = 0.0
    package private(set) var all = 0.0

    package init() {}

    package mutating func add(_ found: Double, of all: Double = 1) {
        self.found += found
        self.all += all
    }

    package mutating func add(_ isFound: Bool) { add(isFound ? 1 : 0) }

    package var value: Double { all == 0 ? 0 : found / all }

    package var shown: String { String(format: "%.3f (%.0f)", value, all) }
}
