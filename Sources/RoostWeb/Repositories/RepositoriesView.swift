import GitHub

/// `/repositories` and `/repositories/OWNER/NAME`: a list, and beside it the repository that is looked at.
struct RepositoriesView: PageView, Sendable {
    /// The list and how it is shown.
    struct List: Sendable {
        let board: RepositoriesBoardView
        let query: RepositoriesQuery
        /// As they hold for this page.
        let choices: RepositoryChoices
    }

    let layout: LayoutView
    let list: List?
    let detail: RepositoryDetailView
    let repositoryTabs: RepositoryTabs
    let listTools: RepositoryListToolbar?
    let listModes: RepositoryListOptions?
    let listBoard: RepositoriesBoardView?
    let web: String

    /// - Parameters:
    ///   - list: nil where the reader came from no list
    ///   - bookmarks: how many the reader has
    ///   - web: where GitHub's pages are, each repository's at its full name below it
    init(
        layout: LayoutView, list: List?, detail: RepositoryDetailView = .none, bookmarks: Int, web: String
    ) {
        self.layout = layout
        self.list = list
        self.web = web
        self.detail = detail
        listBoard = list.map { $0.board }
        repositoryTabs = Self.tabs(list, bookmarks)
        listTools = list.map {
            RepositoryListToolbar(
                .browse, choices: $0.choices, action: "/repositories",
                hidden: $0.query.pairs.filter { $0.name != "text" }, text: $0.query.text,
                back: $0.board.back)
        }
        listModes = list.flatMap { RepositoryListOptions($0.query) }
    }

    private static func tabs(_ list: List?, _ bookmarks: Int) -> RepositoryTabs {
        switch list?.query.list {
        case nil: RepositoryTabs(current: nil, bookmarks: bookmarks)
        case .all: RepositoryTabs(current: .all, bookmarks: bookmarks)
        case .trending: RepositoryTabs(current: .trending, bookmarks: bookmarks)
        case .search(let words, _):
            RepositoryTabs(
                current: nil, bookmarks: bookmarks, words: words, error: list?.board.searchError)
        }
    }

    var pageTitle: String { detail.name ?? "Repositories" }
    var hasDetail: Bool { detail.name != nil }
    var isLoadingPage: Bool { detail.isLoading || list?.board.isLoading == true }
    var detailBoard: RepositoryDetailView { detail }
    var rowsQuery: String? { list?.query.suffix }
    var detailAddress: String { detail.address }
}

/// `/repositories/keys`: what the keyboard does, for people without scripts; `?` shows the same.
struct RepositoryKeysView: PageView, Sendable {
    let layout: LayoutView
}
