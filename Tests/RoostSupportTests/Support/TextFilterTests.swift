import Testing

@testable import RoostSupport
@testable import TextFormats

@Suite struct TextFilterTests {
    private func fits(_ filter: String, _ text: String) -> Bool {
        TextFilter(filter).matches([FoldedText(lines: [text])])
    }

    @Test(arguments: [
        ("aab", "aaab", true), ("abab", "abacabab", true), ("aaa", "aabaabaa", false), ("b", "aab", true),
        ("abcabd", "abcabcabd", true), ("xx", "x", false), ("é", "CAFÉ", true), ("e", "é", false),
        ("a\u{301}", "A\u{301}", true), ("一", "統一", true), ("", "", true), ("x", "", false),
    ])
    func `a word is found anywhere in the text`(word: String, text: String, isThere: Bool) {
        #expect(fits(word, text) == isThere)
    }

    @Test func `the filter finds what a plain byte search finds`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let text = String((0..<40).map { _ in "ab".randomElement(using: &random) ?? "a" })
            let word = String(
                (0..<Int.random(in: 1...6)).map { _ in "ab".randomElement(using: &random) ?? "a" })
            #expect(fits(word, text) == text.contains(word), "\(word) in \(text)")
        }
    }

    @Test func `every word must be in one of the texts, and may not span two`() {
        let texts = [FoldedText(lines: ["Engine", "brass"]), FoldedText(lines: ["Notes"])]
        #expect(TextFilter("notes brass").matches(texts))
        #expect(!TextFilter("notes steam").matches(texts))
        #expect(!TextFilter("enginebrass").matches(texts) && !TextFilter("brassnotes").matches(texts))
    }

    @Test func `the filter has at most two hundred code points and twenty words`() {
        #expect(fits(String(repeating: "a", count: 250), String(repeating: "a", count: 200)))
        #expect(fits((0..<20).map { _ in "a" }.joined(separator: " ") + " b", "a"))
        #expect(TextFilter(" \n\u{2003}").isEmpty)
    }

    @Test func `a letter without accents matches all its accented forms`() {
        let text = FoldedText(lines: ["Élan, Ａ"], ignoresAccents: true)
        #expect(TextFilter("elan", ignoresAccents: true).matches([text]))
        #expect(TextFilter("ÉLAN", ignoresAccents: true).matches([text]))
    }

    @Test func `a letter with thousands of accents is only lower-cased`() {
        let marks = String(repeating: "\u{323}\u{301}", count: 1_000)
        #expect(FoldedText(lines: ["E" + marks]).bytes == Array(("e" + marks).utf8))
    }
}
