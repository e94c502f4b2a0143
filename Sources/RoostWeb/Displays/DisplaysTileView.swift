/// `/displays/tile`: the displays in brief, on the home page.
struct DisplaysTileView: Sendable {
    let rows: [DisplayRow]

    /// Its place on the home page.
    var tile: HomeTile {
        HomeTile("Displays", at: "/displays/tile", topics: ["displays"], self)
    }

    var hasRows: Bool { !rows.isEmpty }
    var total: Int { rows.count }
}
