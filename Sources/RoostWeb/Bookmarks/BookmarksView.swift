package import RoostServices

/// `/bookmarks`: what a user has kept, as GitHub last told of it.
package struct BookmarksView: PageView {
    package static let template = "bookmarks/page"

    package let layout: LayoutView
    private let board: BookmarkBoardView
    private let query: BookmarksQuery
    private let total: Int
    private let detail: RepositoryDetailView
    private let tabs, tools, adding, detailPart: Part

    /// - Parameters:
    ///   - choices: as they hold for this page
    ///   - total: how many bookmarks there are
    ///   - detail: of the repository that is looked at beside the list
    ///   - adding: what was typed as a repository's name, and what is wrong with it
    package init(
        layout: LayoutView, board: BookmarkBoardView, query: BookmarksQuery, choices: RepositoryChoices,
        total: Int, detail: RepositoryDetailView = .none, adding: FormState = .empty
    ) {
        self.layout = layout
        self.board = board
        self.query = query
        self.total = total
        self.detail = detail
        detailPart = Part(detail)
        tabs = Part(RepositoryTabs(current: .bookmarks, bookmarks: total))
        tools = Part(
            RepositoryTools(
                .bookmarks, choices: choices, action: "/bookmarks", hidden: query.overrides, text: query.text,
                back: board.back))
        var name = FieldView("fullName", "Add by name", in: adding, form: "add")
        name.placeholder = "owner/name, or its address"
        self.adding = Part(FormView([name], adding))
    }

    package func field(_ name: String) -> Any? {
        switch name {
        case "pageTitle": detail.name ?? "Bookmarks"
        case "hasDetail": detail.name != nil
        case "isLoadingPage": detail.isLoading
        case "detailBoard": detailPart
        case "detailAddress": detail.address
        case "repositoryTabs": tabs
        case "listTools": total > 0 ? tools : nil
        case "addForm": adding
        case "rowsQuery": query.address.isEmpty ? "" : "?\(query.address)"
        default: board.field(name) ?? layout.field(name)
        }
    }
}
