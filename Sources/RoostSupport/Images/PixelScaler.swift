/// A small decoded picture: RGBA, four bytes for each pixel, rows from the top.
package struct SmallPixels: Equatable, Sendable {
    package let width, height: Int
    var rgba: [UInt8]

    /// The largest size with the picture's proportions that fits into a square, never larger than the picture.
    static func size(of width: Int, _ height: Int, fitting side: Int) -> (width: Int, height: Int) {
        let longer = max(width, height, 1)
        guard longer > side else { return (width, height) }
        return (max(1, width * side / longer), max(1, height * side / longer))
    }

    /// Returns the picture turned and mirrored according to an EXIF orientation (1...8).
    func turned(_ orientation: UInt8) -> SmallPixels {
        guard (2...8).contains(orientation) else { return self }
        let swapsSides = orientation > 4
        var turned = SmallPixels(
            width: swapsSides ? height : width, height: swapsSides ? width : height,
            rgba: [UInt8](repeating: 0, count: rgba.count))
        for y in 0..<turned.height {
            for x in 0..<turned.width {
                let (sourceX, sourceY) =
                    switch orientation {
                    case 2: (width - 1 - x, y)
                    case 3: (width - 1 - x, height - 1 - y)
                    case 4: (x, height - 1 - y)
                    case 5: (y, x)
                    case 6: (y, height - 1 - x)
                    case 7: (width - 1 - y, height - 1 - x)
                    default: (width - 1 - y, x)
                    }
                let (to, from) = ((y * turned.width + x) * 4, (sourceY * width + sourceX) * 4)
                for channel in 0..<4 { turned.rgba[to + channel] = rgba[from + channel] }
            }
        }
        return turned
    }
}

/// Averages a large picture into a small one. Rows are added one by one, so that the large one is never in memory.
struct PixelScaler {
    let width, height: Int
    let target: (width: Int, height: Int)
    private let columns: [Int]
    /// For each pixel of the small picture the sums of red, green and blue, each multiplied by its opacity, and of the
    /// opacity. `CheckedImage` limits the sides, so that no sum overflows.
    private var sums: [UInt32]

    init(width: Int, height: Int, target: (width: Int, height: Int)) {
        (self.width, self.height, self.target) = (width, height, target)
        columns = (0..<width).map { $0 * target.width / width }
        sums = [UInt32](repeating: 0, count: target.width * target.height * 4)
    }

    /// Adds pixels of one row, four bytes each.
    ///
    /// - Parameters:
    ///   - row: the pixels, indexed by column
    ///   - start: the column of the first pixel to add
    ///   - step: 1 for all pixels, more for one pass of an interlaced picture
    mutating func add(_ row: UnsafeBufferPointer<UInt8>, y: Int, from start: Int = 0, every step: Int = 1) {
        let first = (y * target.height / height) * target.width
        sums.withUnsafeMutableBufferPointer { sums in
            columns.withUnsafeBufferPointer { columns in
                var x = start
                while x < columns.count, x * 4 + 3 < row.count {
                    let (from, to) = (x * 4, (first + columns[x]) * 4)
                    let opacity = UInt32(row[from + 3])
                    sums[to] &+= UInt32(row[from]) &* opacity
                    sums[to + 1] &+= UInt32(row[from + 1]) &* opacity
                    sums[to + 2] &+= UInt32(row[from + 2]) &* opacity
                    sums[to + 3] &+= opacity
                    x += step
                }
            }
        }
    }

    /// The average of the added pixels; the rest is transparent.
    var pixels: SmallPixels {
        let widths = Self.shares(of: width, among: target.width)
        let heights = Self.shares(of: height, among: target.height)
        var pixels = SmallPixels(
            width: target.width, height: target.height, rgba: [UInt8](repeating: 0, count: sums.count))
        for y in 0..<target.height {
            for x in 0..<target.width {
                let offset = (y * target.width + x) * 4
                let opacity = sums[offset + 3]
                guard opacity > 0 else { continue }
                for channel in 0..<3 {
                    pixels.rgba[offset + channel] = UInt8((sums[offset + channel] + opacity / 2) / opacity)
                }
                let count = UInt32(widths[x] * heights[y])
                pixels.rgba[offset + 3] = UInt8(min(255, (opacity + count / 2) / count))
            }
        }
        return pixels
    }

    private static func shares(of count: Int, among target: Int) -> [Int] {
        (0..<count).reduce(into: [Int](repeating: 0, count: target)) { $0[$1 * target / count] += 1 }
    }
}
