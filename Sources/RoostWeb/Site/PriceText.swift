package import Foundation
import RoostSupport
import TextFormats

/// A price with digits that fit a row: `$94,318.27`, `$17.026`, `$0.15482`, `$0.0₅8199`.
///
/// Two decimals from 1,000 up; five significant digits with at least two decimals from 1 up; five significant digits
/// from 0.01 up; four below. Four or more zeros after the point are written as a subscript count. Rounded half up, with
/// carry.
package struct PriceText: Sendable, Equatable {
    /// "$" or "CA$", or "" if the currency comes after the number.
    package let sign: String
    /// The digits, or those before the subscript: "94,318.27", "0.0".
    package let digits: String
    /// The number of zeros after the point, if written as a subscript.
    package let zeros: Int?
    /// The digits after the subscript: "8199".
    package let afterZeros: String
    /// " CHF", or "" if a sign comes before the number.
    package let unit: String
    /// Every known digit, ungrouped, without exponent or trailing zeros, for programs: "0.000008199".
    package let number: String

    /// Returns nil unless the price is a finite number above zero.
    ///
    /// - Parameter currency: CoinGecko's code in lower case, "usd"
    package init?(_ price: Decimal, currency: String = "usd") {
        guard price.isFinite, price > 0, let decimal = DecimalDigits(price) else { return nil }
        let currencyInfo = Currency(code: currency)
        sign = currencyInfo.sign ?? ""
        // Letters and digits only: templates write the number and unit without escaping them.
        unit =
            currencyInfo.sign == nil
            ? " " + currency.uppercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) } : ""
        number = decimal.text(decimals: decimal.decimals, grouped: false, in: .comma)
        let rounded = decimal.rounded { Self.decimals(exponent: $0, hasParts: currencyInfo.hasParts) }
        let decimals = Self.decimals(exponent: rounded.exponent, hasParts: currencyInfo.hasParts)
        let leadingZeros = -rounded.exponent - 1
        if leadingZeros >= 4 {
            digits = "0\(Formats.current.numbers.decimalMark)0"
            zeros = leadingZeros
            afterZeros = rounded.significant(4)
        } else {
            digits = rounded.text(decimals: decimals, grouped: true)
            zeros = nil
            afterZeros = ""
        }
    }

    package var text: String { sign + digits + subscriptText + afterZeros + unit }

    /// The full number with its currency, for a title or a screen reader: "$0.000008199".
    package var full: String { sign + numberText + unit }

    private var numberText: String {
        let numbers = Formats.current.numbers
        return numbers == .comma ? number : number.replacingBytes(of: ".", with: "\(numbers.decimalMark)")
    }

    /// The width in characters, where one letter of the sign is free. Displays choose the font size by it.
    package var width: Int {
        max(0, sign.count - 1) + digits.count + (zeros.map { "\($0)".count } ?? 0) + afterZeros.count
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
