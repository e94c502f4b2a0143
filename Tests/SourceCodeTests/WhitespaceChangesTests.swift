import Testing

@testable import SourceCode

@Suite struct WhitespaceChangesTests {
    private func hunks(_ patch: String) -> [FileDiff.Hunk] {
        FileDiff(patch: patch, path: "a", hidesWhitespace: true).hunks
    }

    /// Lines such as "+ -,4 text": kind, both numbers and text.
    private func lines(_ patch: String) -> [String] {
        hunks(patch).flatMap(\.lines).map { line in
            let numbers = [line.oldNumber, line.newNumber].map { $0.map(String.init) ?? "-" }
            return "\(line.kind.rawValue) \(numbers.joined(separator: ",")) "
                + line.spans.map(\.text).joined()
        }
    }

    @Test func `lines of which only the indentation changed are context, with their new text`() {
        let patch =
            "@@ -1,4 +1,5 @@\n-if a {\n-  b()\n-  c()\n-}\n+guard a else { return }\n+if a {\n+    b()\n+    d()\n+}"
        #expect(
            lines(patch) == [
                "added -,1 guard a else { return }", "context 1,2 if a {", "context 2,3     b()",
                "removed 3,-   c()", "added -,4     d()", "context 4,5 }",
            ])
    }

    @Test(arguments: [
        ("a b", "ab"), ("a", "a  "), ("\ta", "    a"), ("a", "a\r"), ("", "  "), ("a\u{B}b", "a\u{C} b"),
    ])
    func `a change of whitespace only is left out`(old: String, new: String) {
        let diff = FileDiff(
            patch: ShownDiff.replaced([old], by: [new]), path: "a", hidesWhitespace: true)
        #expect(diff.hunks.isEmpty && !diff.isCut)
        #expect(FileDiff(patch: ShownDiff.replaced([old], by: [new]), path: "a").hunks.count == 1)
    }

    /// A space that looks like another one may change what the code does.
    @Test(arguments: [("a b", "a\u{A0}b"), ("a b", "a\u{200B}b"), ("a", "A"), ("ab", "ba")])
    func `other changes stay`(old: String, new: String) {
        let kinds = hunks(ShownDiff.replaced([old], by: [new])).flatMap(\.lines).map(\.kind)
        #expect(kinds == [.removed, .added])
    }

    @Test func `an added or removed empty line stays`() {
        #expect(lines("@@ -1 +1,2 @@\n a\n+") == ["context 1,1 a", "added -,2 "])
    }

    @Test func `a hunk without other changes counts as unchanged lines`() {
        let shown = hunks(
            "@@ -5,3 +5,3 @@ one\n a\n-b\n+ b\n c\n@@ -20 +20 @@ two\n-x\n+y\n@@ -30 +30 @@ three\n-z\n+ z")
        #expect(shown.map(\.heading) == ["two"])
        #expect(shown.map(\.hiddenLines) == [19])
    }

    @Test(arguments: 0..<60) func `the numbers of a hunk stay, whatever the patch`(_ seed: UInt64) {
        let patch = HostileDiffTests.patch(seed: seed)
        let plain = FileDiff(patch: patch, path: "a.swift")
        let hidden = FileDiff(patch: patch, path: "a.swift", hidesWhitespace: true)
        #expect(hidden.isCut == plain.isCut)
        for hunk in hidden.hunks {
            #expect(hunk.lines.contains { $0.kind != .context })
            #expect(
                plain.hunks.contains { other in
                    other.lines.compactMap(\.oldNumber) == hunk.lines.compactMap(\.oldNumber)
                        && other.lines.compactMap(\.newNumber) == hunk.lines.compactMap(\.newNumber)
                })
        }
    }

    @Test func `work grows with the number of lines, not with its square`() {
        func steps(_ count: Int) -> Int {
            let (old, new) = ((0..<count).map { "a\($0)" }, (0..<count).map { "b\($0)" })
            let bytes = Array(ShownDiff.replaced(old, by: new).utf8)
            var changes = WhitespaceChanges(bytes)
            _ = changes.hidden(PatchParser(bytes).hunks)
            return changes.steps
        }
        let (few, many) = (steps(300), steps(1_200))
        #expect(few > 1_000)
        #expect(many < 5 * few)
    }
}
