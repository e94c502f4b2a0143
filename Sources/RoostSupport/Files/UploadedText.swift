import Foundation
package import TextFormats

/// The text of an uploaded file. Its content determines its kind, not its name.
package struct UploadedText: Sendable {
    package enum Kind: Sendable { case json, html, table }

    package let kind: Kind
    /// In UTF-8, without a byte order mark.
    package let bytes: [UInt8]
    private let rules: FileImportRules

    /// Throws `RoostError.invalid(field: "file")` for a binary or empty file.
    package init(_ file: [UInt8], _ rules: FileImportRules) throws {
        guard let text = Self.utf8(file) else { throw RoostError.file(rules.unknownKind) }
        guard let first = text.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
            throw RoostError.file("The file is empty.")
        }
        kind =
            switch first {
            case UInt8(ascii: "["), UInt8(ascii: "{"): .json
            case UInt8(ascii: "<"): .html
            default: .table
            }
        bytes = text
        self.rules = rules
    }

    /// Decodes UTF-8, UTF-16 with a byte order mark, which spreadsheets call "Unicode text", and otherwise
    /// Windows-1252, which older programs write. Returns nil for a binary file.
    package static func utf8(_ bytes: [UInt8]) -> [UInt8]? {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return String(data: Data(bytes), encoding: .utf16).map { Array($0.utf8) }
        }
        guard !bytes.contains(0) else { return nil }
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        return String(validating: text, as: UTF8.self) == nil ? Windows1252.utf8(text) : text
    }

    /// Calls `list` for a list, or `member` for each member of an object. Throws `RoostError.invalid(field: "file")`
    /// for invalid JSON.
    package func readJSON(
        list: (inout JSONReader) throws -> Void, member: (inout JSONReader, String) throws -> Void
    ) throws {
        var reader = JSONReader(bytes: bytes)
        do {
            if try reader.isList() { try list(&reader) } else { try reader.object(member) }
            try reader.end()
        } catch let malformed as JSONReader.Malformed {
            throw RoostError.file("Invalid JSON at byte \(malformed.offset + 1).")
        }
    }

    /// See `CSV.Table`.
    package func table<Column>(
        keys: Set<Column>, standard: [Column: Int] = [:], _ column: (String) -> Column?
    ) -> CSV.Table<Column> {
        CSV.Table(
            bytes, maximumFieldBytes: rules.maximumFieldBytes, keys: keys, standard: standard, column)
    }
}
