/// A line through the prices of seven days, drawn into a box of 120 by 32 units.
///
/// It is a picture, not money: `Double` will do.
struct Sparkline: Sendable, Equatable {
    static let width = 120
    static let height = 32
    /// More points than this are thinned out evenly; the first and the last always stay.
    static let limit = 60

    /// What an SVG polyline takes: "0,30 2,28.4 ...". Digits, commas, points and spaces only.
    let points: String
    /// Where the price went from the first value to the last.
    let direction: ChangeText.Direction

    /// Nil with fewer than two usable values; others are left out, their neighbours joined.
    init?(_ values: [Double]) {
        let known = values.allSatisfy(Self.isUsable) ? values : values.filter(Self.isUsable)
        guard let first = known.first, let last = known.last, known.count > 1 else { return nil }
        direction = first < last ? .up : first > last ? .down : .flat
        let drawn = Self.thinned(known)
        guard let low = drawn.min(), let high = drawn.max() else { return nil }
        let margin = 2.0  // half the stroke, and a little air
        let room = Double(Self.height) - 2 * margin
        points = String(unsafeUninitializedCapacity: drawn.count * Self.maximumBytes) { text in
            var length = 0
            for (index, value) in drawn.enumerated() {
                if index > 0 { Self.put(" ", in: text, &length) }
                Self.write(Double(index * Self.width) / Double(drawn.count - 1), in: text, &length)
                Self.put(",", in: text, &length)
                let share = high > low ? (value - low) / (high - low) : 0.5
                Self.write(Double(Self.height) - margin - share * room, in: text, &length)
            }
            return length
        }
    }

    private static func isUsable(_ value: Double) -> Bool { value.isFinite && value >= 0 }

    private static func thinned(_ values: [Double]) -> [Double] {
        guard values.count > limit else { return values }
        return (0..<limit).map { values[$0 * (values.count - 1) / (limit - 1)] }
    }

    /// Two numbers from 0 to 999.9, a comma and a space.
    private static let maximumBytes = 12

    /// Writes a number from 0 to 999.9 with one decimal at most.
    private static func write(
        _ value: Double, in text: UnsafeMutableBufferPointer<UInt8>, _ length: inout Int
    ) {
        let tenths = Int(value * 10 + 0.5)
        func digit(_ number: Int) {
            text[length] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number)
            length += 1
        }
        if tenths >= 1_000 { digit(tenths / 1_000) }
        if tenths >= 100 { digit(tenths / 100 % 10) }
        digit(tenths / 10 % 10)
        guard tenths % 10 != 0 else { return }
        put(".", in: text, &length)
        digit(tenths % 10)
    }

    private static func put(
        _ sign: Unicode.Scalar, in text: UnsafeMutableBufferPointer<UInt8>, _ length: inout Int
    ) {
        text[length] = UInt8(ascii: sign)
        length += 1
    }
}
