/// `/displays/tile`: the displays in brief, on the home page.
package struct DisplaysTileView: TemplateView {
    package static let template = "displays/tile"

    package let rows: [DisplayRow]
    private let rowParts: [Part]

    package init(rows: [DisplayRow]) {
        self.rows = rows
        rowParts = rows.map(Part.init)
    }

    package static let sample = DisplaysTileView(rows: DisplayRow.samples)

    package func field(_ name: String) -> Any? {
        switch name {
        case "rows": rowParts
        case "hasRows": !rows.isEmpty
        case "total": rows.count
        default: nil
        }
    }
}
