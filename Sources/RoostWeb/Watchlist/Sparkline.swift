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

    /// Nil with fewer than two usable values; missing ones are left out, their neighbours joined.
    package init?(_ values: [Double?]) {
        let known = values.compactMap { value in value.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil } }
        guard known.count > 1 else { return nil }
        let drawn = Self.thinned(known)
        guard let low = drawn.min(), let high = drawn.max() else { return nil }
        let margin = 2.0  // half the stroke, and a little air
        let room = Double(Self.height) - 2 * margin
        var text = ""
        text.reserveCapacity(drawn.count * 10)
        for (index, value) in drawn.enumerated() {
            let x = Double(index * Self.width) / Double(drawn.count - 1)
            let share = high > low ? (value - low) / (high - low) : 0.5
            let y = Double(Self.height) - margin - share * room
            if index > 0 { text.append(" ") }
            text.append(Self.tenths(x))
            text.append(",")
            text.append(Self.tenths(y))
        }
        points = text
    }

    private static func thinned(_ values: [Double]) -> [Double] {
        guard values.count > limit else { return values }
        return (0..<limit).map { values[$0 * (values.count - 1) / (limit - 1)] }
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}
