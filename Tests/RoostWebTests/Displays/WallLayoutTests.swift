import Foundation
import Testing

@testable import Market
@testable import MarketWeb

@Suite struct WallLayoutTests {
    private static let counts = Array(1...DisplaySettings.maximumPerPage)

    @Test(arguments: WallLayout.Shape.allCases, [true, false])
    func `every row of a page fills the width, and rows differ by at most one coin`(
        shape: WallLayout.Shape, hasLine: Bool
    ) {
        for count in Self.counts {
            let rows = WallLayout(count: count, shape: shape, hasLine: hasLine).rows
            #expect(rows.reduce(0, +) == count)
            #expect(rows == rows.sorted(by: >), "\(count): \(rows)")
            #expect((rows.first ?? 0) - (rows.last ?? 0) <= 1, "\(count): \(rows)")
            #expect(rows.allSatisfy { $0 > 0 })
        }
    }

    @Test func `no coins make no rows`() {
        #expect(WallLayout(count: 0, shape: .wide).rows.isEmpty)
    }

    @Test(arguments: [
        (1, WallLayout.Shape.wide, [1]), (2, .wide, [2]), (4, .wide, [2, 2]), (6, .wide, [3, 3]),
        (9, .wide, [3, 3, 3]), (12, .wide, [4, 4, 4]), (7, .wide, [3, 2, 2]), (4, .square, [2, 2]),
        (3, .tall, [1, 1, 1]), (10, .tall, [2, 2, 2, 2, 2]),
    ])
    func `the layout allows the largest prices`(count: Int, shape: WallLayout.Shape, rows: [Int]) {
        #expect(WallLayout(count: count, shape: shape).rows == rows)
    }

    @Test(arguments: [DisplaySettings.Style.price, .line, .cap])
    func `the style sheet has every class of every layout, and the price sizes`(
        style: DisplaySettings.Style
    ) throws {
        let sheets = try SiteFiles.texts(in: "Public/css", ending: "wall.css")
        let sheet = try #require(sheets.first { $0.path == "wall.css" }).text
        for count in Self.counts {
            let settings = DisplaySettings(perPage: DisplaySettings.maximumPerPage, style: style)
            let text = rendered(
                DisplayScreenView(freshness: .sample, cells: wallCells(count), settings: settings))
            let classes = text.components(separatedBy: "class=\"").dropFirst().filter {
                $0.hasPrefix("page ") || $0.hasPrefix("cell ")
            }
            #expect(classes.count == count + 1)
            for name in Set(classes.flatMap { $0.prefix { $0 != "\"" }.split(separator: " ") }) {
                // One column, one row and one coin in a row are the style sheet's defaults.
                guard !name.hasSuffix("-1") || name.hasPrefix("extra") else { continue }
                #expect(sheet.contains(".\(name) {"), "\(count): \(name)")
            }
        }
    }

    @Test func `a page has as many coins as the display's setting`() {
        let settings = DisplaySettings(perPage: 24)
        let text = rendered(
            DisplayScreenView(freshness: .sample, cells: wallCells(24), settings: settings))
        #expect(text.components(separatedBy: "<section ").count == 2)
        #expect(text.components(separatedBy: "<article ").count == 25)
    }

    @Test func `a cell has its row's number of coins for each screen shape`() {
        let text = rendered(DisplayScreenView(freshness: .sample, cells: wallCells(7)))
        let cells = text.components(separatedBy: "class=\"cell ").dropFirst().map { $0.prefix { $0 != "\"" } }
        #expect(cells.map { $0.contains("wide-in-3") } == [true, true, true, false, false, false, false])
        #expect(cells.allSatisfy { $0.contains("tall-in-1") })
    }
}

/// Coins that all have the same price.
func wallCells(_ count: Int) -> [DisplayCell] {
    (0..<count).map { DisplayCell(coinId: "c\($0)", name: "Coin", symbol: "c\($0)", price: 1, change: 1) }
}
