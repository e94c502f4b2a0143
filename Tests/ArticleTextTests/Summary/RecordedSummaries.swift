import Foundation
import TestSupport
import Testing

/// News and abstracts with summaries written by people, stored outside the project.
enum RecordedSummaries {
    struct Item: Sendable {
        let text: String
        /// The first sentences, split by the collection's authors or at detached full stops.
        let sentences: [String]
        /// The summaries, each as sentences.
        let references: [[String]]
    }

    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../shared/recordings/summaries").standardizedFileURL

    /// On CI the recordings must exist: the tests run and fail without them.
    static let mayRun =
        FileManager.default.fileExists(atPath: folder.path)
        || ProcessInfo.processInfo.environment["CI"] == "true"

    static let reason: Comment = "The recordings are not at ../shared/recordings/summaries"

    static func news() throws -> [Item] {
        struct Row: Decodable {
            let text: String
            let references: [String]
        }
        return try rows("news.jsonl", of: Row.self).map {
            Item(text: $0.text, sentences: split($0.text), references: $0.references.map(split))
        }
    }

    static func abstracts() throws -> [Item] {
        struct Row: Decodable {
            let sentences: [String]
            let references: [String]
        }
        return try rows("abstracts.jsonl", of: Row.self).map {
            Item(
                text: $0.sentences.joined(separator: " "), sentences: $0.sentences,
                references: $0.references.map { [$0] })
        }
    }

    /// The news texts have a space before each full stop, which ends a sentence.
    private static func split(_ text: String) -> [String] {
        text.components(separatedBy: " . ").map { $0.hasSuffix(" .") ? $0 : $0 + " ." }
    }

    private static func rows<Row: Decodable>(_ name: String, of type: Row.Type) throws -> [Row] {
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        return try text.split(separator: "\n").map { try JSONDecoder().decode(type, from: Data($0.utf8)) }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the tests with a reason when the summaries are missing, except on CI.
    static var recordedSummaries: Self { .enabled(if: RecordedSummaries.mayRun, RecordedSummaries.reason) }
}
