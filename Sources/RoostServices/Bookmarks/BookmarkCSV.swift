import Foundation

/// CSV as RFC 4180 has it, and as spreadsheets do: `;` or a tab between fields, any end of line.
package enum BookmarkCSV {
    struct Record: Equatable {
        /// Where it begins, from 1.
        let line: Int
        var fields: [String]
        /// A quotation mark was opened and never closed.
        var isOpen = false
    }

    /// A field beyond is nobody's; a record of a million is made to break whoever reads it.
    private static let maximumFields = 200

    /// What stands between fields: what the first line has most of, outside of quotation marks.
    static func separator(in text: [UInt8]) -> UInt8 {
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
    static func records(in text: [UInt8], separator: UInt8, atMost maximum: Int) -> [Record] {
        var reader = Reader(text: text, separator: separator)
        var records: [Record] = []
        while records.count < maximum, let record = reader.next() {
            if record.fields.count > 1 || record.fields.first?.isEmpty == false { records.append(record) }
        }
        return records
    }

    private struct Reader {
        let text: [UInt8]
        let separator: UInt8
        var place = 0
        var line = 1

        mutating func next() -> Record? {
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
    static func read(_ field: String) -> String {
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

extension BookmarkFile {
    /// What a column's head means, written in any case and with or without lines between the words.
    private enum Column: String {
        case name, address, owner, shortName, tags, note, addedAt

        init?(head: String) {
            switch head.lowercased().filter(\.isLetter) {
            case "fullname", "repository", "repo", "namewithowner": self = .name
            case "htmlurl", "url", "link", "address", "githuburl": self = .address
            case "owner", "login", "user", "username", "author": self = .owner
            case "name", "reponame", "repositoryname": self = .shortName
            case "tags", "customtags", "labels": self = .tags
            case "note", "notes", "comment", "comments": self = .note
            case "addedat", "added", "starredat", "starred", "dateadded", "createdat": self = .addedAt
            default: return nil
            }
        }
    }

    mutating func readCSV(_ text: [UInt8], _ addresses: RepositoryURLParser) {
        let records = BookmarkCSV.records(
            in: text, separator: BookmarkCSV.separator(in: text), atMost: Self.maximumRows + 2)
        let columns = records.first.map { Self.columns($0.fields) } ?? [:]
        let rows = columns.isEmpty ? records[...] : records.dropFirst()
        for (number, record) in rows.enumerated() {
            guard hasRoom(for: record.line, number: number + 1) else { return }
            if record.isOpen {
                failures.append(
                    Failure(row: record.line, why: "A quotation mark is opened here and never closed."))
            } else if columns.isEmpty {
                readLine(record, addresses)
            } else {
                read(record, columns, addresses)
            }
        }
    }

    /// Empty when the first line is no head.
    private static func columns(_ fields: [String]) -> [Column: Int] {
        var columns: [Column: Int] = [:]
        for (place, field) in fields.enumerated() {
            // A head is a word; a name of megabytes is none.
            guard field.utf8.count <= 40, !field.containsBytes("/"), let column = Column(head: field),
                columns[column] == nil
            else {
                continue
            }
            columns[column] = place
        }
        let hasName = columns[.name] != nil || columns[.address] != nil || columns[.shortName] != nil
        return hasName ? columns : [:]
    }

    private mutating func read(
        _ record: BookmarkCSV.Record, _ columns: [Column: Int], _ addresses: RepositoryURLParser
    ) {
        func cell(_ column: Column) -> String {
            guard let place = columns[column], place < record.fields.count else { return "" }
            let field = record.fields[place]
            // Longer than anything that is kept: comparing an endless run of accents takes Swift minutes.
            return field.utf8.count <= 20_000 ? BookmarkCSV.read(field) : ""
        }
        let both = RepositoryName(owner: cell(.owner).trimmed, name: cell(.shortName).trimmed)
        let named = [cell(.name), cell(.address), cell(.shortName)].lazy.compactMap(addresses.name)
        guard let name = named.first ?? both else {
            let said = [cell(.name), cell(.address), cell(.shortName)].first { !$0.isBlank }
            return refuse(said, at: record.line)
        }
        var entry = Entry(row: record.line, name: name)
        entry.addedAt = ISO8601.parse(cell(.addedAt).trimmed)
        add(entry, tags: cell(.tags).splitBytes(at: ",").map(String.init), note: cell(.note))
    }

    /// A name or an address alone; a line that begins with `#` is a remark.
    private mutating func readLine(_ record: BookmarkCSV.Record, _ addresses: RepositoryURLParser) {
        if record.fields.first?.utf8.first == UInt8(ascii: "#") { return }
        guard let name = record.fields.lazy.compactMap(addresses.name).first else {
            return refuse(record.fields.first { !$0.isBlank }, at: record.line)
        }
        add(Entry(row: record.line, name: name), tags: [], note: "")
    }
}
