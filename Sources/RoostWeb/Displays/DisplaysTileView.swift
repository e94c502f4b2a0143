/// `/displays/tile`: the displays in brief, on the home page.
package struct DisplaysTileView: Sendable {
    package let rows: [DisplayRow]

    package init(rows: [DisplayRow]) {
        self.rows = rows
    }

    package static let sample = DisplaysTileView(rows: DisplayRow.samples)

    /// Its place on the home page.
    package var tile: HomeTile {
        HomeTile("Displays", at: "/displays/tile", topics: ["displays"], self)
    }

    var hasRows: Bool { !rows.isEmpty }
    var total: Int { rows.count }
}
