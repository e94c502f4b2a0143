import Foundation
import TestSupport
import Testing

@testable import ArticleText
@testable import HTMLDocument

/// Compares the structure extracted from 130 pages with that of Firefox's reader view: headings, list items, table
/// cells, pictures and code.
@Suite(.serialized, .recordedPages) struct RecordedArticleTests {
    /// The content of markup, as plain text.
    private struct Structure {
        var parts: [String: [String: Int]] = [:]
        var words: [String: Int] = [:]

        private static let names = [
            "h1": "headings", "h2": "headings", "h3": "headings", "h4": "headings", "h5": "headings",
            "h6": "headings", "li": "list items", "td": "cells", "th": "cells", "pre": "code",
        ]

        init(_ html: some Collection<UInt8>) throws {
            var open: [(name: String, text: String)] = []
            var parts: [String: [String: Int]] = [:]
            var all = ""
            try HTMLDocument.walk(html, limits: .page) { piece in
                switch piece {
                case .start(let element):
                    open.append((element.name, ""))
                    if element.name == "img", let src = element["src"], !src.hasPrefix("data:") {
                        parts["images", default: [:]][Self.file(src), default: 0] += 1
                    }
                case .text(let text):
                    all += text
                    for index in open.indices where Self.names[open[index].name] != nil {
                        open[index].text += text
                    }
                case .end:
                    all += " "
                    guard let last = open.popLast(), let part = Self.names[last.name] else { break }
                    let content = Self.plain(last.text)
                    if !content.isEmpty { parts[part, default: [:]][content, default: 0] += 1 }
                }
                return true
            }
            self.parts = parts
            for word in Self.plain(all).split(separator: " ") { words[String(word), default: 0] += 1 }
        }

        /// The picture's file name, because sizes and hosts differ.
        private static func file(_ url: String) -> String {
            String(url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last ?? "")
        }

        private static func plain(_ text: String) -> String {
            text.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
        }
    }

    private struct Scores {
        var found: [String: Share] = [:]
        var right: [String: Share] = [:]
        var words = Share()
    }

    private static let scores = Result { try measure() }

    private static func measure() throws -> Scores {
        var scores = Scores()
        for name in try RecordedPages.names(in: RecordedPages.articles) {
            let folder = RecordedPages.articles.appending(path: name)
            let expected = folder.appending(path: "expected.html")
            guard FileManager.default.fileExists(atPath: expected.path) else { continue }
            let source = try [UInt8](Data(contentsOf: folder.appending(path: "source.html")))
            let article = try ArticleExtractor.extract(
                source, charset: "utf-8", url: "http://fakehost/test/page.html")
            let reference = try Structure(Array(Data(contentsOf: expected)))
            let actual = try Structure(article.markup.html.utf8)
            for part in ["headings", "list items", "cells", "images", "code"] {
                let (reference, actual) = (reference.parts[part] ?? [:], actual.parts[part] ?? [:])
                let shared = Double(reference.reduce(0) { $0 + min($1.value, actual[$1.key] ?? 0) })
                scores.found[part, default: Share()].add(shared, of: Double(reference.values.reduce(0, +)))
                scores.right[part, default: Share()].add(shared, of: Double(actual.values.reduce(0, +)))
            }
            let shared = reference.words.reduce(0) { $0 + min($1.value, actual.words[$1.key] ?? 0) }
            let all = reference.words.values.reduce(0, +) + actual.words.values.reduce(0, +)
            scores.words.add(all == 0 ? 1 : 2 * Double(shared) / Double(all))
        }
        for (part, share) in scores.found.sorted(by: { $0.key < $1.key }) {
            print(
                "Structure of articles: \(part) found \(share.shown), right \(scores.right[part]?.shown ?? "-")"
            )
        }
        print("Structure of articles: words F1 \(scores.words.shown)")
        return scores
    }

    @Test func `the words match the reader view's`() throws {
        let scores = try Self.scores.get()
        #expect(scores.words.all >= 130)
        #expect(scores.words.value >= 0.85)
    }

    @Test(arguments: [
        ("headings", 0.8), ("list items", 0.75), ("cells", 0.45), ("images", 0.5), ("code", 0.9),
    ])
    func `headings, lists, tables, pictures and code are kept`(part: String, floor: Double) throws {
        #expect(try #require(Self.scores.get().found[part]).value >= floor)
    }
}
