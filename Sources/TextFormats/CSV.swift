/// CSV as in RFC 4180 and as spreadsheets write it: also with `;` or a tab as separator, and any line ending.
package enum CSV {
    struct Record: Equatable {
        let line: Int
        var fields: [String]
        /// True if a quotation mark was never closed.
        var isOpen = false
    }

    /// Caps fields per record so that a hostile file cannot exhaust memory.
    private static let maximumFields = 200

    /// Guesses the separator: the most frequent one on the first line, outside quotation marks.
    static func separator(in text: [UInt8]) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in text {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == 0x0A || byte == 0x0D, !counts.isEmpty { break }
            if [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].contains(byte) { counts[byte, default: 0] += 1 }
        }
        return counts.max { ($0.value, $0.key == 0x2C ? 1 : 0) < ($1.value, $1.key == 0x2C ? 1 : 0) }?.key
            ?? UInt8(ascii: ",")
    }

    struct Records: Sequence, IteratorProtocol {
        private let text: [UInt8]
        private let separator: UInt8
        private let maximumFieldBytes: Int
        private var offset = 0
        private var line = 1

        /// - Parameter maximumFieldBytes: longer fields are cut; Swift takes minutes to compare an endless run of accents
        init(text: [UInt8], separator: UInt8, maximumFieldBytes: Int = .max) {
            self.text = text
            self.separator = separator
            self.maximumFieldBytes = maximumFieldBytes
        }

        mutating func next() -> Record? {
            while let record = nextLine() {
                if record.fields.count > 1 || record.fields.first?.isEmpty == false { return record }
            }
            return nil
        }

        private mutating func nextLine() -> Record? {
            guard offset < text.count else { return nil }
            var record = Record(line: line, fields: [])
            while true {
                let (field, isOpen) = nextField()
                if record.fields.count < maximumFields { record.fields.append(field) }
                record.isOpen = isOpen
                guard offset < text.count, text[offset] == separator else { break }
                offset += 1
            }
            endLine()
            return record
        }

        private mutating func nextField() -> (String, isOpen: Bool) {
            guard offset < text.count, text[offset] == UInt8(ascii: "\"") else {
                return (plain(), false)
            }
            offset += 1
            var bytes: [UInt8] = []
            while offset < text.count {
                let byte = text[offset]
                offset += 1
                if byte == UInt8(ascii: "\"") {
                    guard offset < text.count, text[offset] == UInt8(ascii: "\"") else {
                        return (String(decoding: bytes, as: UTF8.self) + plain(), false)
                    }
                    offset += 1
                }
                if byte == 0x0A || (byte == 0x0D && (offset == text.count || text[offset] != 0x0A)) {
                    line += 1
                }
                if bytes.count < maximumFieldBytes { bytes.append(byte) }
            }
            return (String(decoding: bytes, as: UTF8.self), true)
        }

        private mutating func plain() -> String {
            let start = offset
            while offset < text.count, text[offset] != separator, text[offset] != 0x0A, text[offset] != 0x0D {
                offset += 1
            }
            return String(decoding: text[start..<offset].prefix(maximumFieldBytes), as: UTF8.self)
        }

        private mutating func endLine() {
            guard offset < text.count else { return }
            if text[offset] == 0x0D, offset + 1 < text.count, text[offset + 1] == 0x0A { offset += 1 }
            offset += 1
            line += 1
        }
    }

    /// The rows of a file, whose cells are found by the headings in the first line. In a file without headings the
    /// first line is a row.
    package struct Table<Column: Hashable & Sendable>: Sequence, IteratorProtocol {
        package struct Row: Sendable {
            /// Where the row begins in the file, from 1.
            package let line: Int
            package let fields: [String]
            /// True if a quotation mark was never closed.
            package let isOpen: Bool
            fileprivate let columns: [Column: Int]

            /// The cell's text without the `'` that `CSV.line` adds; empty if the row has no such cell.
            package subscript(column: Column) -> String { CSV.read(written(column)) }

            /// The cell's text as in the file.
            package func written(_ column: Column) -> String {
                guard let index = columns[column], index < fields.count else { return "" }
                return fields[index]
            }
        }

        package let separator: UInt8
        package let columns: [Column: Int]
        package let hasHeadings: Bool
        private var records: Records

        /// - Parameters:
        ///   - keys: the first line is a heading line if it names one of these columns
        ///   - standard: the columns of a file without headings
        ///   - column: returns the column of a heading, which it gets in lower case and reduced to letters
        package init(
            _ text: [UInt8], maximumFieldBytes: Int, keys: Set<Column>, standard: [Column: Int] = [:],
            _ column: (String) -> Column?
        ) {
            separator = CSV.separator(in: text)
            let records = Records(
                text: text, separator: separator, maximumFieldBytes: maximumFieldBytes)
            var rest = records
            let named = rest.next().map { CSV.columns($0.fields, column) } ?? [:]
            hasHeadings = !keys.isDisjoint(with: named.keys)
            columns = hasHeadings ? named : standard
            self.records = hasHeadings ? rest : records
        }

        package mutating func next() -> Row? {
            records.next().map {
                Row(line: $0.line, fields: $0.fields, isOpen: $0.isOpen, columns: columns)
            }
        }
    }

    /// Returns the index of each column that a heading line names. If two headings mean the same, the first counts.
    static func columns<Column: Hashable>(
        _ headings: [String], _ column: (String) -> Column?
    ) -> [Column: Int] {
        var columns: [Column: Int] = [:]
        // Headings are short; a field may be megabytes long. A field with a slash is a path, not a heading.
        for (index, heading) in headings.enumerated()
        where heading.utf8.count <= 40 && !heading.containsBytes("/") {
            guard let column = column(heading.lowercased().filter(\.isLetter)), columns[column] == nil else {
                continue
            }
            columns[column] = index
        }
        return columns
    }

    /// Returns the line of a record (RFC 4180) in UTF-8. A field that a spreadsheet could take for a formula gets a
    /// leading `'`.
    package static func line(_ fields: [String]) -> [UInt8] {
        Array((fields.map(written).joined(separator: ",") + "\r\n").utf8)
    }

    static func written(_ field: String) -> String {
        var text = field
        if let first = field.unicodeScalars.first, isRisky(first) { text = "'" + field }
        let needsQuotes = text.utf8.contains { [0x22, 0x2C, 0x3B, 0x0A, 0x0D, 0x09].contains($0) }
        return needsQuotes ? "\"" + text.replacingBytes(of: "\"", with: "\"\"") + "\"" : text
    }

    /// Removes the `'` that `line` added to a field.
    package static func read(_ field: String) -> String {
        let scalars = field.unicodeScalars
        guard scalars.first == "'", let second = scalars.dropFirst().first, isRisky(second) else {
            return field
        }
        return String(field.unicodeScalars.dropFirst())
    }

    /// A field that begins with `'` gets another one, so that `read` restores it.
    private static func isRisky(_ scalar: Unicode.Scalar) -> Bool {
        "=+-@\t\r'".unicodeScalars.contains(scalar)
    }
}
