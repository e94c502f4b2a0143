import Foundation
import RoostSupport
import RoostWeb

/// The common size of a wall page's prices for `wall.css`, and the padding that aligns their decimal points.
struct WallPrices: Equatable {
    /// The digits of the longest price. All digits are equally wide.
    let digits: Int
    /// The narrower characters of the longest price: commas, the point, currency letters, counted zeros.
    let marks: Int
    /// How many digits longer a price with the page's longest whole number and longest fraction would be.
    let extraDigits: Int
    /// For each price, the padding up to the longest whole number, such as "00,"; nil for none.
    let pads: [String?]

    /// Approximate widths in units of the font size; `wall.css` has the exact ones.
    private static let (digitWidth, markWidth) = (0.64, 0.37)

    init(_ prices: [PriceText?]) {
        let parts = prices.map { $0.map(Parts.init) }
        let priced = parts.compactMap { $0 }
        let longest = priced.map(\.all).max { $0.width < $1.width } ?? Measure(digits: 1)
        digits = min(max(longest.digits, 1), 24)
        marks = min(longest.marks, 12)
        let whole = priced.map(\.whole).max { $0.count < $1.count } ?? ""
        let fraction = priced.map(\.fraction).max { $0.width < $1.width } ?? Measure()
        let aligned = Measure(whole).width + fraction.width
        // Subtract the rounding error. A fraction has at most seven digits.
        extraDigits = Int(min(max(0, (aligned - longest.width) / Self.digitWidth - 0.001).rounded(.up), 8))
        pads = parts.map { part in
            guard let part, part.whole.count < whole.count else { return nil }
            return String(whole.dropLast(part.whole.count).map { $0 == "," ? "," : "0" })
        }
    }

    private struct Measure {
        var digits = 0
        var marks = 0

        init(digits: Int = 0, marks: Int = 0) { (self.digits, self.marks) = (digits, marks) }

        init(_ text: some StringProtocol) {
            digits = text.utf8.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            marks = text.count - digits
        }

        var width: Double { Double(digits) * digitWidth + Double(marks) * markWidth }
    }

    private struct Parts {
        let whole: Substring
        let fraction: Measure
        let all: Measure

        init(_ price: PriceText) {
            let point = Formats.current.numbers.decimalMark
            whole = price.digits.prefix { $0.unicodeScalars.first != point }
            let rest = price.digits.dropFirst(whole.count) + price.afterZeros
            let written = Measure(rest)
            // Counted zeros, signs and units are set small: each character counts as a mark.
            let small = (price.zeros.map { "\($0)".count } ?? 0) + price.sign.count + price.unit.count
            fraction = Measure(digits: written.digits, marks: written.marks + small)
            let before = Measure(whole)
            all = Measure(digits: before.digits + fraction.digits, marks: before.marks + fraction.marks)
        }
    }
}
