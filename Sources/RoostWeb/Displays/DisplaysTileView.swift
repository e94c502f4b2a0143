/// `/displays/tile`: the displays in brief, on the home page.
package struct DisplaysTileView: Sendable {
    package let rows: [DisplayRow]

    package init(rows: [DisplayRow]) {
        self.rows = rows
    }

    package static let sample = DisplaysTileView(rows: DisplayRow.samples)

    var hasRows: Bool { !rows.isEmpty }
    var total: Int { rows.count }
}
