import GitHub
import RoostWeb

/// `/repositories` and `/repositories/OWNER/NAME`: a list with the chosen repository next to it.
struct RepositoriesView: PageView, Sendable {
    static let scripts = ["repositories"]

    struct List: Sendable {
        let board: RepositoriesBoardView
        let query: RepositoriesQuery
        /// Including overrides from the query.
        let choices: RepositoryListPreferences
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
    ///   - list: nil if the reader did not come from a list
    ///   - web: the web address of GitHub; repository pages are at their full names below it
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
        case .search(let searchText, _):
            RepositoryTabs(
                current: nil, bookmarks: bookmarks, searchText: searchText, error: list?.board.searchError)
        }
    }

    var pageTitle: String { detail.name ?? "Repositories" }
    var hasDetail: Bool { detail.name != nil }
    var isLoadingPage: Bool { detail.isLoading || list?.board.isLoading == true }
    var rowsQuery: String? { list?.query.suffix }
}

/// `/repositories/keys`: the keyboard shortcuts, for browsers without scripts; `?` shows the same list.
struct RepositoryKeysView: PageView, Sendable {
    let layout: LayoutView
}
