package import Foundation

/// Reads JSON (RFC 8259) as a stream, without building a tree.
///
/// Values that are not read are skipped. A value of an unexpected type is skipped and read as nil, so that a changed
/// field does not break the whole response. Only invalid JSON throws.
package struct JSONReader {
    package struct Malformed: Error, Equatable {
        package let offset: Int
    }

    /// Real responses nest about a dozen levels deep. A limit, so that a hostile one cannot exhaust the stack.
    private static let deepest = 64
    /// In bytes.
    private static let maximumNameLength = 100

    private let bytes: [UInt8]
    private var offset = 0
    private var depth = 0

    package init(_ data: Data) { self.init(bytes: [UInt8](data)) }

    /// Does not copy the bytes, because files may have tens of megabytes.
    package init(bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    }

    package mutating func end() throws {
        passSpace()
        guard offset == bytes.count else { throw Malformed(offset: offset) }
    }

    /// Calls `member` for each member of an object; values that it does not read are skipped. Returns false for another
    /// type.
    @discardableResult
    package mutating func object(_ member: (inout JSONReader, String) throws -> Void) throws -> Bool {
        guard try opens(UInt8(ascii: "{")) else { return false }
        defer { depth -= 1 }
        if closes(UInt8(ascii: "}")) { return true }
        while true {
            guard try peek() == UInt8(ascii: "\"") else { throw Malformed(offset: offset) }
            // Longer names are not needed, and comparing a long run of accents can take Swift minutes.
            let name = try shortText(Self.maximumNameLength) ?? ""
            try expect(UInt8(ascii: ":"))
            _ = try peek()
            let start = offset
            try member(&self, name)
            if offset == start { try skip() }
            if closes(UInt8(ascii: "}")) { return true }
            try expect(UInt8(ascii: ","))
        }
    }

    /// Calls `item` for each item of an array; items that it does not read are skipped. Returns false for another type.
    @discardableResult
    package mutating func list(_ item: (inout JSONReader) throws -> Void) throws -> Bool {
        guard try opens(UInt8(ascii: "[")) else { return false }
        defer { depth -= 1 }
        if closes(UInt8(ascii: "]")) { return true }
        while true {
            _ = try peek()
            let start = offset
            try item(&self)
            if offset == start { try skip() }
            if closes(UInt8(ascii: "]")) { return true }
            try expect(UInt8(ascii: ","))
        }
    }

    /// Returns nil also for a string of more than `bytes` in its encoded form.
    package mutating func string(atMost bytes: Int = 4_096) throws -> String? {
        guard try peek() == UInt8(ascii: "\"") else { return try pass() }
        return try shortText(bytes)
    }

    package mutating func int() throws -> Int? {
        let byte = try peek()
        guard byte == UInt8(ascii: "-") || Self.isDigit(byte) else { return try pass() }
        let start = offset
        try skip()
        return Int(String(decoding: bytes[start..<offset], as: UTF8.self))
    }

    /// Reads a finite number, or a string that contains one. Not for money.
    package mutating func number() throws -> Double? {
        var probe = self
        if let text = try probe.string() {
            self = probe
            return Double(text).flatMap { $0.isFinite ? $0 : nil }
        }
        let byte = try peek()
        guard byte == UInt8(ascii: "-") || Self.isDigit(byte) else { return try pass() }
        let start = offset
        try skip()
        let number = Double(String(decoding: bytes[start..<offset], as: UTF8.self))
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    /// The possible values of a count, whose sums cannot overflow.
    package static let counts = 0...1_000_000_000

    /// Returns nil also for a number outside `counts`.
    package mutating func count() throws -> Int? {
        try int().flatMap { Self.counts.contains($0) ? $0 : nil }
    }

    package mutating func bool() throws -> Bool? {
        let byte = try peek()
        guard byte == UInt8(ascii: "t") || byte == UInt8(ascii: "f") else { return try pass() }
        try skip()
        return byte == UInt8(ascii: "t")
    }

    /// Consumes nothing.
    package mutating func isList() throws -> Bool { try peek() == UInt8(ascii: "[") }

    /// Consumes nothing.
    package mutating func isString() throws -> Bool { try peek() == UInt8(ascii: "\"") }

    /// Consumes null, and nothing else.
    package mutating func isNull() throws -> Bool {
        guard try peek() == UInt8(ascii: "n") else { return false }
        try skip()
        return true
    }

    /// Reads a text, the first text of a list, or the name of an object.
    package mutating func name() throws -> String? {
        if try isString() { return try string() }
        var found: String?
        if try isList() {
            try list { found = try found ?? $0.string() }
        } else {
            try object { reader, name in
                if ["label", "name", "title"].contains(name) { found = try found ?? reader.string() }
            }
        }
        return found
    }

    /// Reads a list of names, or a text that `split` divides into them.
    package mutating func names(
        atMost maximum: Int, splitting split: (String) -> [String]
    ) throws -> [String] {
        if try isString() { return split(try string(atMost: 10_000) ?? "") }
        var names: [String] = []
        try list { if names.count < maximum, let name = try $0.name() { names.append(name) } }
        return names
    }

    /// Returns nil for a value of another form, or of more than `maximumBytes`.
    package mutating func decode<Value: Decodable>(_ type: Value.Type, maximumBytes: Int) throws -> Value? {
        _ = try peek()
        let start = offset
        try skip()
        guard offset - start <= maximumBytes else { return nil }
        let data = Data(bytes[start..<offset])
        guard (try? Self.check(data, maximumValues: 1_000)) != nil else { return nil }
        return try? JSONDecoder().decode(type, from: data)
    }

    /// Reads one value with `body`. If that throws a `ValidationError`, skips the value and returns the error.
    package mutating func attempt<Value>(
        _ body: (inout JSONReader) throws -> Value
    ) throws -> Result<Value, RefusedValue> {
        _ = try peek()
        let (start, level) = (offset, depth)
        do {
            let value = try body(&self)
            if offset == start { try skip() }
            return .success(value)
        } catch let refusal as ValidationError {
            (offset, depth) = (start, level)
            try skip()
            return .failure(
                RefusedValue(
                    refusal: refusal, hash: String(decoding: bytes[start..<offset], as: UTF8.self).hashValue))
        }
    }

    /// A skipped value: the reason, and a hash that identifies it within this run of the program.
    package struct RefusedValue: Error {
        package let refusal: ValidationError
        package let hash: Int
    }

    package mutating func skip() throws {
        switch try peek() {
        case UInt8(ascii: "{"): try object { _, _ in }
        case UInt8(ascii: "["): try list { _ in }
        case UInt8(ascii: "\""): try skipText()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: try skipNumber()
        }
    }

    /// Throws unless the text is JSON that `JSONDecoder` can safely decode: nested as deep as `JSONReader` allows, with
    /// short names. `JSONDecoder` hashes each name, which takes 8 seconds for 256 KB of accents.
    package static func check(_ data: Data, maximumValues: Int) throws {
        var reader = JSONReader(data)
        var values = 0
        try reader.checkValue(&values, maximumValues)
        try reader.end()
    }

    private mutating func checkValue(_ values: inout Int, _ maximum: Int) throws {
        values += 1
        guard values <= maximum else { throw Malformed(offset: offset) }
        switch try peek() {
        case UInt8(ascii: "{"):
            try object { reader, name in
                guard !name.isEmpty else { throw Malformed(offset: reader.offset) }
                try reader.checkValue(&values, maximum)
            }
        case UInt8(ascii: "["): try list { try $0.checkValue(&values, maximum) }
        default: try skip()
        }
    }

    private mutating func pass<Value>() throws -> Value? {
        try skip()
        return nil
    }
}

extension JSONReader {
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    private mutating func passSpace() {
        while offset < bytes.count {
            let byte = bytes[offset]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            offset += 1
        }
    }

    private mutating func peek() throws -> UInt8 {
        passSpace()
        guard offset < bytes.count else { throw Malformed(offset: offset) }
        return bytes[offset]
    }

    private mutating func opens(_ bracket: UInt8) throws -> Bool {
        guard try peek() == bracket else { return try pass() ?? false }
        guard depth < Self.deepest else { throw Malformed(offset: offset) }
        offset += 1
        depth += 1
        return true
    }

    private mutating func closes(_ bracket: UInt8) -> Bool {
        passSpace()
        guard offset < bytes.count, bytes[offset] == bracket else { return false }
        offset += 1
        return true
    }

    private mutating func expect(_ byte: UInt8) throws {
        guard try peek() == byte else { throw Malformed(offset: offset) }
        offset += 1
    }

    private mutating func word(_ word: StaticString) throws {
        guard bytes.count - offset >= word.utf8CodeUnitCount else { throw Malformed(offset: offset) }
        for index in 0..<word.utf8CodeUnitCount where bytes[offset + index] != word.utf8Start[index] {
            throw Malformed(offset: offset)
        }
        offset += word.utf8CodeUnitCount
    }

    private mutating func skipNumber() throws {
        let start = offset
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
                UInt8(ascii: "."),
                UInt8(ascii: "e"), UInt8(ascii: "E"):
                offset += 1
            default:
                guard offset > start else { throw Malformed(offset: offset) }
                return
            }
        }
        guard offset > start else { throw Malformed(offset: offset) }
    }

    /// Returns true if the string contains an escape. Afterwards `offset` is after the closing quote.
    @discardableResult
    private mutating func skipText() throws -> Bool {
        var hasEscapes = false
        offset += 1
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            if byte == UInt8(ascii: "\"") { return hasEscapes }
            if byte < 0x20 { throw Malformed(offset: offset) }
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                offset += 1
            }
        }
        throw Malformed(offset: offset)
    }

    private mutating func shortText(_ maximum: Int) throws -> String? {
        let start = offset + 1
        let hasEscapes = try skipText()
        guard offset - 1 - start <= maximum else { return nil }
        guard hasEscapes else { return String(decoding: bytes[start..<(offset - 1)], as: UTF8.self) }
        return try JSONEscapes.undo(bytes[start..<(offset - 1)])
    }
}
