import Foundation
import Market

/// A price in figures that fit a row: `$94,318.27`, `$17.026`, `$0.15482`, `$0.0₅8199`.
///
/// From 1,000 two decimals, from 1 five significant digits but at least two decimals, from 0.01 five
/// significant digits, below that four; with four or more zeros after the point they are counted below the line.
/// Rounded half up, with carry.
struct PriceText: Sendable, Equatable {
    /// "$" or "CA$", or "" where the currency is named after the number.
    let sign: String
    /// The figures, or those before the subscript: "94,318.27", "0.0".
    let figures: String
    /// How many zeros follow the point, where they are counted instead of written.
    let zeros: Int?
    /// The figures after the subscript: "8199".
    let afterZeros: String
    /// " CHF", or "" where a sign stands before the number.
    let unit: String
    /// Every digit that is known, ungrouped, with neither exponent nor trailing zeros: "0.000008199".
    let number: String

    /// Nil unless the price is a number above zero.
    ///
    /// - Parameter currency: CoinGecko's code in lower case, "usd".
    init?(_ price: Decimal, currency: String = "usd") {
        guard price.isFinite, price > 0, let digits = DecimalDigits(price) else { return nil }
        let known = Currency(code: currency)
        sign = known.sign ?? ""
        // Only letters and figures: the templates write figures and unit without escaping them.
        unit =
            known.sign == nil
            ? " " + currency.uppercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) } : ""
        number = digits.text(decimals: digits.decimals, grouped: false)
        let rounded = digits.rounded { Self.decimals(exponent: $0, hasParts: known.hasParts) }
        let decimals = Self.decimals(exponent: rounded.exponent, hasParts: known.hasParts)
        let leadingZeros = -rounded.exponent - 1
        if leadingZeros >= 4 {
            figures = "0.0"
            zeros = leadingZeros
            afterZeros = rounded.significant(4)
        } else {
            figures = rounded.text(decimals: decimals, grouped: true)
            zeros = nil
            afterZeros = ""
        }
    }

    /// The price in one line: "$0.0₅8199".
    var text: String { sign + figures + subscriptText + afterZeros + unit }

    /// The full number with its currency, for a title or a reader's voice: "$0.000008199".
    var full: String { sign + number + unit }

    /// How many characters wide the figures are, with what is more than one letter of a sign; a display chooses their size
    /// by it.
    var width: Int {
        max(0, sign.count - 1) + figures.count + (zeros.map { "\($0)".count } ?? 0) + afterZeros.count
            + unit.count
    }

    private var subscriptText: String {
        guard let zeros else { return "" }
        return String(
            String.UnicodeScalarView(
                "\(zeros)".unicodeScalars.compactMap { UnicodeScalar($0.value + 0x2050) }))
    }

    private static func decimals(exponent: Int, hasParts: Bool) -> Int {
        switch exponent {
        case 3...: hasParts ? 2 : 0
        case 0...: max(2, 4 - exponent)
        case (-2)...: 4 - exponent
        default: 3 - exponent
        }
    }
}
