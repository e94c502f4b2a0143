/// Percent-encoding as addresses and urlencoded forms use it (RFC 3986 section 2.1; WHATWG URL section 5).
package enum PercentCoding {
    /// For one segment of a path, or one name or value of a query: all but RFC 3986's unreserved characters.
    package static func encode(_ text: some StringProtocol) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: encoded.append(byte)
            default: encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// The decoded text, or nil if an escape is cut or not hexadecimal, the bytes are no UTF-8, or hold a
    /// NUL.
    static func decode(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> String? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes.makeIterator()
        while let byte = rest.next() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.next().flatMap(hexadecimal), let low = rest.next().flatMap(hexadecimal)
                else { return nil }
                decoded.append(high << 4 | low)
            } else {
                decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        guard !decoded.contains(0) else { return nil }
        return String(validating: decoded, as: UTF8.self)
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
