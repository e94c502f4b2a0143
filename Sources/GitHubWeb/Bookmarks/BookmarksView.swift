import GitHub
import RoostWeb

struct BookmarksView: PageView, Sendable {
    static let scripts = ["bookmarks"]

    let layout: LayoutView
    let board: BookmarkBoardView
    private let query: BookmarksQuery
    let web: String
    let detail: RepositoryDetailView
    let repositoryTabs: RepositoryTabs
    let tools: RepositoryListToolbar
    let addForm: FormView
    let editor: BookmarkEditor

    /// - Parameters:
    ///   - choices: including overrides from the query
    ///   - total: the number of bookmarks before filtering
    ///   - web: the web address of GitHub; repository pages are at their full names below it
    init(
        layout: LayoutView, board: BookmarkBoardView, query: BookmarksQuery,
        choices: RepositoryListPreferences,
        total: Int, detail: RepositoryDetailView = .none, adding: FormState = .empty, web: String
    ) {
        self.layout = layout
        self.board = board
        self.query = query
        self.web = web
        self.detail = detail
        repositoryTabs = RepositoryTabs(current: .bookmarks, bookmarks: total)
        tools = RepositoryListToolbar(
            .bookmarks, choices: choices, action: "/bookmarks", hidden: query.overrides, text: query.text,
            back: board.back)
        var name = FieldView("fullName", "Add by name", in: adding, form: "add")
        name.placeholder = "owner/name or URL"
        addForm = FormView([name], adding)
        editor = BookmarkEditor(back: board.back)
    }

    var pageTitle: String { detail.name ?? "Bookmarks" }
    var hasDetail: Bool { detail.name != nil }
    var rowsQuery: String { query.address.isEmpty ? "" : "?\(query.address)" }
}
