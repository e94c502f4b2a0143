import Foundation
import Reading
import TextFormats

/// `/reading/imports`: the imports of files, as far as they have come.
struct ReadingImportsView: Sendable {
    let imports: [ImportRow]

    init(_ imports: [ImportRow]) { self.imports = imports }

    var hasImports: Bool { !imports.isEmpty }
}

/// An import with what went wrong in it.
struct ImportRow: Sendable {
    let item: ArticleImport
    private let now: Date
    let remarks: [Remark]

    /// - Parameter remarks: the first of what there is to say about its entries
    init(_ item: ArticleImport, remarks: [ArticleImportRemark], now: Date) {
        self.item = item
        self.remarks = remarks.map(Remark.init)
        self.now = now
    }

    struct Remark: Sendable {
        let remark: ArticleImportRemark

        init(_ remark: ArticleImportRemark) { self.remark = remark }

        var place: String {
            (remark.part.isEmpty ? "" : "\(remark.part.sanitized), ") + "line \(remark.line)"
        }
        var address: String { remark.url.sanitized }
        var why: String { remark.why }
        var isImported: Bool { remark.isImported }
    }

    private var path: String { "/reading/imports/\(item.id)" }
    var fileName: String { item.fileName.sanitized }
    var startedTime: String { ISO8601.seconds(item.startedAt) }
    var startedAgo: String { RelativeTime.ago(item.startedAt, now: now) }
    var isUnderWay: Bool { item.isUnderWay }
    var total: Int { max(1, item.state == .undoing ? item.added : item.total) }
    var done: Int { item.state == .undoing ? item.removed : item.done }
    var progressWords: String {
        let (done, total) = (NumberText.grouped(done), NumberText.grouped(total))
        return item.state == .undoing ? "\(done) of \(total) taken out" : "\(done) of \(total)"
    }
    var result: String {
        var words = ["\(NumberText.grouped(item.added)) added"]
        if item.known > 0 { words.append("\(NumberText.grouped(item.known)) already there") }
        if item.merged > 0 { words.append("\(NumberText.grouped(item.merged)) of them merged") }
        if item.failed > 0 { words.append("\(NumberText.grouped(item.failed)) not imported") }
        switch item.state {
        case .running, .undoing, .done: break
        case .cancelled: words.append("stopped before its end")
        case .undone:
            words.append("\(NumberText.grouped(item.removed)) taken out again")
            if item.merged > 0 { words.append("merged ones restored") }
        }
        return words.joined(separator: ", ") + "."
    }
    var fetchWords: String? {
        item.fetches && item.state == .running ? "The pages are fetched in the background." : nil
    }
    var hasRemarks: Bool { !remarks.isEmpty }
    var reportPath: String { "\(path)/report.csv" }
    var cancelPath: String? { item.state == .running ? "\(path)/cancel" : nil }
    var undoPath: String? { item.canBeUndone ? "\(path)/undo" : nil }
    var removePath: String? { item.isUnderWay ? nil : "\(path)/remove" }
}
