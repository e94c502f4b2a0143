import Foundation
import TestSupport
import Testing

@testable import ArticleText

/// Looks for segments that must and must not be in the text of 495 pages in many languages. The metric is that of the
/// recordings' SOURCE.md: precision and recall of the segments found.
@Suite(.serialized, .recordedPages) struct RecordedSegmentTests {
    private struct Page: Decodable {
        let file: String
        let with: [String]
        let without: [String]
    }

    private struct Scores {
        var with = Share()
        var without = Share()

        var precision: Double { with.found / max(with.found + without.found, 1) }
        var recall: Double { with.value }
        var balance: Double { 2 * precision * recall / max(precision + recall, 1e-9) }
    }

    private static let folder = RecordedPages.content.deletingLastPathComponent().appending(path: "snippets")
    private static let scores = Result { try measure() }

    private static func measure() throws -> Scores {
        let file = folder.appending(path: "segments.json")
        let pages = try JSONDecoder().decode([String: Page].self, from: Data(contentsOf: file))
        var scores = Scores()
        for (address, page) in pages.sorted(by: { $0.key < $1.key }) {
            let html = try RecordedPages.gunzip(folder.appending(path: page.file))
            let article = try ArticleExtractor.extract(html, charset: nil, url: address)
            let text = folded(article.text)
            for segment in page.with { scores.with.add(text.containsBytes(folded(segment))) }
            for segment in page.without { scores.without.add(text.containsBytes(folded(segment))) }
        }
        let shown = [scores.precision, scores.recall, scores.balance].map { String(format: "%.3f", $0) }
        print("Segments of snippets: precision, recall, F1 \(shown.joined(separator: ", "))")
        return scores
    }

    private static func folded(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test func `every segment is looked for`() throws {
        let scores = try Self.scores.get()
        #expect(scores.with.all > 1_400)
        #expect(scores.without.all > 1_400)
    }

    @Test func `an article has its own sentences and few others`() throws {
        let scores = try Self.scores.get()
        #expect(scores.precision >= 0.92)
        #expect(scores.balance >= 0.94)
    }
}
