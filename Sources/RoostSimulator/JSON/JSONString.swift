/// The content of a JSON string, escapes resolved (RFC 8259 section 7).
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
