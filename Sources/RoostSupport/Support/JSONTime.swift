package import Foundation
import TextFormats

/// A time as Roost's JSON carries it: ISO 8601 in UTC, to the millisecond.
package struct JSONTime: Codable {
    package let date: Date

    package init(_ date: Date) { self.date = date }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let date = ISO8601.parse(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a time")
        }
        self.date = date
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(ISO8601.milliseconds(date))
    }
}
