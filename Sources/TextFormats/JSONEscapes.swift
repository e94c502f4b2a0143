/// Decodes the escapes in a JSON string (RFC 8259, section 7).
enum JSONEscapes {
    /// Throws `JSONReader.Malformed` for an unknown escape. An unpaired surrogate becomes U+FFFD.
    static func undo(_ raw: ArraySlice<UInt8>) throws -> String {
        var text: [UInt8] = []
        text.reserveCapacity(raw.count)
        var offset = raw.startIndex
        while offset < raw.endIndex {
            guard raw[offset] == UInt8(ascii: "\\") else {
                text.append(raw[offset])
                offset += 1
                continue
            }
            guard offset + 1 < raw.endIndex else { throw JSONReader.Malformed(offset: offset) }
            let sign = raw[offset + 1]
            offset += 2
            if sign == UInt8(ascii: "u") {
                text += Array(String(try scalar(raw, &offset)).utf8)
            } else if let plain = plain(sign) {
                text.append(plain)
            } else {
                throw JSONReader.Malformed(offset: offset)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func plain(_ sign: UInt8) -> UInt8? {
        switch sign {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): sign
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        default: nil
        }
    }

    /// Reads `\uXXXX` or a surrogate pair; `offset` is after the first `\u`.
    private static func scalar(_ raw: ArraySlice<UInt8>, _ offset: inout Int) throws -> Character {
        let first = try unit(raw, &offset)
        if let scalar = Unicode.Scalar(UInt32(first)) { return Character(scalar) }
        guard (0xD800..<0xDC00).contains(first), offset + 5 < raw.endIndex, raw[offset] == UInt8(ascii: "\\"),
            raw[offset + 1] == UInt8(ascii: "u")
        else { return "\u{FFFD}" }
        var next = offset + 2
        let second = try unit(raw, &next)
        guard (0xDC00..<0xE000).contains(second) else { return "\u{FFFD}" }
        offset = next
        let code = 0x10000 + (UInt32(first - 0xD800) << 10) + UInt32(second - 0xDC00)
        return Unicode.Scalar(code).map { Character($0) } ?? "\u{FFFD}"
    }

    private static func unit(_ raw: ArraySlice<UInt8>, _ offset: inout Int) throws -> UInt16 {
        guard offset + 4 <= raw.endIndex,
            let unit = UInt16(String(decoding: raw[offset..<(offset + 4)], as: UTF8.self), radix: 16)
        else { throw JSONReader.Malformed(offset: offset) }
        offset += 4
        return unit
    }
}
