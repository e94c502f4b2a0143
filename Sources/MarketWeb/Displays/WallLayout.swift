/// Arranges the coins of a wall page in rows without gaps.
///
/// Rows differ by at most one coin, longer rows come first, and each fills the width. Chooses the arrangement with the
/// largest price text.
struct WallLayout: Equatable, Sendable {
    /// A screen's shape, as distinguished in `wall.css`.
    enum Shape: String, CaseIterable, Sendable {
        /// At least 3:2, such as 16:9.
        case wide
        /// At least 1:1, such as 4:3.
        case square
        /// Higher than wide, such as 9:16.
        case tall

        /// Width divided by height of the area below the page's header.
        var ratio: Double {
            switch self {
            case .wide: 2
            case .square: 1.48
            case .tall: 0.58
            }
        }
    }

    /// A price of typical length is about 1/6 as high as its cell is wide, and at most this share of the cell's height.
    private static let widthShare = 0.155
    private static func heightShare(hasLine: Bool) -> Double { hasLine ? 0.3 : 0.42 }

    let rows: [Int]

    /// - Parameter hasLine: whether cells also show a seven-day line, which takes height from the price
    init(count: Int, shape: Shape, hasLine: Bool = true) {
        var best = (size: 0.0, rows: [Int]())
        for rowCount in 1...max(count, 1) where count > 0 {
            let (shorter, remainder) = count.quotientAndRemainder(dividingBy: rowCount)
            let longest = shorter + (remainder > 0 ? 1 : 0)
            let size = min(
                Self.widthShare * shape.ratio / Double(longest),
                Self.heightShare(hasLine: hasLine) / Double(rowCount))
            // Prefer rows of equal length; unequal ones must gain more the more their cells differ.
            let score = remainder > 0 ? size * (1 - 0.3 / Double(longest)) : size
            guard score > best.size else { continue }
            best = (score, (0..<rowCount).map { shorter + ($0 < remainder ? 1 : 0) })
        }
        rows = best.rows
    }

    var columns: Int { rows.first ?? 0 }

    /// For each coin, the number of coins in its row.
    var rowLengths: [Int] { rows.flatMap { Array(repeating: $0, count: $0) } }

    /// Returns classes for all shapes: for the page "wide-columns-3 wide-rows-2", for each cell "wide-in-3".
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
