import Reading
import RoostWeb

/// The bar that changes all selected articles.
struct BulkFormView: Sendable {
    /// What the user typed and selected before the form was refused.
    struct Refused: Sendable {
        var form = FormState.empty
        var ids: Set<ArticleID> = []
    }

    /// The path and query of the page that actions return to.
    let back: String
    /// The filter as a query, for "select all".
    let filterQuery: String
    /// Counts the list's articles if there are more than the page shows.
    let wholeList: String?
    private let list: ArticleFilter.List
    private let form: FormState

    init(_ query: ReadingQuery, wholeList: String?, refused: FormState = .empty) {
        back = query.path
        filterQuery = query.changed { _ in }.address
        self.wholeList = wholeList
        list = query.list
        form = refused
    }

    var mayArchive: Bool { list != .archived }
    var mayUnarchive: Bool { list != .unread && list != .suggested }
    var category: String { form.typed["category"] ?? "" }
    var tag: String { form.typed["tag"] ?? "" }
    var categoryError: TimedText? { form.fieldErrors["category"].map(TimedText.init) }
    /// Errors of several tags name the list.
    var tagError: TimedText? {
        (form.fieldErrors["tag"] ?? form.fieldErrors["tags"]).map(TimedText.init)
    }
}
