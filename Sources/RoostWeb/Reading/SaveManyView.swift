import Reading

/// What became of many addresses that were saved at once.
struct SaveManyView: PageView, Sendable {
    let layout: LayoutView
    private let lines: [SavedLine]
    private let given: [String]

    /// - Parameter text: the lines as they were typed
    init(layout: LayoutView, lines: [SavedLine], text: String) {
        self.layout = layout
        self.lines = lines
        given = text.splitBytes(at: "\n", omittingEmptySubsequences: false).map(String.init)
    }

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
