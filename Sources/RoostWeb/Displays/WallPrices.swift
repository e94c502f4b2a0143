import Foundation

/// The size of all prices of a page, as `wall.css` needs it, and what sets their points under one another.
struct WallPrices: Equatable {
    /// Digits of the longest price, which are all of one width.
    let digits: Int
    /// Its narrower marks: commas, a point, the letters of a currency, zeros that are counted.
    let marks: Int
    /// How many digits longer a price would be that has the longest whole number and the longest fraction of the page.
    let extraDigits: Int
    /// What each price lacks before its first digit to be as long as the longest whole number: "00,"; nil for nothing.
    let pads: [String?]

    /// How wide digits and marks are in parts of the price's size, about: `wall.css` has it exactly.
    private static let (digitWidth, markWidth) = (0.64, 0.37)

    init(_ prices: [PriceText?]) {
        let parts = prices.map { $0.map(Parts.init) }
        let known = parts.compactMap { $0 }
        let longest = known.map(\.all).max { $0.width < $1.width } ?? Measure(digits: 1)
        digits = min(max(longest.digits, 1), 24)
        marks = min(longest.marks, 12)
        let whole = known.map(\.whole).max { $0.count < $1.count } ?? ""
        let fraction = known.map(\.fraction).max { $0.width < $1.width } ?? Measure()
        let aligned = Measure(whole).width + fraction.width
        // Less the error of the sums. A fraction has seven digits at most.
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
        /// "69,863"
        let whole: Substring
        /// All after the whole number, and the currency.
        let fraction: Measure
        let all: Measure

        init(_ price: PriceText) {
            whole = price.figures.prefix { $0 != "." }
            let rest = price.figures.dropFirst(whole.count) + price.afterZeros
            let written = Measure(rest)
            // Zeros that are counted, signs and units are small: each letter counts as a mark.
            let small = (price.zeros.map { "\($0)".count } ?? 0) + price.sign.count + price.unit.count
            fraction = Measure(digits: written.digits, marks: written.marks + small)
            let before = Measure(whole)
            all = Measure(digits: before.digits + fraction.digits, marks: before.marks + fraction.marks)
        }
    }
}
