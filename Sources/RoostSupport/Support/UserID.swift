import Crypto

/// A person's number in this database; in JSON a string.
package typealias UserID = Int64

/// A user's id as JSON carries it: "7". Programs only compare ids, and JavaScript would round large numbers.
package struct JSONUserID: Codable, Equatable, Hashable, Sendable {
    package let id: UserID

    package init(_ id: UserID) { self.id = id }

    /// Throws `DecodingError` for anything but the string that `encode` writes.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = UserID(text), String(id) == text else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a user's id")
        }
        self.id = id
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(String(id))
    }
}

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
