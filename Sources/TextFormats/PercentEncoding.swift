/// Percent-encoding (RFC 3986, section 2.1) for one part of an address, such as `boringdao-[old]` or `1move token`, and
/// for urlencoded forms (WHATWG URL, section 5).
package enum PercentEncoding {
    /// Keeps unreserved characters and encodes every other byte.
    package static func encode(_ text: String) -> String {
        guard !isPlain(text) else { return text }
        return String(unsafeUninitializedCapacity: 3 * text.utf8.count) { encoded in
            var length = 0
            for byte in text.utf8 {
                put(byte, isEscaped: !isUnreserved(byte)) {
                    encoded[length] = $0
                    length += 1
                }
            }
            return length
        }
    }

    package static func isPlain(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isUnreserved) }
            ?? text.utf8.allSatisfy(isUnreserved)
    }

    /// Returns the decoded text, or nil if an escape is invalid or the bytes are not UTF-8 or contain a NUL.
    @inlinable package static func decode(
        _ bytes: some Collection<UInt8>, plusIsSpace: Bool = false
    ) -> String? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes.makeIterator()
        while let byte = rest.next() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.next().flatMap(hexValue), let low = rest.next().flatMap(hexValue)
                else { return nil }
                decoded.append(high << 4 | low)
            } else {
                decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        guard !decoded.contains(0) else { return nil }
        return String(validating: decoded, as: UTF8.self)
    }

    /// Returns the decoded text, or the text itself if it cannot be decoded.
    package static func decoded(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
        decode(text.utf8, plusIsSpace: plusIsSpace) ?? String(text)
    }

    /// Returns the normal form of a part of an address (RFC 3986, section 6.2.2): encodes only what needs it, with
    /// upper-case digits.
    ///
    /// - Parameter marks: bytes to leave unescaped in addition to the unreserved characters
    package static func normalized(_ text: some StringProtocol, keeping marks: Set<UInt8>) -> String {
        var rest = Array(text.utf8)[...]
        var result: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(hexValue),
                let low = rest.dropFirst().first.flatMap(hexValue)
            {
                rest = rest.dropFirst(2)
                let value = high << 4 | low
                put(value, isEscaped: !isUnreserved(value)) { result.append($0) }
            } else {
                put(byte, isEscaped: !isUnreserved(byte) && !marks.contains(byte)) { result.append($0) }
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func put(_ byte: UInt8, isEscaped: Bool, _ append: (UInt8) -> Void) {
        guard isEscaped else { return append(byte) }
        append(UInt8(ascii: "%"))
        for digit in [byte >> 4, byte & 15] {
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
        }
    }

    @inlinable package static func hexValue(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// RFC 3986, section 2.3.
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
