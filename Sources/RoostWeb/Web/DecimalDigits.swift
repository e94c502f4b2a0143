import Foundation

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

    /// The digits of a number without its sign; nil for zero and for what is no number.
    init?(_ number: Decimal) {
        guard let (significand, power) = Self.parts(of: number) else {
            self.init("\(number.magnitude)")
            return
        }
        self.init(significand, timesTenToThe: power)
    }

    /// Nil for zero.
    private init?(_ significand: UInt64, timesTenToThe power: Int) {
        guard significand != 0 else { return nil }
        var (rest, power) = (significand, power)
        while rest % 10 == 0 { (rest, power) = (rest / 10, power + 1) }
        var digits: [UInt8] = []
        digits.reserveCapacity(20)
        while rest > 0 {
            digits.append(UInt8(rest % 10))
            rest /= 10
        }
        digits.reverse()
        self.init(digits: digits, exponent: digits.count - 1 + power)
    }

    /// A number's significand and the power of ten it is multiplied with, read where `Decimal` has them: it says neither
    /// in public, and its text takes 2.7 µs, which was a quarter of the watchlist's page. Nil for more than 64 bits, and where
    /// Foundation has them elsewhere.
    private static func parts(of number: Decimal) -> (significand: UInt64, power: Int)? {
        isLayoutKnown ? unchecked(number) : nil
    }

    /// A byte for the power; a byte whose upper half counts the significand's 16-bit words; two bytes without meaning;
    /// the words.
    private static func unchecked(_ number: Decimal) -> (significand: UInt64, power: Int)? {
        withUnsafeBytes(of: number) { bytes in
            let words = Int(bytes[1] >> 4)
            guard (1...4).contains(words) else { return nil }
            let first = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt64.self))
            return (first & (.max >> (64 - 16 * UInt64(words))), Int(Int8(bitPattern: bytes[0])))
        }
    }

    /// Told by numbers of one to four words, with powers below, at and above zero.
    private static let isLayoutKnown =
        MemoryLayout<Decimal>.size == 20
        && ["0.000008199", "94318.27", "-187.45", "65536", "138e10", "4294967296.5", "18446744073709551615"]
            .allSatisfy {
                guard let number = Decimal(string: $0), let (significand, power) = unchecked(number) else {
                    return false
                }
                return Self(significand, timesTenToThe: power) == Self("\(number.magnitude)")
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
