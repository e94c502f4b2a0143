import RoostSimulator

/// Draws PNG pictures for the team's messages, so that the demo needs no files.
enum DemoPicture {
    /// Draws bars that get lower from left to right.
    static func chart(width: Int = 480, height: Int = 270) -> [UInt8] {
        let bars = 12
        return png(width: width, height: height) { x, y in
            let bar = x * bars / width, within = x * bars % width
            let top = height / 8 + (height * 3 / 4) * bar * bar / (bars * bars)
            guard y >= top, y < height - 12, within > width / 6 else { return (246, 246, 248) }
            return bar < 4 ? (214, 96, 77) : (67, 147, 195)
        }
    }

    /// Draws a cogwheel, used as a group's photo.
    static func cogwheel(side: Int = 128) -> [UInt8] {
        png(width: side, height: side) { x, y in
            let (across, down) = (2 * x - side, 2 * y - side)
            let distance = across * across + down * down
            // Teeth are along the axes and diagonals.
            let isTooth =
                abs(across) < side / 6 || abs(down) < side / 6 || abs(abs(across) - abs(down)) < side / 4
            let outer = isTooth ? side * side * 4 / 5 : side * side * 1 / 2
            guard distance < outer, distance > side * side / 12 else { return (38, 70, 83) }
            return (233, 196, 106)
        }
    }

    private static func png(
        width: Int, height: Int, color: (_ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8)
    ) -> [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<height {
            // PNG filter type 0 (none) for the row.
            rows.append(0)
            for x in 0..<width {
                let (red, green, blue) = color(x, y)
                rows += [red, green, blue]
            }
        }
        return PNGWriter.file(width: width, height: height, rows: rows)
    }
}
