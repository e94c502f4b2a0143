import Foundation
import TestSupport
import Testing

@testable import ArticleText
@testable import TextFormats

/// Compares the text extracted from 1,483 pages of seven kinds with what people marked as the content. The metric is
/// that of the recordings' SOURCE.md: F1 of the words as multisets, averaged over pages.
@Suite(.serialized, .recordedPages) struct WebContentTests {
    private struct Truth: Decodable {
        struct Page: Decodable {
            let mainContent: String?
            let with: [String]?
            let without: [String]?
            let title: String?
            let author: String?
            let publishDate: String?
        }
        struct Internal: Decodable {
            struct Kind: Decodable { let primary: String }
            let pageType: Kind
        }

        let url: String?
        let groundTruth: Page
        let _internal: Internal
    }

    /// The scores of the tested pages, computed once for all tests.
    private struct Scores {
        var byKind: [String: Share] = [:]
        var all = Share()
        var with = Share()
        var without = Share()
        var title = Share()
        var author = Share()
        var date = Share()
        var kind = Share()
        var seconds = 0.0
        var failed: [String] = []
    }

    private static let scores = Result { try measure() }
    /// Every page, or every third.
    private static let step = AllTests.areWanted ? 1 : 3

    private static func measure() throws -> Scores {
        var scores = Scores()
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let names = try RecordedPages.names(
            in: RecordedPages.content.appending(path: "html"), suffix: ".html.gz")
        for name in names.indices.filter({ $0.isMultiple(of: step) }).map({ names[$0] }) {
            let html = try RecordedPages.gunzip(RecordedPages.content.appending(path: "html/\(name).html.gz"))
            let file = RecordedPages.content.appending(path: "ground-truth/\(name).json")
            let truth = try decoder.decode(Truth.self, from: Data(contentsOf: file))
            let start = threadSeconds()
            let article = try? ArticleExtractor.extract(html, charset: nil, url: truth.url)
            scores.seconds += threadSeconds() - start
            guard let article else {
                scores.failed.append(name)
                continue
            }
            add(article, truth, to: &scores)
        }
        print(report(scores))
        return scores
    }

    private static func add(_ article: ExtractedArticle, _ truth: Truth, to scores: inout Scores) {
        let page = truth.groundTruth
        let kind = truth._internal.pageType.primary
        let score = balance(words(article.text), words(page.mainContent ?? ""))
        scores.byKind[kind, default: Share()].add(score)
        scores.all.add(score)
        scores.kind.add(article.kind.rawValue == kind)
        let text = plain(article.text)
        for snippet in page.with ?? [] { scores.with.add(text.containsBytes(plain(snippet))) }
        for snippet in page.without ?? [] { scores.without.add(!text.containsBytes(plain(snippet))) }
        if let title = page.title, !title.isEmpty {
            scores.title.add(plain(article.title ?? "") == plain(title))
        }
        if let author = page.author, !author.isEmpty {
            scores.author.add(plain(article.byline ?? "") == plain(author))
        }
        if let date = page.publishDate, !date.isEmpty {
            scores.date.add(
                article.published.map { ISO8601.seconds($0).prefix(10) == date.prefix(10) } ?? false)
        }
    }

    private static func report(_ scores: Scores) -> String {
        let kinds = scores.byKind.sorted { $0.key < $1.key }.map { "  \($0.key): F1 \($0.value.shown)" }
        let speed = String(format: "%.1f", scores.seconds * 1_000 / max(scores.all.all, 1))
        return """
            Extraction over web-content: F1 \(scores.all.shown), \(speed) ms a page
            \(kinds.joined(separator: "\n"))
              with: \(scores.with.shown), without: \(scores.without.shown), kind: \(scores.kind.shown)
              title: \(scores.title.shown), author: \(scores.author.shown), date: \(scores.date.shown)
            """
    }

    /// Counts the matches of `\w+` in lower case.
    private static func words(_ text: String) -> [Substring: Int] {
        var counts: [Substring: Int] = [:]
        let text = text.lowercased()
        let scalars = text.unicodeScalars
        var start: String.Index?
        func end(_ index: String.Index) {
            if let first = start { counts[text[first..<index], default: 0] += 1 }
            start = nil
        }
        for index in scalars.indices {
            let scalar = scalars[index]
            if isWord(scalar) { start = start ?? index } else { end(index) }
        }
        end(text.endIndex)
        return counts
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "0"..."9", "_": true
        case _ where scalar.isASCII: false
        default: scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        }
    }

    private static func balance(_ found: [Substring: Int], _ wanted: [Substring: Int]) -> Double {
        let all = found.values.reduce(0, +) + wanted.values.reduce(0, +)
        guard all > 0 else { return 1 }
        let shared = found.reduce(0) { $0 + min($1.value, wanted[$1.key] ?? 0) }
        return 2 * Double(shared) / Double(all)
    }

    /// The words alone, separated by single spaces.
    private static func plain(_ text: String) -> String {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
    }

    @Test func `every page is read`() throws {
        let scores = try Self.scores.get()
        #expect(scores.failed == [])
        #expect(scores.all.all > 1_400 / Double(Self.step))
    }

    @Test func `the extracted text is what people marked as the content`() throws {
        #expect(try Self.scores.get().all.value >= 0.885)
    }

    @Test func `nearly all of an article is extracted, and little else`() throws {
        #expect(try #require(Self.scores.get().byKind["article"]).value >= 0.96)
    }

    @Test func `sentences of the content are extracted, and those of menus are not`() throws {
        let scores = try Self.scores.get()
        #expect(scores.with.value >= 0.85)
        #expect(scores.without.value >= 0.85)
    }
}
