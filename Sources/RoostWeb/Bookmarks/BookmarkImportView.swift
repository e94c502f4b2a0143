package import RoostServices

/// `/bookmarks/import`: bookmarks in and out, and what the last file did.
package struct BookmarkImportView: PageView {
    package static let template = "bookmarks/import"
    /// More failed rows are in the file that the page offers.
    package static let failureLimit = 200

    package let layout: LayoutView
    private let count: Int
    private let stars: Part
    private let fileError: String?
    private let report: Part?

    /// - Parameters:
    ///   - count: how many bookmarks there are
    ///   - report: of the last file; nil on a page that was not led to by one
    ///   - fileError: why the file could not be read at all
    package init(
        layout: LayoutView, count: Int, report: BookmarkService.Imported?, stars: BookmarkStarsView,
        fileError: String? = nil
    ) {
        self.layout = layout
        self.count = count
        self.stars = Part(stars)
        self.fileError = fileError
        self.report = report.map { Part(ReportFields(report: $0)) }
    }

    package static let sample = BookmarkImportView(
        layout: .sample, count: 231,
        report: .init(
            added: 1_204, updated: 3, unchanged: 24,
            failures: [
                .init(row: 17, why: "“a//b” is no repository’s name."),
                .init(row: 40, why: "A tag is too long."),
            ],
            undo: "u1"),
        stars: .sample)

    package func field(_ name: String) -> Any? {
        switch name {
        case "bookmarkCount": Figure.grouped(count)
        case "hasBookmarks": count > 0
        case "stars": stars
        case "fileError": fileError
        case "report": report
        default: layout.field(name)
        }
    }
}

private struct ReportFields: ViewFields {
    let report: BookmarkService.Imported

    func field(_ name: String) -> Any? {
        switch name {
        case "reportWords": words
        case "reportUndo":
            report.undo.map { BookmarkNotice.address($0, BookmarkFilePages.uploadPath) }
        case "failureCount": report.failures.isEmpty ? nil : count(report.failures.count, "row")
        case "failures":
            report.failures.prefix(BookmarkImportView.failureLimit).map { Part(FailureFields(failure: $0)) }
        case "moreFailures":
            report.failures.count > BookmarkImportView.failureLimit
                ? Figure.grouped(report.failures.count - BookmarkImportView.failureLimit) : nil
        default: nil
        }
    }

    private var words: String {
        var parts = ["\(count(report.added, "bookmark")) added"]
        if report.updated > 0 { parts.append("\(Figure.grouped(report.updated)) changed") }
        if report.unchanged > 0 { parts.append("\(Figure.grouped(report.unchanged)) already here") }
        return parts.joined(separator: ", ") + "."
    }

    private func count(_ number: Int, _ word: String) -> String {
        "\(Figure.grouped(number)) \(word)\(number == 1 ? "" : "s")"
    }
}

private struct FailureFields: ViewFields {
    let failure: BookmarkService.Imported.Failure

    func field(_ name: String) -> Any? {
        switch name {
        case "failureRow": failure.row
        case "failureWhy": failure.why
        default: nil
        }
    }
}
