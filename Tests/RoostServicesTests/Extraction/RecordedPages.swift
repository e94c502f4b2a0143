import Foundation
import Testing

/// Pages of public sites, kept beside the project and not in it.
enum RecordedPages {
    struct GunzipFailed: Error {}

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../shared/recordings").standardizedFileURL

    static let content = folder.appending(path: "web-content")
    static let articles = folder.appending(path: "articles")

    /// Where CI runs, they must be there: their tests then run and fail.
    static let mayRun =
        FileManager.default.fileExists(atPath: content.path)
        || ProcessInfo.processInfo.environment["CI"] == "true"

    static func names(in folder: URL, suffix: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(suffix) }
            .map { String($0.dropLast(suffix.count)) }.sorted()
    }

    /// By the system's own gzip.
    static func gunzip(_ file: URL) throws -> [UInt8] {
        guard let pipe = popen("gzip -dc '\(file.path)'", "r") else { throw GunzipFailed() }
        var all: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&part, 1, part.count, pipe), count > 0 { all += part[..<count] }
        guard pclose(pipe) == 0 else { throw GunzipFailed() }
        return all
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips with a reason where the pages are absent, except on CI.
    static var recordedPages: Self {
        .enabled(if: RecordedPages.mayRun, "The recordings are not at ../shared/recordings")
    }
}

/// Shares of what was looked for that was found.
struct Share {
    private(set) var found = 0.0
    private(set) var all = 0.0

    mutating func add(_ found: Double, of all: Double = 1) {
        self.found += found
        self.all += all
    }

    mutating func add(_ isFound: Bool) { add(isFound ? 1 : 0) }

    var value: Double { all == 0 ? 0 : found / all }

    var shown: String { String(format: "%.3f (%.0f)", value, all) }
}
