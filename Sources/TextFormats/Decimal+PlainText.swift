package import Foundation

extension Decimal {
    /// The format for money in JSON, files and the database: every digit, no exponent, no trailing zeros.
    package var plainText: String { description }

    /// More than any amount has. A `Decimal` holds 38 digits exactly.
    private static let maximumDigits = (whole: 18, fraction: 18)

    /// Reads a number such as "0.5", "12" or "-3.25" exactly.
    ///
    /// Returns nil for exponents, grouping, and more than 18 digits on either side of the point.
    package init?(plain text: String) {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let unsigned = text.utf8.dropFirst(isNegative ? 1 : 0)
        let parts = Array(unsigned).split(
            separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let whole = parts[0].drop { $0 == UInt8(ascii: "0") }
        let fraction = parts.count > 1 ? Array(parts[1]) : []
        let end = fraction.lastIndex { $0 != UInt8(ascii: "0") }.map { $0 + 1 } ?? 0
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard !parts[0].isEmpty || !fraction.isEmpty, (parts[0] + fraction).allSatisfy(digits.contains),
            parts.count == 1 || !fraction.isEmpty, whole.count <= Self.maximumDigits.whole,
            end <= Self.maximumDigits.fraction
        else { return nil }
        let exact =
            String(decoding: whole.isEmpty ? [UInt8(ascii: "0")] : Array(whole), as: UTF8.self)
            + (end > 0 ? "." + String(decoding: fraction[..<end], as: UTF8.self) : "")
        guard let value = Decimal(string: exact) else {
            return nil
        }
        self = isNegative ? -value : value
    }
}
