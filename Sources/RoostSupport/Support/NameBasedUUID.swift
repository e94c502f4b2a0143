import Crypto

/// A UUID that the same words always get: version 8 of RFC 9562 (section 5.8), from their SHA-256.
package enum NameBasedUUID {
    package static func of(_ words: String...) -> String {
        var bytes = Array(SHA256.hash(data: Array(words.joined(separator: "\n").utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return [hex[0..<4], hex[4..<6], hex[6..<8], hex[8..<10], hex[10..<16]].map { $0.joined() }
            .joined(separator: "-")
    }
}
