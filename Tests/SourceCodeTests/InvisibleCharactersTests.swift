import Testing

@testable import SourceCode

@Suite struct InvisibleCharactersTests {
    private func shown(_ text: String) -> String {
        FileDiff(patch: ShownDiff.added(text), path: "a").hunks.flatMap(\.lines).map(ShownDiff.words).joined()
    }

    @Test(arguments: [
        ("a\u{202E}b", "a[U+202E]b"), ("\u{2066}x\u{2069}", "[U+2066]x[U+2069]"),
        ("\u{200B}\u{200C}\u{200D}", "[U+200B][U+200C][U+200D]"), ("\u{FEFF}a", "[U+FEFF]a"),
        ("a\u{AD}b\u{34F}", "a[U+00AD]b[U+034F]"), ("\u{61C}\u{200E}\u{200F}", "[U+061C][U+200E][U+200F]"),
        ("\u{0}\u{7}\u{1B}[31m", "[U+0000][U+0007][U+001B][31m"), ("\u{7F}\u{85}", "[U+007F][U+0085]"),
        ("\u{2028}\u{2029}", "[U+2028][U+2029]"), ("\u{3164}\u{FFA0}\u{115F}", "[U+3164][U+FFA0][U+115F]"),
        ("\u{2800}", "[U+2800]"), ("a\u{FE0F}\u{E0100}", "a[U+FE0F][U+E0100]"),
        ("\u{E0041}", "[U+E0041]"), ("\u{1D173}", "[U+1D173]"), ("a\u{200D}b", "a[U+200D]b"),
        ("a\rb", "a[U+000D]b"),
    ])
    func `an invisible character is shown as its code`(text: String, expected: String) {
        #expect(shown(text) == expected)
    }

    @Test(arguments: [
        "\tplain text", "é ü ß", "日本語 한국어", "עברית العربية", "नमस्ते", "\u{600}12", "e\u{301}", "\u{A0}",
        "\u{3000}",
        "👩\u{200D}💻", "❤\u{FE0F}", "1\u{FE0F}\u{20E3}", "👩🏽\u{200D}🚀", "🇩🇪", "\u{E0B0}", "\u{FFFD}",
    ])
    func `visible characters stay, also joined emoji`(_ text: String) {
        #expect(shown(text) == text)
    }

    @Test(arguments: [
        ("Sources/a\u{202E}b.swift", "Sources/aU+202Eb.swift"), ("\u{200B}", "U+200B"), ("", ""),
        ("日本/é.txt", "日本/é.txt"),
    ])
    func `the name of a file shows them, too`(name: String, expected: String) {
        #expect(InvisibleCharacters.visible(name) == expected)
    }

    @Test func `a hunk's heading shows them, too`() {
        let diff = FileDiff(patch: "@@ -1 +1 @@ func \u{202E}a\n-a\n+b", path: "a.swift")
        #expect(diff.hunks[0].heading == "func U+202Ea")
    }

    @Test func `a code is inside the syntax and the changed word that it belongs to`() {
        let patch = ShownDiff.replaced(["let a = \"b c\""], by: ["let a = \"b \u{202E}c\""])
        let spans = FileDiff(patch: patch, path: "a.swift").hunks[0].lines[1].spans
        let escape = FileDiff.Span(text: "U+202E", syntax: .string, isChanged: true, isEscape: true)
        #expect(spans.filter(\.isEscape) == [escape])
    }
}
