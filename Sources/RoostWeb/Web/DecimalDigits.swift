/// A positive decimal number as its significant digits, to round and write without passing through `Double`.
struct DecimalDigits: Equatable {
    /// From the first that is not zero to the last that is not zero, each 0...9.
    var digits: [UInt8]
    /// The power of ten of the first digit: 2 for 187.45, -6 for 0.000008199.
    var exponent: Int

    init(digits: [UInt8], exponent: Int) {
        self.digits = digits
        self.exponent = exponent
    }

    /// Reads "187.45", as `Decimal` describes itself; nil for zero and for anything else.
    init?(_ text: String) {
        var digits: [UInt8] = []
        var point: Int?
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(byte - UInt8(ascii: "0"))
            case UInt8(ascii: ".") where point == nil: point = digits.count
            default: return nil
            }
        }
        guard let first = digits.firstIndex(where: { $0 != 0 }),
            let last = digits.lastIndex(where: { $0 != 0 })
        else { return nil }
        self.init(digits: Array(digits[first...last]), exponent: (point ?? digits.count) - 1 - first)
    }

    /// Rounded half up to as many decimals as a number of this magnitude is given.
    func rounded(decimals: (_ exponent: Int) -> Int) -> DecimalDigits {
        let count = exponent + 1 + decimals(exponent)
        guard count < digits.count else { return self }
        guard count >= 0 else { return DecimalDigits(digits: [0], exponent: exponent) }
        var rounded = Array(digits[..<count])
        guard digits[count] >= 5 else { return DecimalDigits(digits: rounded, exponent: exponent) }
        for index in rounded.indices.reversed() {
            guard rounded[index] == 9 else {
                rounded[index] += 1
                return DecimalDigits(digits: rounded, exponent: exponent)
            }
            rounded[index] = 0
        }
        return DecimalDigits(digits: [1] + rounded, exponent: exponent + 1)
    }

    /// The first `count` significant digits, filled with zeros: "8199".
    func significant(_ count: Int) -> String {
        String(decoding: (0..<count).map { Self.figure($0 < digits.count ? digits[$0] : 0) }, as: UTF8.self)
    }

    /// The number with exactly so many decimals; digits beyond them are cut off: round first.
    func text(decimals: Int, grouped: Bool) -> String {
        var text: [UInt8] = []
        for power in stride(from: max(exponent, 0), through: -decimals, by: -1) {
            if power == -1 { text.append(UInt8(ascii: ".")) }
            let index = exponent - power
            text.append(Self.figure(digits.indices.contains(index) ? digits[index] : 0))
            if grouped, power > 0, power % 3 == 0 { text.append(UInt8(ascii: ",")) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func figure(_ digit: UInt8) -> UInt8 { digit + UInt8(ascii: "0") }
}
