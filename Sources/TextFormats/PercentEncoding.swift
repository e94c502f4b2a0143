/// RFC 3986 percent-encoding for one part of an address (`boringdao-[old]`, `1move token`).
package enum PercentEncoding {
    /// Keeps unreserved characters (RFC 3986, section 2.3) and encodes every other byte.
    package static func encode(_ text: String) -> String {
        guard !isPlain(text) else { return text }
        return String(unsafeUninitializedCapacity: 3 * text.utf8.count) { encoded in
            var length = 0
            func put(_ byte: UInt8) {
                encoded[length] = byte
                length += 1
            }
            for byte in text.utf8 {
                guard !isUnreserved(byte) else {
                    put(byte)
                    continue
                }
                put(UInt8(ascii: "%"))
                put(hexDigit(byte >> 4))
                put(hexDigit(byte & 15))
            }
            return length
        }
    }

    private static func hexDigit(_ number: UInt8) -> UInt8 {
        number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "A") + number - 10
    }

    /// Whether every byte stays as it is.
    package static func isPlain(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isUnreserved) }
            ?? text.utf8.allSatisfy(isUnreserved)
    }

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
