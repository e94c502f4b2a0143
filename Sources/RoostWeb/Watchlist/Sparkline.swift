/// A line through the prices of seven days, drawn into a box of 120 by 32 units.
///
/// It is a picture, not money: `Double` will do.
package struct Sparkline: Sendable, Equatable {
    package static let width = 120
    package static let height = 32
    /// More points than this are thinned out evenly; the first and the last always stay.
    package static let limit = 60

    /// What an SVG polyline takes: "0,30 2,28.4 ...". Digits, commas, points and spaces only.
    package let points: String

    /// Nil with fewer than two usable values; others are left out, their neighbours joined.
    package init?(_ values: [Double]) {
        let known = values.filter { $0.isFinite && $0 >= 0 }
        guard known.count > 1 else { return nil }
        let drawn = Self.thinned(known)
        guard let low = drawn.min(), let high = drawn.max() else { return nil }
        let margin = 2.0  // half the stroke, and a little air
        let room = Double(Self.height) - 2 * margin
        var text: [UInt8] = []
        text.reserveCapacity(drawn.count * 11)
        for (index, value) in drawn.enumerated() {
            let x = Double(index * Self.width) / Double(drawn.count - 1)
            let share = high > low ? (value - low) / (high - low) : 0.5
            let y = Double(Self.height) - margin - share * room
            if index > 0 { text.append(UInt8(ascii: " ")) }
            Self.write(x, to: &text)
            text.append(UInt8(ascii: ","))
            Self.write(y, to: &text)
        }
        points = String(decoding: text, as: UTF8.self)
    }

    private static func thinned(_ values: [Double]) -> [Double] {
        guard values.count > limit else { return values }
        return (0..<limit).map { values[$0 * (values.count - 1) / (limit - 1)] }
    }

    /// Writes a number from 0 to 999.9 with one decimal at most.
    private static func write(_ value: Double, to text: inout [UInt8]) {
        let tenths = Int((value * 10).rounded())
        let zero = Int(UInt8(ascii: "0"))
        if tenths >= 1_000 { text.append(UInt8(zero + tenths / 1_000)) }
        if tenths >= 100 { text.append(UInt8(zero + tenths / 100 % 10)) }
        text.append(UInt8(zero + tenths / 10 % 10))
        guard tenths % 10 != 0 else { return }
        text.append(UInt8(ascii: "."))
        text.append(UInt8(zero + tenths % 10))
    }
}
