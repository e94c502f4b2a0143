import Foundation
import Testing

/// Keeps comments, page texts and documentation in plain English, with few phrases that no native speaker writes.
@Suite struct PlainEnglishTests {
    private static let phrases = [
        #"\bstands?\b(?! for\b)"#, #"\bnobody\b"#, #"\bsomebody\b"#, #"\bwho(m)?ever\b"#, #"\banew\b"#,
        #"\bto be had\b"#, #"\bby turns\b"#, #"\bhands? out\b"#, #"\blies?\b"#, #"\bmeanwhile\b"#,
        #"\bbehind (it|them|him|which)\b"#, #"\b(he|him|his|himself)\b"#, #"\bfor ever\b"#, #"\blikewise\b"#,
        #"\bshall\b"#, #"\b(is|are|be|was|were) told\b"#, #"\btakes? over\b"#, #"\bgo(es)? on\b"#,
        #"\b(is|are) to (be|have|come|go)\b"#, #"\bof itself\b"#, #"\bcame about\b"#,
    ]

    /// Phrases per thousand words. Some uses are right.
    private static let limit = 0.5

    @Test func `comments, page texts and documentation are plain English`() throws {
        let patterns = try Self.phrases.map {
            try NSRegularExpression(pattern: $0, options: [.caseInsensitive])
        }
        var (words, found) = (0, [String]())
        for path in try Self.files() {
            let prose = Self.prose(try TestFiles.text(path), in: path)
            words += prose.split(whereSeparator: \.isWhitespace).count
            let range = NSRange(prose.startIndex..., in: prose)
            for match in patterns.flatMap({ $0.matches(in: prose, range: range) }) {
                if let phraseRange = Range(match.range, in: prose) {
                    found.append("\(path): \(prose[phraseRange])")
                }
            }
        }
        #expect(words > 100_000)
        let rate = 1_000 * Double(found.count) / Double(words)
        #expect(rate <= Self.limit, "\(found.sorted().joined(separator: "\n"))")
    }

    @Test(arguments: [
        ("a.swift", "let stands = 1 // nobody knows\n", " nobody knows"),
        ("a.swift", "/// What \"it\" lies in\nprint(\"anew\")\n", "/ What \"it\" lies in\nanew"),
        ("a.mustache", "<p class=\"stands\">{{stands}} here</p>\n", "   here "),
        ("a.md", "It stands.", "It stands."),
    ])
    func `prose is comments, literals and the text of pages`(_ path: String, _ text: String, _ prose: String)
    {
        #expect(Self.prose(text, in: path).trimmingCharacters(in: .newlines) == prose)
    }

    private static func files() throws -> [String] {
        let folders = try ["Sources", "Templates", "Public"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: "\(TestFiles.root)/\(folder)")
                .map { "\(TestFiles.root)/\(folder)/\($0)" }
        }
        let endings = [".swift", ".js", ".css", ".mustache", ".md"]
        return (folders + ["README.md", "CHANGELOG.md"].map { "\(TestFiles.root)/\($0)" })
            .filter { path in endings.contains(where: path.hasSuffix) }
    }

    /// Returns the comments and literals of code, the text of templates, or a whole document.
    private static func prose(_ text: String, in path: String) -> String {
        if path.hasSuffix(".md") { return text }
        let tag = /<[^>]*>|\{\{[^}]*\}\}/
        let literal = /"((?:[^"\\]|\\.)*)"/
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> Substring in
            if path.hasSuffix(".mustache") { return line.replacing(tag, with: " ") }
            if let comment = line.firstRange(of: "//") { return line[comment.upperBound...] }
            if line.drop(while: \.isWhitespace).hasPrefix("*") { return line }
            return line.matches(of: literal).map { String($0.1) }.joined(separator: " ")[...]
        }
        return lines.joined(separator: "\n")
    }
}
