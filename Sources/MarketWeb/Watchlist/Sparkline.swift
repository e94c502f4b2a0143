import RoostWeb

/// A line of seven days' prices in a box of 120 by 32 units. Uses `Double`, because it is only a drawing.
struct Sparkline: Sendable, Equatable {
    static let width = 120
    static let height = 32
    /// Longer series are thinned evenly; the first and last point stay.
    static let limit = 60

    /// The points of an SVG polyline: "0,30 2,28.4 ...". Contains only digits, commas, points and spaces.
    let points: String
    let direction: ChangeText.Direction

    /// Returns nil with fewer than two usable values; skips unusable ones.
    init?(_ values: [Double]) {
        let usable = values.allSatisfy(Self.isUsable) ? values : values.filter(Self.isUsable)
        guard let first = usable.first, let last = usable.last, usable.count > 1 else { return nil }
        direction = first < last ? .up : first > last ? .down : .flat
        let drawn = Self.thinned(usable)
        guard let low = drawn.min(), let high = drawn.max() else { return nil }
        let margin = 2.0  // half the stroke, and some space
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

    /// Two numbers up to 999.9, a comma and a space.
    private static let maximumBytes = 12

    /// Writes a number from 0 to 999.9 with at most one decimal.
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
