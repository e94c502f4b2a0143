package import Foundation

/// Writes JSON with the same bytes for the same value, every time.
package enum StableJSON {
    /// Returns the value as JSON on one line, with sorted keys and plain slashes. Throws the encoder's errors.
    ///
    /// - Parameter dates: by default as numbers of seconds since 2001
    package static func bytes(
        of value: some Encodable, dates: JSONEncoder.DateEncodingStrategy = .deferredToDate
    ) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = dates
        return Array(try encoder.encode(value))
    }

    /// The same as text.
    package static func text(of value: some Encodable) throws -> String {
        String(decoding: try bytes(of: value), as: UTF8.self)
    }
}
