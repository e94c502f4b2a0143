import Testing

@testable import SourceCode

@Suite struct FileDiffTests {
    private func pairs(_ patch: String) -> [String] {
        let diff = FileDiff(patch: patch, path: "a")
        return diff.hunks.flatMap(diff.pairs).map { pair in
            "\(pair.old.map { String($0.oldNumber ?? 0) } ?? "-") \(pair.new.map { String($0.newNumber ?? 0) } ?? "-")"
        }
    }

    @Test func `context is in both columns, and other lines in one`() {
        #expect(pairs("@@ -1,3 +1,3 @@\n a\n-b\n c\n+d") == ["1 1", "2 -", "3 2", "- 3"])
    }

    @Test func `a replaced line is next to its successor`() {
        let old = ["let sum = add(one, two)", "return sum"]
        let new = ["guard isReady else { throw Failure() }", "let sum = add(one, three)", "return sum + 1"]
        #expect(pairs(ShownDiff.replaced(old, by: new)) == ["- 1", "1 2", "2 3"])
    }

    @Test func `different lines share rows in order`() {
        #expect(
            pairs(ShownDiff.replaced(["alpha", "beta", "gamma"], by: ["one", "two"])) == [
                "1 1", "2 2", "3 -",
            ])
    }

    @Test(arguments: 0..<30) func `each line is in one row, in order`(_ seed: UInt64) {
        let patch = HostileDiffTests.patch(seed: seed)
        let diff = FileDiff(patch: patch, path: "a.swift")
        for hunk in diff.hunks {
            let rows = diff.pairs(of: hunk)
            #expect(rows.compactMap(\.old) == hunk.lines.filter { $0.kind != .added })
            #expect(rows.compactMap(\.new) == hunk.lines.filter { $0.kind != .removed })
            #expect(rows.allSatisfy { $0.old != nil || $0.new != nil })
        }
    }

    @Test func `a long line is cut`() {
        let limit = FileDiffBuilder.maximumCharacters
        let lines = [limit, limit + 1].flatMap { length in
            FileDiff(patch: ShownDiff.added(String(repeating: "é", count: length)), path: "a").hunks[0].lines
        }
        #expect(lines.map(\.isCut) == [false, true])
        #expect(lines.map { $0.spans.map(\.text.unicodeScalars.count).reduce(0, +) } == [limit, limit])
    }

    @Test func `the codes of invisible characters count as their length`() {
        let text = String(repeating: "\u{202E}", count: 1_000)
        let line = FileDiff(patch: ShownDiff.added(text), path: "a").hunks[0].lines[0]
        #expect(line.isCut)
        #expect(line.spans.count == FileDiffBuilder.maximumCharacters / 6)
    }

    @Test func `colors end when there are too many spans, and the diff later`() {
        let line = String(repeating: "1,", count: 900)
        let colored = FileDiff(
            patch: ShownDiff.added(Array(repeating: line, count: 300).joined(separator: "\n")), path: "a.json"
        )
        let lines = colored.hunks[0].lines
        #expect(lines.first?.spans.count == 1_800)
        #expect(lines.last?.spans.count == 1)
        #expect(!colored.isCut)

        let hostile = Array(repeating: String(repeating: "a\u{1}", count: 280), count: 1_500).joined(
            separator: "\n")
        let cut = FileDiff(patch: ShownDiff.added(hostile), path: "a")
        #expect(cut.isCut)
        let count = cut.hunks.flatMap(\.lines).reduce(0) { $0 + $1.spans.count }
        #expect(count < FileDiffBuilder.maximumSpans + FileDiffBuilder.maximumCharacters)
    }

    @Test func `classes for style sheets are words`() {
        #expect(
            FileDiff.Syntax.allCases.map(\.rawValue) == [
                "keyword", "string", "number", "comment", "type", "function", "attribute", "tag", "heading",
            ])
    }
}
