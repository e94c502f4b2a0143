import Crypto

/// A user's row id in this database; a string in JSON.
package typealias UserID = Int64

/// A user's id in JSON, such as "7". A string, because JavaScript would round large numbers.
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

/// A UUID derived from the SHA-256 of its input (version 8, RFC 9562, section 5.8).
package enum NameBasedUUID {
    package static func of(_ parts: String...) -> String {
        var bytes = Array(SHA256.hash(data: Array(parts.joined(separator: "\n").utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return [hex[0..<4], hex[4..<6], hex[6..<8], hex[8..<10], hex[10..<16]].map { $0.joined() }
            .joined(separator: "-")
    }
}

/// A type whose JSON is described by examples, because its values cannot be decoded. Only the members that the examples
/// encode count, not their values; a member that one of them leaves out is optional.
package protocol JSONExamples: Encodable {
    static var examples: [Self] { get }
}
