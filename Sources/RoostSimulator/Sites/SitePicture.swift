/// Draws a site's picture from its name: `chart-...` has bars, `plan-...` lines on a grid, others show the
/// sea.
struct SitePicture {
    typealias Color = (red: UInt8, green: UInt8, blue: UInt8)

    static let width = 400, height = 225
    let name: String
    let accent: Color

    var png: [UInt8] {
        var rows: [UInt8] = []
        rows.reserveCapacity((Self.width * 3 + 1) * Self.height)
        let dice = SeededRandom(seed: name.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
        for y in 0..<Self.height {
            // PNG filter type 0 (none) for the row.
            rows.append(0)
            for x in 0..<Self.width {
                let color = color(x, y, dice)
                rows += [color.red, color.green, color.blue]
            }
        }
        return PNGWriter.file(width: Self.width, height: Self.height, rows: rows)
    }

    private func color(_ x: Int, _ y: Int, _ dice: SeededRandom) -> Color {
        if name.hasPrefix("chart-") { return chart(x, y, dice) }
        return name.hasPrefix("plan-") ? plan(x, y, dice) : view(x, y, dice)
    }

    private func chart(_ x: Int, _ y: Int, _ dice: SeededRandom) -> Color {
        let bars = 10, bar = x * bars / Self.width
        let isGap = x * bars % Self.width > Self.width * 3 / 4
        let top = Self.height / 8 + dice.index(UInt64(bar), below: Self.height * 5 / 8)
        if y > Self.height - 12 { return (90, 98, 106) }
        return y >= top && !isGap ? accent : (248, 247, 244)
    }

    private func plan(_ x: Int, _ y: Int, _ dice: SeededRandom) -> Color {
        let slope = 1 + dice.index(1, below: 3), shift = dice.index(2, below: 60)
        if abs(y * 2 - x / slope - shift) < 4 || abs(x - 60 - shift) < 3 { return accent }
        return x % 25 == 0 || y % 25 == 0 ? (214, 218, 222) : (252, 252, 250)
    }

    private func view(_ x: Int, _ y: Int, _ dice: SeededRandom) -> Color {
        let horizon = 110 + dice.index(3, below: 40)
        let (left, top) = (x - 80 - dice.index(4, below: 240), y - 40 - dice.index(5, below: 30))
        if left * left + top * top < 520 { return (250, 226, 160) }
        let hill =
            horizon - 18 - dice.index(6, below: 20) + abs((x + dice.index(7, below: 200)) % 200 - 100) / 4
        if y > horizon {
            let isCrest = (y * 7 + x / 3) % 29 < 2
            return isCrest ? (206, 224, 228) : shade(accent, by: y - horizon)
        }
        if y > hill { return (96, 112, 104) }
        return (UInt8(190 + y / 4), UInt8(212 + y / 8), 232)
    }

    private func shade(_ color: Color, by depth: Int) -> Color {
        func darker(_ value: UInt8) -> UInt8 { UInt8(max(0, Int(value) - depth / 2)) }
        return (darker(color.red), darker(color.green), darker(color.blue))
    }
}
