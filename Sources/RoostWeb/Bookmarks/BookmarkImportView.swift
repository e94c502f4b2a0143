import GitHub

/// `/bookmarks/import`: import and export, and the result of the last import.
struct BookmarkImportView: PageView, Sendable {
    /// Further failed rows are in the file that the page offers.
    static let failureLimit = 200

    let layout: LayoutView
    private let count: Int
    let stars: BookmarkStarsView
    let fileError: String?
    let report: ReportFields?

    /// - Parameters:
    ///   - count: how many bookmarks there are
    ///   - report: of the last file; nil unless the page follows an import
    ///   - fileError: why the file could not be read at all
    init(
        layout: LayoutView, count: Int, report: BookmarkFileService.ImportReport?, stars: BookmarkStarsView,
        fileError: String? = nil
    ) {
        self.layout = layout
        self.count = count
        self.stars = stars
        self.fileError = fileError
        self.report = report.map { ReportFields(report: $0) }
    }

    var bookmarkCount: String { NumberText.grouped(count) }
    var hasBookmarks: Bool { count > 0 }
}

struct ReportFields {
    let report: BookmarkFileService.ImportReport

    var reportWords: String { words }
    var reportUndo: String? {
        report.undo.map { BookmarkNotice.address($0, BookmarkFileController.uploadPath) }
    }
    var failureCount: String? { report.failures.isEmpty ? nil : count(report.failures.count, "row") }
    var failures: [FailureFields] {
        report.failures.prefix(BookmarkImportView.failureLimit).map { FailureFields(failure: $0) }
    }
    var moreFailures: String? {
        report.failures.count > BookmarkImportView.failureLimit
            ? NumberText.grouped(report.failures.count - BookmarkImportView.failureLimit) : nil
    }

    private var words: String {
        var parts = ["\(count(report.added, "bookmark")) added"]
        if report.updated > 0 { parts.append("\(NumberText.grouped(report.updated)) changed") }
        if report.unchanged > 0 { parts.append("\(NumberText.grouped(report.unchanged)) already here") }
        return parts.joined(separator: ", ") + "."
    }

    private func count(_ number: Int, _ word: String) -> String {
        "\(NumberText.grouped(number)) \(word)\(number == 1 ? "" : "s")"
    }
}

struct FailureFields {
    let failure: BookmarkFileService.ImportReport.Failure

    var failureRow: Int { failure.row }
    var failureWhy: String { failure.why }
}
