import Foundation
import TestSupport
import Testing

@testable import Market
@testable import RoostSupport

@Suite struct NumberConventionTests {
    /// Each number of a file as it is read, or "!" and the reason for a refused one.
    private func read(_ cells: [String], isCommaSeparated: Bool = false) -> [String] {
        let convention = NumberConvention(
            cells.enumerated().map { ($0 + 2, $1) }, isCommaSeparated: isCommaSeparated)
        return cells.map { cell in
            do { return try convention.plain(cell, field: "amount") } catch {
                return "!" + ((error as? RoostError)?.message ?? "")
            }
        }
    }

    private static let clear: [(String, String)] = [
        ("0,5", "0.5"), ("0.5", "0.5"), ("1.234,56", "1234.56"), ("1,234.56", "1234.56"),
        ("1.234.567", "1234567"), ("1,234,567", "1234567"), ("1.2345", "1.2345"), ("1,2345", "1.2345"),
        ("0.123", "0.123"), ("0,123", "0.123"), ("1234.567", "1234.567"), ("1234,567", "1234.567"),
        (",5", "0.5"), (".5", "0.5"), ("-0,5", "-0.5"), ("+0,5", "0.5"), ("\u{2212}0.5", "-0.5"),
        ("1'234.50", "1234.50"), ("1\u{2019}234,567", "1234.567"), ("1 234,5", "1234.5"),
        ("1\u{A0}234.567", "1234.567"), ("12\u{202F}345\u{202F}678,9", "12345678.9"),
        ("1,00,000.00", "100000.00"), ("10,00,000", "1000000"), ("1,23,456", "123456"),
        ("1234", "1234"), ("1'234", "1234"), ("1 234 567", "1234567"), ("007", "007"),
    ]

    @Test(arguments: clear)
    func `an unambiguous number needs no other number`(cell: String, number: String) {
        #expect(read([cell]) == [number])
        #expect(read([cell], isCommaSeparated: true) == [number])
    }

    @Test(arguments: [
        "1.234", "1,234", "12.345", "12,345", "999.999", "-1.234", "10,000",
    ])
    func `three digits after a single separator are 1,000 times as much in the other convention`(cell: String)
        throws
    {
        let digits = cell.filter { $0 != "." && $0 != "," }
        let fraction = cell.replacing(",", with: ".")
        #expect(read([cell, "0.25"])[0] == (cell.contains(".") ? fraction : digits))
        #expect(read([cell, "0,25"])[0] == (cell.contains(",") ? fraction : digits))
        let alone = read([cell, "5"])
        #expect(alone[0].hasPrefix("!") && alone[1] == "5")
        #expect(alone[0].contains(" \(digits) ") && alone[0].contains(" \(fraction):"))
    }

    @Test(arguments: ["1.234", "1,234"])
    func `each of the two spellings that a refusal suggests is read as stated`(cell: String) throws {
        #expect(read(["1234"]) == ["1234"])
        #expect(read([cell + "0"]) == ["1.2340"])
    }

    @Test func `in a comma-separated file the point is decimal, unless a number has a comma`() {
        #expect(read(["1.234", "2.000"], isCommaSeparated: true) == ["1.234", "2.000"])
        #expect(read(["1.234", "0,5"], isCommaSeparated: true) == ["1234", "0.5"])
        let quoted = read(["1.234", "1,500"], isCommaSeparated: true)
        #expect(quoted.allSatisfy { $0.hasPrefix("!") })
    }

    @Test func `a number that contradicts most others is refused, and so is an ambiguous one`() {
        let read = read(["0.5", "0.25", "0,75", "1.234", "8"])
        #expect(read[0] == "0.5" && read[1] == "0.25" && read[4] == "8")
        #expect(read[2].contains("“0,75” has a decimal comma") && read[2].contains("“0.5” in line 2"))
        #expect(read[3].hasPrefix("!“1.234” can mean"))
    }

    @Test func `when the conventions tie, every number with a separator is refused`() {
        let read = read(["0.5", "0,75", "1.234", "8"])
        #expect(read.map { $0.hasPrefix("!") } == [true, true, true, false])
    }

    @Test(arguments: [
        "1,,5", "1.2.3", "5.", "1'23", "1,2,3.4", "1e5", "0x10", "five", "٣", "1.5 EUR", "--1", "'",
    ])
    func `text that is not a number is left unchanged`(cell: String) {
        #expect(read([cell, "0,5"]) == [cell, "0.5"])
    }

    @Test func `any number is read correctly in every common format`() {
        for (group, decimal) in [
            (".", ","), (",", "."), ("'", "."), (" ", ","), ("\u{202F}", ","), ("", "."),
        ] {
            let numbers = (0..<500).map { _ in
                (whole: Int.random(in: 0..<1_000_000_000), fraction: Int.random(in: 0..<1_000))
            }
            let cells = numbers.map { number in
                let digits = Array(String(number.whole))
                let grouped = digits.indices.reduce(into: "") { text, index in
                    if index > 0, (digits.count - index).isMultiple(of: 3) { text += group }
                    text.append(digits[index])
                }
                return "\(grouped)\(decimal)\(String(1_000 + number.fraction).dropFirst())"
            }
            // Add a number that shows the convention.
            let read = read(cells + ["0\(decimal)5"])
            #expect(
                read.dropLast()
                    == numbers.map { "\($0.whole).\(String(1_000 + $0.fraction).dropFirst())" }[...])
        }
    }
}
