/// An avatar of five by five cells in two colours, mirrored, drawn from a number.
enum AvatarPNG {
    static func bytes(of number: Int, size: Int) -> [UInt8] {
        let dice = SeededRandom(seed: UInt64(truncatingIfNeeded: number))
        let ink = [UInt8](colour(dice)), paper: [UInt8] = [240, 240, 238]
        // Each row starts with PNG filter type 0 (none).
        let kinds: [[UInt8]] = (0..<5).map { row in
            (0..<size).reduce(into: [0]) { $0 += isInk(dice, $1 * 5 / size, row) ? ink : paper }
        }
        let rows: [UInt8] = (0..<size).reduce(into: []) { $0 += kinds[$1 * 5 / size] }
        return PNGWriter.file(width: size, height: size, rows: rows)
    }

    private static func isInk(_ dice: SeededRandom, _ column: Int, _ row: Int) -> Bool {
        let mirrored = min(column, 4 - column)
        return column == 2 && row == 2 || dice.unit(UInt64(mirrored), UInt64(row)) < 0.5
    }

    private static func colour(_ dice: SeededRandom) -> [UInt8] {
        (0..<3).map { UInt8(40 + dice.index(9, $0, below: 150)) }
    }
}
