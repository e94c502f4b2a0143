import TestSupport
import Testing

@testable import SourceCode

/// Diffs are written by strangers.
@Suite struct HostileDiffTests {
    private static let paths = [
        "a", "a.swift", "a.c", "a.rs", "a.tsx", "a.py", "a.sh", "a.rb", "a.php", "a.html", "a.css", "a.json",
        "a.yml",
        "a.toml", "a.md", "Dockerfile", "Makefile", "a.lua", "a.sql", "a.graphql",
    ]

    /// Pieces that begin or end something in most languages.
    private static let pieces = [
        "\"", "'", "`", "\"\"\"", "'''", "/*", "*/", "//", "#", "#\"", "\"#", "r#\"", "\\", "\\(", "${", "#{",
        "$(", ")",
        "}", "{", "[", "]", "](", "<", ">", "</", "<!--", "-->", "<![CDATA[", "]]>", "<script>", "</script>",
        "<style>",
        "</style>", "<a b=", "@", "@a.b", "#[", "#![", "<<EOF", "<<~'X'", "<<<Y", "EOF", "X", "--", "--[[",
        "]]", "[[",
        "```", "```swift", "```html", "~~~", "# ", "- ", "a: ", "a: |", ": ", "=", "a = ", "/", "1", "0x",
        "1e", "1.",
        "..", "word", "Type", "CALL(", "let", "return", "select", "é", "日", "\u{202E}", "\u{0}", "\t", " ",
        "  ", "&x",
        "$", "$1", "!", "%", ";", ",", "\r", "👩\u{200D}💻", "\u{FE0F}", "\u{301}",
    ]

    private static let lineStarts = [
        " ", "+", "-", "+", "-", " ", "", "\\ No newline", "@@ -1,5 +1,5 @@", "@@", "*",
    ]

    /// Returns a patch of random pieces, often broken.
    static func patch(seed: UInt64) -> String {
        var random = SeededNumbers(seed: seed)
        let numbers = (0..<4).map { _ in Int.random(in: 0..<60, using: &random) }
        var lines = ["@@ -\(numbers[0]),\(numbers[1]) +\(numbers[2]),\(numbers[3]) @@ a"]
        for _ in 0..<Int.random(in: 0..<60, using: &random) {
            // Mostly valid lines: reading ends at an invalid one.
            let count = Int.random(in: 0..<20, using: &random) == 0 ? lineStarts.count : 6
            var line = lineStarts[Int.random(in: 0..<count, using: &random)]
            for _ in 0..<Int.random(in: 0..<12, using: &random) {
                line += pieces.randomElement(using: &random) ?? ""
            }
            lines.append(line)
        }
        return lines.joined(separator: "\n")
    }

    @Test(arguments: paths) func `a random patch keeps its text, whatever the language`(_ path: String) {
        for seed: UInt64 in 0..<300 {
            let patch = Self.patch(seed: seed)
            let colored = FileDiff(patch: patch, path: path)
            let plain = FileDiff(patch: patch, path: "unknown")
            #expect(colored.isCut == plain.isCut)
            #expect(colored.hunks.map(\.heading) == plain.hunks.map(\.heading))
            let texts = [colored, plain].map { diff in
                diff.hunks.flatMap(\.lines).map { line in Array(line.spans.map(\.text).joined().utf8) }
            }
            #expect(texts[0] == texts[1], "seed \(seed)")
            let spans = colored.hunks.flatMap(\.lines).flatMap(\.spans)
            #expect(spans.allSatisfy { !$0.text.isEmpty && $0.text.unicodeScalars.allSatisfy(Self.isShown) })
        }
    }

    /// Emoji may contain joiners.
    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        !InvisibleCharacters.isInvisible(scalar) || scalar == "\u{200D}" || scalar == "\u{FE0F}"
    }

    @Test(arguments: 0..<40) func `a patch that is cut anywhere is read up to there`(_ seed: UInt64) {
        let bytes = Array(Self.patch(seed: seed).utf8)
        for length in stride(from: 0, to: bytes.count, by: 7) {
            let patch = String(decoding: bytes[..<length], as: UTF8.self)
            let diff = FileDiff(patch: patch, path: "a.html")
            #expect(diff.hunks.flatMap(\.lines).count <= 62)
        }
    }

    /// Twice as long lines may cost twice the work.
    @Test(arguments: [
        ("a.tsx", "(/["), ("a.tsx", "(/"), ("a.swift", "\"\\("), ("a.swift", "/*"), ("a.md", "`` ` ``` "),
        ("a.md", "]("),
        ("a.rs", "#["), ("a.sh", "${"), ("a.sh", "\"$("), ("a.yml", "a:"), ("a.css", "a :"),
        ("a.json", "\"\" "),
        ("a.html", "<a "), ("a.html", "<script></script>"), ("a.toml", "a "), ("Makefile", "a "),
        ("a.rb", "<<A"),
        ("a.lua", "[["), ("a.c", "'\\"), ("a.go", "a   "),
    ])
    func `work grows with the length of lines, not with its square`(path: String, piece: String) {
        func steps(_ length: Int) -> Int {
            let line = String(repeating: piece, count: length / piece.utf8.count)
            return FileDiffBuilder(Array(ShownDiff.added(line).utf8), SyntaxLanguage.of(path: path)).steps
        }
        let (short, long) = (steps(500), steps(2_000))
        #expect(short > 100)
        #expect(long < 5 * short)
    }

    @Test(arguments: [
        ("a b c d ", "d c b a "), ("a b c d ", "e f g h "), ("a", "b"), ("(((((", "((((()"),
        ("a,b;c.d", "d.c;b,a"),
    ])
    func `work grows with the number of lines, not with its square`(old: String, new: String) {
        func steps(_ count: Int) -> Int {
            let lines = [old, new].map { text in
                Array(repeating: String(repeating: text, count: 20), count: count)
            }
            return FileDiffBuilder(Array(ShownDiff.replaced(lines[0], by: lines[1]).utf8), nil).steps
        }
        let (few, many) = (steps(300), steps(1_200))
        #expect(few > 1_000)
        #expect(many < 5 * few)
    }

    @Test func `three thousand changed lines need little work`() {
        let old = (0..<1_500).map {
            "        let value\($0) = try await service.load(\"\($0)\", limit: \($0))"
        }
        let new = (0..<1_500).map { "        let value\($0) = try await store.load(\"\($0)\", limit: 100)" }
        let patch = Array(ShownDiff.replaced(old, by: new).utf8)
        let builder = FileDiffBuilder(patch, .swift)
        #expect(builder.hunks[0].lines.count == 3_000)
        // About 25 for each byte.
        #expect(builder.steps < 25 * patch.count)
    }
}
