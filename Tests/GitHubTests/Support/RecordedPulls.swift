import Foundation
import TestSupport
import Testing

/// GitHub's recorded answers, stored next to the project, not in it.
enum RecordedPulls {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../shared/recordings/github").standardizedFileURL

    static let mayRun =
        FileManager.default.fileExists(atPath: folder.path)
        || ProcessInfo.processInfo.environment["CI"] == "true"

    static let reason: Comment = "The recordings are not at ../shared/recordings/github"

    static func read(_ name: String) throws -> Data { try Data(contentsOf: folder.appending(path: name)) }

    /// The bodies of all recorded searches for issues, with the names of folder and file.
    static func searches() throws -> [(name: String, body: Data)] {
        let root = folder.appending(path: "hub4j")
        return try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted().filter {
            $0.contains("/__files/") && $0.hasSuffix("-search_issues.json")
        }.map { ($0, try Data(contentsOf: root.appending(path: $0))) }
    }

    /// The bodies of a HAR's answers.
    static func answers(har name: String) throws -> [Data] {
        struct HAR: Decodable {
            struct Log: Decodable { let entries: [Entry] }
            struct Entry: Decodable { let response: Response }
            struct Response: Decodable { let content: Content }
            struct Content: Decodable { let text: String? }
            let log: Log
        }
        let entries = try JSONDecoder().decode(HAR.self, from: read(name)).log.entries
        return entries.compactMap { $0.response.content.text.map { Data($0.utf8) } }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips with a reason if the recordings of GitHub are missing, except on CI.
    static var recordedPulls: Self { .enabled(if: RecordedPulls.mayRun, RecordedPulls.reason) }
}
