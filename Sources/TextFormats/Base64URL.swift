package import Foundation

/// Base64url without padding (RFC 4648, section 5).
package enum Base64URL {
    package static func encode(_ data: Data) -> String {
        let bytes = data.base64EncodedData()
        return String(unsafeUninitializedCapacity: bytes.count) { buffer in
            var count = 0
            for byte in bytes where byte != UInt8(ascii: "=") {
                buffer[count] =
                    switch byte {
                    case UInt8(ascii: "+"): UInt8(ascii: "-")
                    case UInt8(ascii: "/"): UInt8(ascii: "_")
                    default: byte
                    }
                count += 1
            }
            return count
        }
    }

    package static func decode(_ text: String) -> Data? {
        var bytes = text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        bytes += repeatElement(UInt8(ascii: "="), count: (4 - bytes.count % 4) % 4)
        return Data(base64Encoded: Data(bytes))
    }
}
