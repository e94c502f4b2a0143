import GitHub

/// `/bookmarks`: a user's bookmarks, as GitHub last described them.
struct BookmarksView: PageView, Sendable {
    let layout: LayoutView
    let board: BookmarkBoardView
    private let query: BookmarksQuery
    let web: String
    private let detail: RepositoryDetailView
    let repositoryTabs: RepositoryTabs
    let tools: RepositoryListToolbar
    let addForm: FormView
    let editor: BookmarkEditor

    /// - Parameters:
    ///   - choices: as they hold for this page
    ///   - total: how many bookmarks there are
    ///   - detail: of the repository that is shown next to the list
    ///   - adding: what was typed as a repository's name, and what is wrong with it
    ///   - web: where GitHub's pages are, each repository's at its full name below it
    init(
        layout: LayoutView, board: BookmarkBoardView, query: BookmarksQuery, choices: RepositoryChoices,
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
        name.placeholder = "owner/name, or its address"
        addForm = FormView([name], adding)
        editor = BookmarkEditor(back: board.back)
    }

    var pageTitle: String { detail.name ?? "Bookmarks" }
    var hasDetail: Bool { detail.name != nil }
    var isLoadingPage: Bool { detail.isLoading }
    var detailBoard: RepositoryDetailView { detail }
    var detailAddress: String { detail.address }
    var rowsQuery: String { query.address.isEmpty ? "" : "?\(query.address)" }
}
