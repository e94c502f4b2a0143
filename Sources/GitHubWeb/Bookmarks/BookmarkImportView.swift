import GitHub
import RoostSupport
import RoostWeb

struct BookmarkImportView: PageView, Sendable {
    let layout: LayoutView
    private let count: Int
    let stars: BookmarkStarsView
    let fileError: String?
    let report: ImportReportView?

    /// - Parameter report: nil unless the page follows an import
    init(
        layout: LayoutView, count: Int, report: ImportReport?, stars: BookmarkStarsView,
        fileError: String? = nil
    ) {
        self.layout = layout
        self.count = count
        self.stars = stars
        self.fileError = fileError
        self.report = report.map {
            ImportReportView(
                $0, noun: "bookmark", unchanged: "already bookmarked",
                undoPath: $0.undo.map { BookmarkNotice.address($0, BookmarkFileController.uploadPath) },
                downloadPath: BookmarkFileController.failuresPath)
        }
    }

    var bookmarkCount: String { count == 1 ? "1 bookmark" : "\(NumberText.grouped(count)) bookmarks" }
    var hasBookmarks: Bool { count > 0 }
    var limits: String { BookmarkFileService.rules.limits }
}
