import Testing

@testable import SourceCode

@Suite struct WholePatchTests {
    private func kinds(_ patch: String) -> [String] {
        FileDiff(patch: patch, path: "a").hunks.flatMap(\.lines).map { line in
            let numbers = [line.oldNumber, line.newNumber].map { $0.map(String.init) ?? "-" }
            return numbers.joined(separator: ",") + " " + line.spans.map(\.text).joined()
        }
    }

    private let patch = "@@ -2,3 +2,3 @@ f\n b\n-c\n+C\n d\n@@ -7 +7,2 @@\n g\n+G"

    @Test func `the lines between, before and behind the hunks are context`() throws {
        let whole = try #require(FileDiff.wholePatch(patch, file: "a\nb\nC\nd\ne\nf\ng\nG\nh\n"))
        let diff = FileDiff(patch: whole, path: "a")
        #expect(diff.hunks.count == 1 && diff.hunks.first?.hiddenLines == 0 && !diff.isCut)
        #expect(
            kinds(whole) == [
                "1,1 a", "2,2 b", "3,- c", "-,3 C", "4,4 d", "5,5 e", "6,6 f", "7,7 g", "-,8 G", "8,9 h",
            ])
    }

    @Test(arguments: [
        "a\nb\nC\nd\ne\nf\ng\n", "a\nb\nc\nd\ne\nf\ng\nG\n", "b\nC\nd\ne\nf\ng\nG\n", "",
    ])
    func `another file is refused`(file: String) {
        #expect(FileDiff.wholePatch(patch, file: file) == nil)
    }

    @Test(arguments: ["", "@@ -1,9 +1,9 @@\n a", "Subproject commit 1"])
    func `a broken patch is refused`(patch: String) {
        #expect(FileDiff.wholePatch(patch, file: "a\n") == nil)
    }

    @Test func `a missing newline at the end is said once`() throws {
        let note = "No newline at end of file"
        let changed = "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file"
        let whole = try #require(FileDiff.wholePatch(changed, file: "b"))
        #expect(kinds(whole) == ["1,- a\(note)", "-,1 b\(note)"])
        let above = try #require(FileDiff.wholePatch("@@ -1 +1 @@\n-a\n+b", file: "b\nc"))
        #expect(kinds(above) == ["1,- a", "-,1 b", "2,2 c\(note)"])
    }

    @Test func `line ends of Windows stay`() throws {
        let whole = try #require(
            FileDiff.wholePatch("@@ -2 +2 @@\n-a\r\n+b\r", file: "x\r\nb\r\n"))
        #expect(kinds(whole) == ["1,1 x", "2,- a", "-,2 b"])
        #expect(whole.utf8.filter { $0 == 0x0D }.count == 3)
    }

    @Test func `more lines than a diff shows are refused`() {
        let lines = String(repeating: "x\n", count: PatchParser.maximumLines)
        #expect(FileDiff.wholePatch("@@ -1 +1 @@\n-a\n+x", file: lines) == nil)
        #expect(FileDiff.wholePatch("@@ -1 +1 @@\n-a\n+x", file: String(lines.dropLast(2))) != nil)
    }
}
