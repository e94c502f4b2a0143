import Testing

@testable import TextFormats

@Suite struct CSVTests {
    @Test func `a line is read as the record that was written`() {
        let fields = ["a, b", "say \"hi\"", "1\n2\r\n3", "=1+1", "'quoted'", "", "x;y"]
        var records = CSV.Records(text: CSV.line(fields), separator: UInt8(ascii: ","))
        let (record, end) = (records.next(), records.next())
        #expect(record?.fields.map(CSV.read) == fields)
        #expect(end == nil)
        #expect(CSV.line(["a", "b c"]) == Array("a,b c\r\n".utf8))
    }

    @Test func `a column is found by the letters of its heading, the first of two`() {
        enum Column: String { case url, fullName = "fullname" }
        let long = String(repeating: "url ", count: 11)
        let headings = [long, "Full_Name", "x", " URL ", "url", "full name"]
        let columns = CSV.columns(headings) { Column(rawValue: $0) }
        #expect(columns == [.fullName: 1, .url: 3])
    }

    private enum Column: String { case name, note }

    private func table(_ text: String, standard: [Column: Int] = [:]) -> CSV.Table<Column> {
        CSV.Table(
            Array(text.utf8), maximumFieldBytes: 5, keys: [.name], standard: standard,
            Column.init(rawValue:))
    }

    @Test func `a table's cells are found by its headings`() {
        let table = table("Note;NAME\n\"'=x\";a\n;b;c\nd\n")
        #expect(table.hasHeadings && table.separator == UInt8(ascii: ";"))
        #expect(table.map { $0[.name] } == ["a", "b", ""])
        #expect(table.map { $0[.note] } == ["=x", "", "d"])
        #expect(table.map { $0.written(.note) } == ["'=x", "", "d"])
        #expect(table.map(\.line) == [2, 3, 4])
    }

    @Test func `without a key among the headings the first line is a row`() {
        #expect(table("note\nb\n", standard: [.name: 0]).map { $0[.name] } == ["note", "b"])
        #expect(table("na/me\n", standard: [.name: 0]).map { $0[.name] } == ["na/me"])
    }

    @Test func `a field longer than the limit is cut`() {
        #expect(
            table("name\n1234567\n\"1234567\"\n12345\n").map { $0[.name] } == ["12345", "12345", "12345"])
    }
}
