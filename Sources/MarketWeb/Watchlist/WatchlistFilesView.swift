import Market
import RoostSupport
import RoostWeb

/// `/watchlist/files`: imports and exports lists and holdings as CSV.
struct WatchlistFilesView: PageView, Sendable {
    let layout: LayoutView
    let lists: [SelectOption]
    let content: WatchlistFiles.Content
    let report: ImportReportView?
    let fileError: String?

    /// - Parameters:
    ///   - content, list: as chosen for the last file
    ///   - fileError: why the whole file was rejected
    init(
        layout: LayoutView, lists: [Watchlist], content: WatchlistFiles.Content = .list,
        list: WatchlistID? = nil, report: ImportReport? = nil, fileError: String? = nil
    ) {
        self.layout = layout
        let chosen = list ?? lists.first?.id
        self.lists = lists.map { SelectOption(value: "\($0.id)", text: $0.name, isChosen: $0.id == chosen) }
        self.content = content
        self.report = report.map { ImportReportView($0, unchanged: "already here") }
        self.fileError = fileError
    }

    var isOfHoldings: Bool { content == .holdings }
    var limits: String { WatchlistFiles.rules.limits }
}
