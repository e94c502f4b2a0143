import Testing

@testable import ArticleText

/// Adversarial texts get a gist in bounded time, without a trap.
@Suite(.timeLimit(.minutes(2))) struct HostileTextTests {
    /// Repeated up to 100 KB.
    private static let units = [
        "word ", "word", "word. ", "a. ", ".", "! ", "?!", "…", "\n", " ", "\t", "\"", "' ", ". ' ", "''",
        "( ", "(a. ",
        ")", ".)", "[1]", ".[1] ", "😀", "👨‍👩‍👧‍👦. ", "e\u{301}", "\u{301}", "\u{0}", "\u{0}. ", "\u{1B}[31m",
        "שלום עולם. ",
        "مرحبا بالعالم ", "\u{202E}abc. ", "。", "日本語。", "日本語", "「日本。", "「", "ไทย", "한국어. ", "1. ", "a.a.",
        "a.a. ", "Mr. ",
        "A. B. ", "« ", ". « ", "x\n", "The\n", "| a | b |\n", "The cat sat on the mat. ",
        "We propose a cat. ", "e.g. ",
        "\u{FFFF}", "\u{10FFFF}. ", "\r\n", "http://a.b/c.d ",
    ]

    private static func text(of unit: String, bytes: Int) -> String {
        String(repeating: unit, count: max(1, bytes / unit.utf8.count))
    }

    @Test(arguments: units) func `repeated text gives a short gist`(unit: String) {
        let text = Self.text(of: unit, bytes: 100_000)
        for length in [GistLength.automatic, .sentences(3), .sentences(.max), .words(50), .words(.max)] {
            let gist = Summarizer.summary(of: text, title: text, length: length)
            #expect(gist.count <= 1)
            #expect(gist.allSatisfy { $0.utf8.count < 10_000 })
        }
    }

    @Test func `a megabyte without a full stop has no sentence to choose`() {
        let words = (0..<150_000).map { "w\($0 % 977)x" }.joined(separator: " ")
        #expect(Summarizer.summary(of: words).isEmpty)
    }

    @Test func `any Unicode text gives whole sentences`() {
        var state: UInt64 = 7
        for _ in 0..<40 {
            var view = String.UnicodeScalarView()
            for _ in 0..<3_000 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                // Half of them are ASCII, so that sentences occur.
                let value = UInt32(state >> 40) % (state >> 33 & 1 == 0 ? 0x80 : 0x3100)
                if let scalar = Unicode.Scalar(value) { view.append(scalar) }
            }
            let text = String(view)
            let sentences = Set(SentenceSplitter.sentences(in: text).map(\.text))
            #expect(sentences.isSuperset(of: Summarizer.summary(of: text, length: .sentences(50))))
        }
    }

    @Test func `a gist has no control or direction characters`() {
        let text = "The \u{1B}[31mbridge\u{0} of \u{202E}the\u{2066} town is\u{7} closed today."
        let gist = Summarizer.summary(of: text).joined()
        #expect(!gist.isEmpty)
        #expect(gist == gist.sanitized)
    }

    @Test func `a gist of tens of thousands of sentences has the requested number`() {
        let text = (0..<20_000).map {
            "The thing\(Self.letters($0)) met a thing\(Self.letters($0 * 3 + 1)) here."
        }
        .joined(separator: " ")
        #expect(Summarizer.summary(of: text, length: .sentences(5_000)).count == 5_000)
    }

    private static func letters(_ number: Int) -> String {
        String(String(number).map { Character(Unicode.Scalar(97 + UInt8($0.wholeNumberValue ?? 0))) })
    }

    /// Printed, not asserted: the machine may be doing other work.
    @Test func `the time that gists take is printed`() {
        let sentence = "The town closed its only bridge on Monday after engineers found cracks in pillar "
        let prose = (0..<1_100).map { sentence + Self.letters($0) + "." }.joined(separator: " ")
        for (name, text) in [
            ("100 KB of prose", prose), ("1 MB of one word", Self.text(of: "word ", bytes: 1_000_000)),
            ("1 MB of full stops", Self.text(of: ". ", bytes: 1_000_000)),
        ] {
            let clock = ContinuousClock()
            let times = (0..<3).map { _ in clock.measure { _ = Summarizer.summary(of: text) } }
            print("gist of \(name): \(times.min() ?? .zero)")
            #expect(times.count == 3)
        }
    }
}
