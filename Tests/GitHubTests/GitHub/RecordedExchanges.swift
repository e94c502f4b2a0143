import Foundation
import TestSupport
import Testing

/// GitHub's recorded answers, stored next to the project: WireMock's mappings with their files.
enum RecordedExchanges {
    struct Exchange: Sendable {
        let url: String
        let answer: ScriptedUpstream.Response
    }

    private struct Mapping: Decodable {
        struct Request: Decodable { let url: String }
        struct Response: Decodable {
            let status: Int
            let body: String?
            let bodyFileName: String?
            let headers: [String: Value]?
        }

        struct Value: Decodable {
            let text: String

            init(from decoder: any Decoder) throws {
                let value = try decoder.singleValueContainer()
                text =
                    try (try? value.decode([String].self))?.joined(separator: ", ")
                    ?? value.decode(String.self)
            }
        }
        let request: Request
        let response: Response
    }

    static let folder = RecordedFiles.folder.deletingLastPathComponent().appending(path: "github")

    /// The exchanges of a collection in order. `reset` replaces WireMock's "in three seconds".
    static func exchanges(_ name: String, reset: Date = TestClock.start + 3) throws -> [Exchange] {
        let folder = folder.appending(path: "hub4j/\(name)")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/mappings").sorted()
        return try files.map { file in
            let data = try Data(contentsOf: folder.appending(path: "mappings/\(file)"))
            let mapping = try JSONDecoder().decode(Mapping.self, from: data)
            let body = try mapping.response.bodyFileName.map {
                try String(contentsOf: folder.appending(path: "__files/\($0)"), encoding: .utf8)
            }
            let skipped: Set = ["content-length", "transfer-encoding", "content-encoding", "connection"]
            let headers = (mapping.response.headers ?? [:]).filter { !skipped.contains($0.key.lowercased()) }
            let lines = headers.map { name, value in
                let isTime = value.text.contains("offset=")
                return "\(name): \(isTime ? "\(Int(reset.timeIntervalSince1970))" : value.text)"
            }
            return Exchange(
                url: mapping.request.url,
                answer: .init(
                    status: mapping.response.status, headers: lines.sorted(),
                    body: body ?? mapping.response.body ?? ""))
        }
    }
}
