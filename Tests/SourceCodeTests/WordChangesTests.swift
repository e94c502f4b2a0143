import TestSupport
import Testing

@testable import SourceCode

@Suite struct WordChangesTests {
    private func marked(_ old: [String], _ new: [String]) -> [String] {
        let diff = FileDiff(patch: ShownDiff.replaced(old, by: new), path: "a")
        return diff.hunks.flatMap(\.lines).map(ShownDiff.words)
    }

    @Test(arguments: [
        ("let a = 1", "let b = 1", "let {a} = 1", "let {b} = 1"),
        (
            "run(first, second)", "run(first, third, second)", "run(first, second)",
            "run(first, {third, }second)"
        ),
        ("return old", "return old + 1", "return old", "return old{ + 1}"),
        ("if a {", "    if a {", "if a {", "{    }if a {"),
        ("one two three", "one zwei drei", "one {two three}", "one {zwei drei}"),
        ("foo()", "bar()", "{foo}()", "{bar}()"),
        ("läuft heute", "läuft morgen", "läuft {heute}", "läuft {morgen}"),
        ("日本語です", "日本人です", "日本{語}です", "日本{人}です"),
        ("a b c d e f", "a x c d y f", "a {b} c d {e} f", "a {x} c d {y} f"),
        ("same", "same ", "same", "same{ }"),
    ])
    func `changed words are marked on both sides`(
        old: String, new: String, oldMarks: String, newMarks: String
    ) {
        #expect(marked([old], [new]) == [oldMarks, newMarks])
    }

    @Test func `lines that have nothing in common are not marked`() {
        #expect(marked(["completely different"], ["return nil"]) == ["completely different", "return nil"])
    }

    @Test func `a line is compared with the most similar one`() {
        let old = ["let sum = add(one, two)", "return sum"]
        let new = ["guard isReady else { throw Failure() }", "let sum = add(one, three)", "return sum + 1"]
        #expect(
            marked(old, new) == [
                "let sum = add(one, {two})", "return sum", "guard isReady else { throw Failure() }",
                "let sum = add(one, {three})", "return sum{ + 1}",
            ])
    }

    @Test func `pairs keep the order of lines`() {
        #expect(marked(["alpha", "beta"], ["beta!", "alpha!"]) == ["alpha", "beta", "beta!", "alpha{!}"])
    }

    @Test func `only removed lines directly before added ones are replaced`() {
        let patch = "@@ -1,2 +1,2 @@\n+let a = 1\n-let a = 2\n same"
        let lines = FileDiff(patch: patch, path: "a").hunks.flatMap(\.lines).map(ShownDiff.words)
        #expect(lines == ["let a = 1", "let a = 2", "same"])
    }

    @Test func `a long paragraph shows the words that were edited`() {
        let words = (0..<250).map { "word\($0)" }
        var edited = words
        edited[100] = "edited"
        let marks = marked([words.joined(separator: " ")], [edited.joined(separator: " ")])
        #expect(marks[0].containsText(" {word100} "))
        #expect(marks[1].containsText(" {edited} "))
    }

    @Test func `a large block is paired in parts`() {
        let old = (0..<300).map { "    let value\($0) = compute(\($0))" }
        let marks = marked(old, old.map { "    " + $0 })
        #expect(marks.prefix(300).elementsEqual(old))
        #expect(marks.suffix(300).allSatisfy { $0.hasPrefix("    {    }let") })
    }

    /// The marks are right if the unmarked parts of both lines are equal.
    @Test(arguments: 0..<20) func `what is not marked is equal on both sides`(_ seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        for _ in 0..<50 {
            let old = random.line()
            let new = random.edited(old)
            let lines = FileDiff(patch: ShownDiff.replaced([old], by: [new]), path: "a").hunks[0].lines
            let same = lines.map { line in
                line.spans.filter { !$0.isChanged }.map(\.text).joined().utf8.filter {
                    $0 != UInt8(ascii: " ")
                }
            }
            let isMarked = lines.contains { $0.spans.contains(where: \.isChanged) }
            if isMarked { #expect(same[0] == same[1], "\(old) / \(new)") }
            #expect(lines[0].spans.map(\.text).joined() == old)
            #expect(lines[1].spans.map(\.text).joined() == new)
        }
    }
}

extension SeededNumbers {
    /// Few different words, so that many are equal.
    fileprivate mutating func word() -> String {
        ["a", "bb", "ccc", "(", ")", " ", "  ", "é", "日"].randomElement(using: &self) ?? ""
    }

    fileprivate mutating func line() -> String {
        (0..<Int.random(in: 0..<30, using: &self)).map { _ in word() }.joined()
    }

    fileprivate mutating func edited(_ line: String) -> String {
        var scalars = Array(line.unicodeScalars)
        for _ in 0..<Int.random(in: 0..<4, using: &self) {
            scalars.insert(
                contentsOf: word().unicodeScalars, at: Int.random(in: 0...scalars.count, using: &self))
        }
        for _ in 0..<Int.random(in: 0..<4, using: &self) where !scalars.isEmpty {
            scalars.remove(at: Int.random(in: 0..<scalars.count, using: &self))
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }
}

extension String {
    fileprivate func containsText(_ part: String) -> Bool { utf8.firstRange(of: Array(part.utf8)) != nil }
}
