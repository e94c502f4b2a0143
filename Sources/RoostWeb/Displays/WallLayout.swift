/// How the coins of one page of a wall are arranged: rows without a hole.
///
/// Rows differ by one coin at most, the longer ones come first, and each fills the width: the cells of a shorter row are
/// wider. Of all such arrangements it is the one with the largest price.
struct WallLayout: Equatable, Sendable {
    /// The shape of a screen, as `wall.css` tells them apart.
    enum Shape: String, CaseIterable, Sendable {
        /// At least 3:2, as 16:9.
        case wide
        /// At least 1:1, as 4:3.
        case square
        /// Higher than wide, as 9:16.
        case tall

        /// Width to height of what the head of the page leaves of the screen.
        var ratio: Double {
            switch self {
            case .wide: 2
            case .square: 1.48
            case .tall: 0.58
            }
        }
    }

    /// A price of usual length is 1/6 of its cell's width high, and at most this share of the cell's height.
    private static let widthShare = 0.155
    private static func heightShare(hasLine: Bool) -> Double { hasLine ? 0.3 : 0.42 }

    /// How many coins each row has.
    let rows: [Int]

    /// - Parameter hasLine: the cells show a line of seven days, too, which takes height from the price
    init(count: Int, shape: Shape, hasLine: Bool = true) {
        var best = (size: 0.0, rows: [Int]())
        for rowCount in 1...max(count, 1) where count > 0 {
            let (shorter, remainder) = count.quotientAndRemainder(dividingBy: rowCount)
            let longest = shorter + (remainder > 0 ? 1 : 0)
            let size = min(
                Self.widthShare * shape.ratio / Double(longest),
                Self.heightShare(hasLine: hasLine) / Double(rowCount))
            // Rows of one length look calmer: others must be worth it, the more so the more their cells differ.
            let worth = remainder > 0 ? size * (1 - 0.3 / Double(longest)) : size
            guard worth > best.size else { continue }
            best = (worth, (0..<rowCount).map { shorter + ($0 < remainder ? 1 : 0) })
        }
        rows = best.rows
    }

    /// How many coins the longest row has.
    var columns: Int { rows.first ?? 0 }

    /// For each coin how many its row has.
    var rowLengths: [Int] { rows.flatMap { Array(repeating: $0, count: $0) } }

    /// The classes of a page and of each of its cells, for every shape: "wide-3x2", and "wide-in-2" in its short row.
    static func classes(count: Int, hasLine: Bool) -> (page: String, cells: [String]) {
        let layouts = Shape.allCases.map {
            ($0.rawValue, WallLayout(count: count, shape: $0, hasLine: hasLine))
        }
        let page = layouts.map { "\($0)-columns-\($1.columns) \($0)-rows-\($1.rows.count)" }
        let lengths = layouts.map { ($0, $1.rowLengths) }
        return (
            page.joined(separator: " "),
            (0..<count).map { index in lengths.map { "\($0)-in-\($1[index])" }.joined(separator: " ") }
        )
    }
}
