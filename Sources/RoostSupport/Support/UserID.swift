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
