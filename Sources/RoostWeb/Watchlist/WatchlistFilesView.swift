import Market

/// `/watchlist/files`: lists and holdings as CSV files, and what the last import did.
struct WatchlistFilesView: PageView, Sendable {
    let layout: LayoutView
    let lists: [SelectOption]
    let content: WatchlistFiles.Content
    let report: WatchlistReport?
    let fileError: String?

    /// - Parameters:
    ///   - content, list: what the last file was said to hold, and for which list
    ///   - report: of the file that was just read
    ///   - fileError: why the file could not be read at all
    init(
        layout: LayoutView, lists: [Watchlist], content: WatchlistFiles.Content = .list,
        list: WatchlistID? = nil, report: WatchlistFiles.Report? = nil, fileError: String? = nil
    ) {
        self.layout = layout
        let chosen = list ?? lists.first?.id
        self.lists = lists.map { SelectOption(value: "\($0.id)", text: $0.name, isChosen: $0.id == chosen) }
        self.content = content
        self.report = report.map { WatchlistReport(report: $0) }
        self.fileError = fileError
    }

    var isOfHoldings: Bool { content == .holdings }
}

/// What an import did, in words.
struct WatchlistReport {
    let report: WatchlistFiles.Report

    var reportWords: String {
        var parts = ["\(NumberText.grouped(report.added)) added"]
        if report.updated > 0 { parts.append("\(NumberText.grouped(report.updated)) changed") }
        if report.unchanged > 0 { parts.append("\(NumberText.grouped(report.unchanged)) already here") }
        return parts.joined(separator: ", ") + "."
    }
    var failureCount: String? {
        switch report.failures.count {
        case 0: nil
        case 1: "1 row"
        default: "\(NumberText.grouped(report.failures.count)) rows"
        }
    }
    var failures: [Failure] { report.failures.map { Failure(row: $0.row, why: $0.why) } }

    struct Failure {
        let row: Int
        let why: String

        var failureRow: Int { row }
        var failureWhy: String { why }
    }
}
