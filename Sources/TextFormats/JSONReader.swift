package import Foundation

/// Reads JSON (RFC 8259) from its beginning to its end, without a tree of it in between.
///
/// What nobody asks for is passed over. A value of another type than asked for is nil, and passed over too: an
/// upstream that changes its mind spoils a field, not an answer. Only what is no JSON at all throws.
package struct JSONReader {
    /// What is no JSON, with its place in bytes.
    package struct Malformed: Error, Equatable {
        package let place: Int
    }

    /// An answer nests a dozen deep; one of thousands is made to break whoever reads it.
    private static let deepest = 64
    /// In bytes.
    private static let maximumNameLength = 100

    private let bytes: [UInt8]
    private var place = 0
    private var depth = 0

    package init(_ data: Data) { self.init(bytes: [UInt8](data)) }

    /// Without a copy: files may have tens of megabytes.
    package init(bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    }

    /// Throws when anything but white space is left.
    package mutating func end() throws {
        passSpace()
        guard place == bytes.count else { throw Malformed(place: place) }
    }

    /// Calls `member` at each value of an object; one that it does not read is passed over. False for another type.
    @discardableResult
    package mutating func object(_ member: (inout JSONReader, String) throws -> Void) throws -> Bool {
        guard try opens(UInt8(ascii: "{")) else { return false }
        defer { depth -= 1 }
        if closes(UInt8(ascii: "}")) { return true }
        while true {
            guard try peek() == UInt8(ascii: "\"") else { throw Malformed(place: place) }
            // Comparing an endless run of accents takes Swift minutes; nobody asks for a name of that length.
            let name = try shortText(Self.maximumNameLength) ?? ""
            try expect(UInt8(ascii: ":"))
            _ = try peek()
            let start = place
            try member(&self, name)
            if place == start { try skip() }
            if closes(UInt8(ascii: "}")) { return true }
            try expect(UInt8(ascii: ","))
        }
    }

    /// Calls `item` at each value of a list; one that it does not read is passed over. False for another type.
    @discardableResult
    package mutating func list(_ item: (inout JSONReader) throws -> Void) throws -> Bool {
        guard try opens(UInt8(ascii: "[")) else { return false }
        defer { depth -= 1 }
        if closes(UInt8(ascii: "]")) { return true }
        while true {
            _ = try peek()
            let start = place
            try item(&self)
            if place == start { try skip() }
            if closes(UInt8(ascii: "]")) { return true }
            try expect(UInt8(ascii: ","))
        }
    }

    /// Nil, too, for a text of more than `bytes` as it is written.
    package mutating func string(atMost bytes: Int = 4_096) throws -> String? {
        guard try peek() == UInt8(ascii: "\"") else { return try pass() }
        return try shortText(bytes)
    }

    package mutating func int() throws -> Int? {
        let byte = try peek()
        guard byte == UInt8(ascii: "-") || Self.isDigit(byte) else { return try pass() }
        let start = place
        try skip()
        return Int(String(decoding: bytes[start..<place], as: UTF8.self))
    }

    /// Any number, or a text that is one, but not infinity or the like; not for money.
    package mutating func number() throws -> Double? {
        var probe = self
        if let text = try probe.string() {
            self = probe
            return Double(text).flatMap { $0.isFinite ? $0 : nil }
        }
        let byte = try peek()
        guard byte == UInt8(ascii: "-") || Self.isDigit(byte) else { return try pass() }
        let start = place
        try skip()
        let number = Double(String(decoding: bytes[start..<place], as: UTF8.self))
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    /// A whole number of things, 0 to a thousand million; nil for any other, which no sum here could hold.
    package mutating func count() throws -> Int? {
        try int().flatMap { (0...1_000_000_000).contains($0) ? $0 : nil }
    }

    package mutating func bool() throws -> Bool? {
        let byte = try peek()
        guard byte == UInt8(ascii: "t") || byte == UInt8(ascii: "f") else { return try pass() }
        try skip()
        return byte == UInt8(ascii: "t")
    }

    /// Whether the next value is `null`; it is read then.
    package mutating func isNull() throws -> Bool {
        guard try peek() == UInt8(ascii: "n") else { return false }
        try skip()
        return true
    }

    /// Reads one value as `body` does; where that throws a `ValidationError`, passes it over and answers what was refused.
    package mutating func attempt<Value>(
        _ body: (inout JSONReader) throws -> Value
    ) throws -> Result<Value, RefusedValue> {
        _ = try peek()
        let (start, level) = (place, depth)
        do {
            let value = try body(&self)
            if place == start { try skip() }
            return .success(value)
        } catch let refusal as ValidationError {
            (place, depth) = (start, level)
            try skip()
            return .failure(
                RefusedValue(
                    refusal: refusal, hash: String(decoding: bytes[start..<place], as: UTF8.self).hashValue))
        }
    }

    /// A value that was passed over: why, and what tells it from others within this run.
    package struct RefusedValue: Error {
        package let refusal: ValidationError
        package let hash: Int
    }

    /// Passes one value over, whatever it is.
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

    private mutating func pass<Value>() throws -> Value? {
        try skip()
        return nil
    }
}

extension JSONReader {
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    private mutating func passSpace() {
        while place < bytes.count {
            let byte = bytes[place]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            place += 1
        }
    }

    /// The next value's first byte.
    private mutating func peek() throws -> UInt8 {
        passSpace()
        guard place < bytes.count else { throw Malformed(place: place) }
        return bytes[place]
    }

    private mutating func opens(_ bracket: UInt8) throws -> Bool {
        guard try peek() == bracket else { return try pass() ?? false }
        guard depth < Self.deepest else { throw Malformed(place: place) }
        place += 1
        depth += 1
        return true
    }

    private mutating func closes(_ bracket: UInt8) -> Bool {
        passSpace()
        guard place < bytes.count, bytes[place] == bracket else { return false }
        place += 1
        return true
    }

    private mutating func expect(_ byte: UInt8) throws {
        guard try peek() == byte else { throw Malformed(place: place) }
        place += 1
    }

    private mutating func word(_ word: StaticString) throws {
        guard bytes.count - place >= word.utf8CodeUnitCount else { throw Malformed(place: place) }
        for offset in 0..<word.utf8CodeUnitCount where bytes[place + offset] != word.utf8Start[offset] {
            throw Malformed(place: place)
        }
        place += word.utf8CodeUnitCount
    }

    private mutating func skipNumber() throws {
        let start = place
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
                UInt8(ascii: "."),
                UInt8(ascii: "e"), UInt8(ascii: "E"):
                place += 1
            default:
                guard place > start else { throw Malformed(place: place) }
                return
            }
        }
        guard place > start else { throw Malformed(place: place) }
    }

    /// True when the text had an escape in it; `place` is behind its closing quote then.
    @discardableResult
    private mutating func skipText() throws -> Bool {
        var hasEscapes = false
        place += 1
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            if byte == UInt8(ascii: "\"") { return hasEscapes }
            if byte < 0x20 { throw Malformed(place: place) }
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                place += 1
            }
        }
        throw Malformed(place: place)
    }

    private mutating func shortText(_ maximum: Int) throws -> String? {
        let start = place + 1
        let hasEscapes = try skipText()
        guard place - 1 - start <= maximum else { return nil }
        guard hasEscapes else { return String(decoding: bytes[start..<(place - 1)], as: UTF8.self) }
        return try JSONEscapes.undo(bytes[start..<(place - 1)])
    }
}
