/// CSV as RFC 4180 has it, and as spreadsheets do: `;` or a tab between fields, any end of line.
package enum CSV {
    package struct Record: Equatable {
        /// Where it begins, from 1.
        package let line: Int
        package var fields: [String]
        /// A quotation mark was opened and never closed.
        package var isOpen = false
    }

    /// A field beyond is nobody's; a record of a million is made to break whoever reads it.
    private static let maximumFields = 200

    /// What stands between fields: what the first line has most of, outside of quotation marks.
    package static func separator(in text: [UInt8]) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in text {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == 0x0A || byte == 0x0D, !counts.isEmpty { break }
            if [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].contains(byte) { counts[byte, default: 0] += 1 }
        }
        // The comma where it is a draw.
        return counts.max { ($0.value, $0.key == 0x2C ? 1 : 0) < ($1.value, $1.key == 0x2C ? 1 : 0) }?.key
            ?? UInt8(ascii: ",")
    }

    /// Blank lines are passed over.
    package static func records(in text: [UInt8], separator: UInt8, atMost maximum: Int) -> [Record] {
        Array(Records(text: text, separator: separator).prefix(maximum))
    }

    /// One record after the other; blank lines are passed over.
    package struct Records: Sequence, IteratorProtocol {
        private let text: [UInt8]
        private let separator: UInt8
        private var place = 0
        private var line = 1

        package init(text: [UInt8], separator: UInt8) {
            self.text = text
            self.separator = separator
        }

        package mutating func next() -> Record? {
            while let record = nextLine() {
                if record.fields.count > 1 || record.fields.first?.isEmpty == false { return record }
            }
            return nil
        }

        private mutating func nextLine() -> Record? {
            guard place < text.count else { return nil }
            var record = Record(line: line, fields: [])
            while true {
                let (field, isOpen) = nextField()
                if record.fields.count < maximumFields { record.fields.append(field) }
                record.isOpen = isOpen
                guard place < text.count, text[place] == separator else { break }
                place += 1
            }
            endLine()
            return record
        }

        private mutating func nextField() -> (String, isOpen: Bool) {
            guard place < text.count, text[place] == UInt8(ascii: "\"") else {
                return (plain(), false)
            }
            place += 1
            var bytes: [UInt8] = []
            while place < text.count {
                let byte = text[place]
                place += 1
                if byte == UInt8(ascii: "\"") {
                    guard place < text.count, text[place] == UInt8(ascii: "\"") else {
                        // What follows a closing mark belongs to nothing, but is not lost.
                        return (String(decoding: bytes, as: UTF8.self) + plain(), false)
                    }
                    place += 1
                }
                if byte == 0x0A || (byte == 0x0D && (place == text.count || text[place] != 0x0A)) {
                    line += 1
                }
                bytes.append(byte)
            }
            return (String(decoding: bytes, as: UTF8.self), true)
        }

        private mutating func plain() -> String {
            let start = place
            while place < text.count, text[place] != separator, text[place] != 0x0A, text[place] != 0x0D {
                place += 1
            }
            return String(decoding: text[start..<place], as: UTF8.self)
        }

        private mutating func endLine() {
            guard place < text.count else { return }
            if text[place] == 0x0D, place + 1 < text.count, text[place + 1] == 0x0A { place += 1 }
            place += 1
            line += 1
        }
    }

    /// A field as it is written: what a spreadsheet would take for a formula gets a `'` before it.
    package static func written(_ field: String) -> String {
        var text = field
        if let first = field.unicodeScalars.first, isRisky(first) { text = "'" + field }
        let needsQuotes = text.utf8.contains { [0x22, 0x2C, 0x3B, 0x0A, 0x0D, 0x09].contains($0) }
        return needsQuotes ? "\"" + text.replacingBytes(of: "\"", with: "\"\"") + "\"" : text
    }

    /// A field as it was before it was written.
    package static func read(_ field: String) -> String {
        let scalars = field.unicodeScalars
        guard scalars.first == "'", let second = scalars.dropFirst().first, isRisky(second) else {
            return field
        }
        return String(field.unicodeScalars.dropFirst())
    }

    /// A `'` of the user's own gets one before it too, so that it is not taken off again.
    private static func isRisky(_ scalar: Unicode.Scalar) -> Bool {
        "=+-@\t\r'".unicodeScalars.contains(scalar)
    }
}
