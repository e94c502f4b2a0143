import Reading
import RoostWeb

/// The result of saving many addresses at once.
struct SaveManyView: PageView, Sendable {
    let layout: LayoutView
    private let lines: [SavedLine]
    private let inputLines: [String]

    init(layout: LayoutView, lines: [SavedLine], text: String) {
        self.layout = layout
        self.lines = lines
        inputLines = text.splitBytes(at: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    var saved: [Line] { lines.filter { $0.id != nil }.map(Line.init) }
    var refused: [Line] { lines.filter { $0.id == nil }.map(Line.init) }
    var hasSaved: Bool { !saved.isEmpty }
    var hasRefused: Bool { !refused.isEmpty }
    /// The complete lines, even if `lines` has them shortened.
    var refusedLines: String {
        lines.filter { $0.id == nil }.map { line in
            inputLines.indices.contains(line.number - 1) ? inputLines[line.number - 1] : line.line
        }.joined(separator: "\n")
    }
    var summary: String {
        let new = lines.count { $0.isNew }
        let existing = lines.count { $0.id != nil && !$0.isNew }
        var parts = ["\(NumberText.grouped(new)) saved"]
        if existing > 0 { parts.append("\(NumberText.grouped(existing)) already in your list") }
        if hasRefused { parts.append("\(NumberText.grouped(refused.count)) not saved") }
        return parts.joined(separator: ", ") + "."
    }

    struct Line: Sendable {
        let saved: SavedLine

        init(_ saved: SavedLine) { self.saved = saved }

        var line: String { saved.line.sanitized }
        var savedPath: String { saved.id.map { "/reading/\($0)" } ?? "" }
    }
}
