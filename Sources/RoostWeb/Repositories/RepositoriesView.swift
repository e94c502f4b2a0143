package import RoostServices

/// `/repositories`: a list of GitHub's repositories, and beside it the one that is looked at.
package struct RepositoriesView: PageView {
    package static let template = "repositories/page"

    package let layout: LayoutView
    package let board: RepositoriesBoardView
    package let query: RepositoriesQuery
    private let tabs, tools: Part

    /// - Parameters:
    ///   - choices: as they hold for this page
    ///   - bookmarks: how many the reader has
    package init(
        layout: LayoutView, board: RepositoriesBoardView, query: RepositoriesQuery,
        choices: RepositoryChoices, bookmarks: Int
    ) {
        self.layout = layout
        self.board = board
        self.query = query
        var tab: RepositoryTabs.Tab?
        var words = ""
        switch query.list {
        case .all: tab = .all
        case .trending: tab = .trending
        case .search(let query, _): words = query
        }
        tabs = Part(RepositoryTabs(current: tab, bookmarks: bookmarks, words: words))
        tools = Part(
            RepositoryTools(
                .browse, choices: choices, action: "/repositories",
                hidden: query.pairs.filter { $0.name != "text" }, text: query.text, back: board.back))
    }

    package func field(_ name: String) -> Any? {
        switch name {
        case "repositoryTabs": tabs
        case "listTools": tools
        case "rowsQuery": query.suffix
        default: board.field(name) ?? layout.field(name)
        }
    }
}
