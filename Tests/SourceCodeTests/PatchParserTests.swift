import Testing

@testable import SourceCode

@Suite struct PatchParserTests {
    private func lines(_ patch: String) -> [String] {
        FileDiff(patch: patch, path: "a").hunks.flatMap(\.lines).map(ShownDiff.text)
    }

    @Test func `lines have their kind and their numbers in both files`() {
        let patch = "@@ -3,3 +3,4 @@ func a() {\n one\n-two\n+deux\n+trois\n four"
        let diff = FileDiff(patch: patch, path: "a")
        #expect(lines(patch) == [" 3,3 one", "-4 two", "+4 deux", "+5 trois", " 5,6 four"])
        #expect(diff.hunks.map(\.heading) == ["func a() {"])
        #expect(!diff.isCut)
    }

    @Test(arguments: [
        ("@@ -1,1 +1,1 @@\n a\n@@ -11,1 +11,1 @@\n b", [0, 9]),
        ("@@ -5 +5 @@\n-a\n+b\n@@ -8,0 +9,1 @@\n+c", [4, 3]),
        ("@@ -0,0 +1,1 @@\n+a", [0]),
        ("@@ -1,1 +0,0 @@\n-a", [0]),
        // A hunk that begins before the end of the one above.
        ("@@ -10,1 +10,1 @@\n a\n@@ -5,1 +5,1 @@\n b", [9, 0]),
    ])
    func `hidden lines between hunks are counted`(patch: String, hidden: [Int]) {
        let diff = FileDiff(patch: patch, path: "a")
        #expect(diff.hunks.map(\.hiddenLines) == hidden)
        #expect(!diff.isCut)
    }

    @Test func `a missing newline at the end is noted`() {
        let patch = "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a"
        #expect(lines(patch) == ["-1 a[No newline at end of file]", "+1 a"])
    }

    @Test func `line breaks of Windows are hidden, but a change of them is visible`() {
        #expect(lines("@@ -1,2 +1,2 @@\r\n a\r\n-b\r\n+c\r\n") == [" 1,1 a", "-2 b", "+2 c"])
        #expect(lines("@@ -1 +1 @@\n-a\r\n+a\n") == ["-1 a{[U+000D]}", "+1 a"])
    }

    @Test func `a file header is skipped`() {
        #expect(
            lines("diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-- x\n+++ y") == ["-1 - x", "+1 ++ y"])
    }

    @Test func `an empty line is context`() {
        #expect(lines("@@ -1,3 +1,3 @@\n a\n\n b") == [" 1,1 a", " 2,2 ", " 3,3 b"])
    }

    @Test func `an empty patch has no hunks`() {
        #expect(FileDiff(patch: "", path: "a") == FileDiff(hunks: [], isCut: false))
    }

    @Test(arguments: [
        ("no diff", 0), ("@@ -1 @@\n a", 0), ("@@ -a,1 +1,1 @@\n a", 0),
        ("@@ -99999999999999999999,1 +1,1 @@\n a", 0), ("@@ -1,2 +1,2 @@\n a", 1), ("@@ -1 +1 @@\n a\n b", 1),
        ("@@ -1,2 +1,2 @@\n a\n*b", 1), ("@@ -1,9 +1,9 @@\n a\n@@ -20 +20 @@\n b", 2),
        ("@@ -1 +1 @@\n+a\n+b", 1),
        ("@@ -1,0 +1,0 @@\n\\ No newline", 0),
    ])
    func `a broken patch is shown as far as it goes`(patch: String, count: Int) {
        let diff = FileDiff(patch: patch, path: "a")
        #expect(diff.hunks.flatMap(\.lines).count == count)
        #expect(diff.isCut)
    }

    @Test func `a patch ends at the limit of lines`() {
        let count = PatchParser.maximumLines
        let whole = FileDiff(patch: ShownDiff.added(String(repeating: "\n", count: count - 1)), path: "a")
        #expect(whole.hunks[0].lines.count == count)
        #expect(!whole.isCut)
        let longer = FileDiff(patch: ShownDiff.added(String(repeating: "\n", count: count)), path: "a")
        #expect(longer.hunks[0].lines.count == count)
        #expect(longer.isCut)
    }

    @Test func `a patch ends at the limit of bytes, after a whole line`() {
        let line = String(repeating: "é", count: 1_000)
        let text = Array(repeating: line, count: 600).joined(separator: "\n")
        let diff = FileDiff(patch: ShownDiff.added(text), path: "a")
        let shown = diff.hunks.flatMap(\.lines).map(ShownDiff.words)
        #expect(diff.isCut)
        #expect(shown.count == 499)
        #expect(Set(shown) == [line])
    }
}
