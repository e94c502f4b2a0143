package import Reading

/// What became of many addresses that were saved at once.
package struct SaveManyView: PageView, Sendable {
    package let layout: LayoutView
    private let lines: [SavedLine]
    private let given: [String]

    /// - Parameter text: the lines as they were typed
    package init(layout: LayoutView, lines: [SavedLine], text: String) {
        self.layout = layout
        self.lines = lines
        given = text.splitBytes(at: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    package static let sample = SaveManyView(
        layout: .sample,
        lines: [
            SavedLine(
                number: 1, line: "https://example.org/a", message: SavedArticle.saved, id: 1, isNew: true),
            SavedLine(number: 2, line: "https://example.org/a", message: SavedArticle.known, id: 1),
            SavedLine(number: 3, line: "no <address>", message: "This is no web address."),
        ], text: "https://example.org/a\nhttps://example.org/a\nno <address>")

    var saved: [Line] { lines.filter { $0.id != nil }.map(Line.init) }
    var refused: [Line] { lines.filter { $0.id == nil }.map(Line.init) }
    var hasSaved: Bool { !saved.isEmpty }
    var hasRefused: Bool { !refused.isEmpty }
    /// Whole, where they were shown cut.
    var refusedLines: String {
        lines.filter { $0.id == nil }.map { line in
            given.indices.contains(line.number - 1) ? given[line.number - 1] : line.line
        }.joined(separator: "\n")
    }
    var summary: String {
        let new = lines.count { $0.isNew }
        let known = lines.count { $0.id != nil && !$0.isNew }
        var words = ["\(NumberText.grouped(new)) saved"]
        if known > 0 { words.append("\(NumberText.grouped(known)) already in your list") }
        if hasRefused { words.append("\(NumberText.grouped(refused.count)) not saved") }
        return words.joined(separator: ", ") + "."
    }

    struct Line: Sendable {
        let saved: SavedLine

        init(_ saved: SavedLine) { self.saved = saved }

        var number: Int { saved.number }
        var line: String { saved.line.sanitized }
        var message: String { saved.message }
        var savedPath: String { saved.id.map { "/reading/\($0)" } ?? "" }
    }
}
