import Testing

@testable import RoostSupport
@testable import TextFormats

@Suite struct FileImportTests {
    private enum Column: String { case name, note }

    private static let rules = FileImportRules(
        megabytes: 1, maximumRows: 3, maximumFieldBytes: 10, noRows: "Nothing here.")

    private func names(_ text: String) throws -> FileImport<String> {
        let bytes = Array(text.utf8)
        var rows = try FileImport<String>(of: bytes, Self.rules)
        let table = try UploadedText(bytes, Self.rules).table(keys: [.name], Column.init(rawValue:))
        try rows.read(table) { row in
            guard row[.name] != "bad" else { throw RoostError.file("Bad name.") }
            return row[.name].isEmpty ? nil : row[.name]
        }
        return rows
    }

    private func message(_ body: () throws -> Void) -> String? {
        do { try body() } catch { return (error as? RoostError)?.message }
        return nil
    }

    @Test func `rows become drafts or are refused with their lines, and some are skipped`() throws {
        let file = try names("name\nA\nbad\n\"\",x\n\"open\n")
        #expect(file.drafts == ["A"])
        let problems = file.report { _, _ in .added }.failures
        #expect(problems.map(\.row) == [3, 5])
        #expect(problems.map(\.why) == ["Bad name.", "A quotation mark opened here is never closed."])
    }

    @Test func `the first row beyond the limit is reported, and the others are ignored`() throws {
        let file = try names("name\nA\nB\nC\nD\nE\n")
        #expect(file.drafts == ["A", "B", "C"] && !file.hasRoom)
        #expect(
            file.report { _, _ in .added }.failures
                == [.init(row: 5, why: "Only the first 3 rows are read. Split the file.")])
    }

    @Test func `a report counts the outcomes and lists problems in the file's order`() throws {
        let report = try names("name\nnew\nold\nfull\n").report { name, problems in
            problems = name == "new" ? ["No note."] : []
            return name == "new" ? .added : name == "old" ? .unchanged : .refused(.file("No room."))
        }
        #expect(
            report
                == ImportReport(
                    added: 1, unchanged: 1,
                    failures: [
                        .init(row: 2, why: "No note.", isImported: true), .init(row: 4, why: "No room."),
                    ]))
    }

    @Test func `a draft that cannot become another one refuses its row`() throws {
        let counts = try names("name\nA\nBC\nbad\n").map { name throws(RoostError) in
            guard name.count == 1 else { throw RoostError.file("Too long.") }
            return name.count
        }
        #expect(counts.drafts == [1])
        #expect(counts.report { _, _ in .added }.failures.map(\.why) == ["Too long.", "Bad name."])
    }

    @Test func `entries of a JSON list are numbered, and can be changed later`() throws {
        let bytes = Array(#"["a", 7, "b"]"#.utf8)
        var rows = try FileImport<String>(of: bytes, Self.rules)
        try UploadedText(bytes, Self.rules).readJSON {
            try rows.read(listIn: &$0) { reader in
                guard let text = try reader.string() else { throw RoostError.file("No text.") }
                return text
            }
        } member: { _, _ in
        }
        rows.change(at: 1) { $0 += "!" }
        rows.change(at: 2) { $0 += "!" }
        #expect(rows.drafts == ["a", "b!"])
        #expect(rows.rows.map(\.number) == [1, 2, 3])
    }

    @Test func `a file that is too large, empty, binary or without rows is refused as a whole`() throws {
        let large = [UInt8](repeating: 0x61, count: (1 << 20) + 1)
        #expect(
            message { _ = try FileImport<String>(of: large, Self.rules) } == "The file is larger than 1 MB.")
        #expect(message { _ = try names(" \n") } == "The file is empty.")
        #expect(message { _ = try names("a\u{0}") } == "This isn’t a text file.")
        #expect(message { try names("name\n").requireRows() } == "Nothing here.")
        #expect(try message(names("name\nA\n").requireRows) == nil)
    }

    @Test(arguments: [
        (" {\"a\": 1}", UploadedText.Kind.json), ("\n[]", .json), ("<p>", .html), ("a,b", .table),
        ("\u{FEFF}[]", .json),
    ])
    func `the first character shows a text's kind`(text: String, kind: UploadedText.Kind) throws {
        #expect(try UploadedText(Array(text.utf8), Self.rules).kind == kind)
    }

    @Test func `invalid JSON is refused with its position`() throws {
        let text = try UploadedText(Array("[1, x]".utf8), Self.rules)
        let why = message {
            try text.readJSON {
                try $0.list { _ in }
            } member: { _, _ in
            }
        }
        #expect(why == "Invalid JSON at byte 5.")
    }

    @Test func `limits are stated in words`() {
        let rules = FileImportRules(megabytes: 64, maximumRows: 20_000, noRows: "")
        #expect(rules.limits == "64 MB and 20,000 rows")
    }
}
