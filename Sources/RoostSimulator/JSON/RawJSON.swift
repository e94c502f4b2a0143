/// A JSON value as it was written, so that numbers keep all their digits.
///
/// Splits at brackets, quotes and commas without validating what is between them. Meant for recorded
/// responses.
struct RawJSON: Sendable {
    let bytes: ArraySlice<UInt8>

    /// Takes the first value in the bytes, without surrounding white space. Fails if there is no complete
    /// one.
    init?(_ bytes: ArraySlice<UInt8>) {
        var scanner = Scanner(bytes: bytes, index: bytes.startIndex)
        guard let value = scanner.value() else { return nil }
        self.bytes = value
    }

    private init(cut bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    var isNull: Bool { bytes.elementsEqual("null".utf8) }

    /// A string's content with escapes resolved, or nil for other types.
    var string: String? {
        guard bytes.first == UInt8(ascii: "\""), bytes.count >= 2 else { return nil }
        return JSONString.decode(bytes.dropFirst().dropLast())
    }

    /// For sorting only: extra digits beyond a `Double`'s precision are lost.
    var number: Double? { Double(text) }

    /// An array's elements, or nil for other types and truncated arrays.
    var elements: [RawJSON]? {
        guard bytes.first == UInt8(ascii: "[") else { return nil }
        var scanner = Scanner(bytes: bytes, index: bytes.startIndex + 1)
        var elements: [RawJSON] = []
        while !scanner.skip(UInt8(ascii: "]")) {
            guard let value = scanner.value() else { return nil }
            elements.append(RawJSON(cut: value))
            _ = scanner.skip(UInt8(ascii: ","))
        }
        return elements
    }

    /// An object's members in order, or nil for other types and truncated objects.
    var members: [(key: String, value: RawJSON)]? {
        guard bytes.first == UInt8(ascii: "{") else { return nil }
        var scanner = Scanner(bytes: bytes, index: bytes.startIndex + 1)
        var members: [(key: String, value: RawJSON)] = []
        while !scanner.skip(UInt8(ascii: "}")) {
            guard let name = scanner.value(), let key = RawJSON(cut: name).string,
                scanner.skip(UInt8(ascii: ":")), let value = scanner.value()
            else { return nil }
            members.append((key, RawJSON(cut: value)))
            _ = scanner.skip(UInt8(ascii: ","))
        }
        return members
    }

    subscript(key: String) -> RawJSON? {
        members?.first { $0.key == key }?.value
    }
}

extension RawJSON {
    private struct Scanner {
        let bytes: ArraySlice<UInt8>
        var index: Int

        mutating func skip(_ byte: UInt8) -> Bool {
            skipBlanks()
            guard index < bytes.endIndex, bytes[index] == byte else { return false }
            index += 1
            return true
        }

        mutating func value() -> ArraySlice<UInt8>? {
            skipBlanks()
            let start = index
            guard index < bytes.endIndex else { return nil }
            switch bytes[index] {
            case UInt8(ascii: "\""): guard skipString() else { return nil }
            case UInt8(ascii: "{"), UInt8(ascii: "["): guard skipContainer() else { return nil }
            default: skipScalar()
            }
            return index > start ? bytes[start..<index] : nil
        }

        private mutating func skipBlanks() {
            while index < bytes.endIndex, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
        }

        private mutating func skipString() -> Bool {
            index += 1
            while index < bytes.endIndex {
                let byte = bytes[index]
                index += byte == UInt8(ascii: "\\") ? 2 : 1
                if byte == UInt8(ascii: "\"") { return true }
            }
            return false
        }

        private mutating func skipContainer() -> Bool {
            var depth = 0
            while index < bytes.endIndex {
                switch bytes[index] {
                case UInt8(ascii: "\""):
                    guard skipString() else { return false }
                    continue
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                default: break
                }
                index += 1
                if depth == 0 { return true }
            }
            return false
        }

        private mutating func skipScalar() {
            let ends = Array(",]}: \t\r\n".utf8)
            while index < bytes.endIndex, !ends.contains(bytes[index]) { index += 1 }
        }
    }
}

/// Decodes the content of a JSON string (RFC 8259 section 7).
enum JSONString {
    static func decode(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
        var units: [UInt16] = []
        var scalars = String(decoding: bytes, as: UTF8.self).utf16.makeIterator()
        while let unit = scalars.next() {
            guard unit == 0x5C, let escape = scalars.next() else {
                units.append(unit)
                continue
            }
            units.append(resolved(escape, rest: &scalars))
        }
        return String(decoding: units, as: UTF16.self)
    }

    private static func resolved(_ escape: UInt16, rest: inout String.UTF16View.Iterator) -> UInt16 {
        switch Unicode.Scalar(escape) {
        case "n": return 0x0A
        case "t": return 0x09
        case "r": return 0x0D
        case "b": return 0x08
        case "f": return 0x0C
        case "u":
            let digits = (0..<4).compactMap { _ in rest.next() }
            return UInt16(String(decoding: digits, as: UTF16.self), radix: 16) ?? 0xFFFD
        default: return escape
        }
    }
}
