import Foundation
import Reading
import RoostSupport
import RoostWeb
import TextFormats

/// `/reading/imports`: the imports of files and their progress.
struct ReadingImportsView: Sendable {
    let imports: [ImportRow]

    init(_ imports: [ImportRow]) { self.imports = imports }

    var hasImports: Bool { !imports.isEmpty }
}

struct ImportRow: Sendable {
    let item: ArticleImport
    private let now: Date
    let problems: [ImportProblemView]

    init(_ item: ArticleImport, problems: [ImportProblem], now: Date) {
        self.item = item
        self.problems = problems.map(ImportProblemView.init)
        self.now = now
    }

    private var path: String { "/reading/imports/\(item.id)" }
    var fileName: String { item.fileName.sanitized }
    var startedTime: String { ISO8601.seconds(item.startedAt) }
    var startedAgo: String { RelativeTime.ago(item.startedAt, now: now) }
    var total: Int { max(1, item.state == .undoing ? item.added : item.total) }
    var done: Int { item.state == .undoing ? item.removed : item.done }
    var progressText: String {
        let (done, total) = (NumberText.grouped(done), NumberText.grouped(total))
        return item.state == .undoing ? "\(done) of \(total) removed" : "\(done) of \(total)"
    }
    var result: String {
        var parts = ["\(NumberText.grouped(item.added)) added"]
        if item.duplicates > 0 { parts.append("\(NumberText.grouped(item.duplicates)) already in your list") }
        if item.merged > 0 { parts.append("\(NumberText.grouped(item.merged)) of them merged") }
        if item.failed > 0 { parts.append("\(NumberText.grouped(item.failed)) not imported") }
        switch item.state {
        case .running, .undoing, .done: break
        case .cancelled: parts.append("stopped early")
        case .undone:
            parts.append("\(NumberText.grouped(item.removed)) removed again")
            if item.merged > 0 { parts.append("merged ones restored") }
        }
        return parts.joined(separator: ", ") + "."
    }
    var fetchText: String? {
        item.fetches && item.state == .running ? "Roost is fetching the pages in the background." : nil
    }
    var hasProblems: Bool { !problems.isEmpty }
    var reportPath: String { "\(path)/report.csv" }
    var cancelPath: String? { item.state == .running ? "\(path)/cancel" : nil }
    var undoPath: String? { item.canBeUndone ? "\(path)/undo" : nil }
    var removePath: String? { item.isInProgress ? nil : "\(path)/remove" }
}
