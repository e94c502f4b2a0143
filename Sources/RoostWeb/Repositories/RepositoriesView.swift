package import RoostServices

/// `/repositories` and `/repositories/OWNER/NAME`: a list, and beside it the repository that is looked at.
package struct RepositoriesView: PageView {
    package static let template = "repositories/page"

    /// The list and how it is shown.
    package struct List: Sendable {
        let board: RepositoriesBoardView
        let query: RepositoriesQuery
        let choices: RepositoryChoices

        /// - Parameter choices: as they hold for this page
        package init(
            board: RepositoriesBoardView, query: RepositoriesQuery, choices: RepositoryChoices
        ) {
            self.board = board
            self.query = query
            self.choices = choices
        }
    }

    package let layout: LayoutView
    package let list: List?
    package let detail: RepositoryDetailView
    private let tabs, detailPart: Part
    private let tools, modes, boardPart: Part?

    /// - Parameters:
    ///   - list: nil where somebody came from another list, and goes back there
    ///   - bookmarks: how many the reader has
    package init(
        layout: LayoutView, list: List?, detail: RepositoryDetailView = .none, bookmarks: Int
    ) {
        self.layout = layout
        self.list = list
        self.detail = detail
        detailPart = Part(detail)
        boardPart = list.map { Part($0.board) }
        tabs = Part(Self.tabs(list, bookmarks))
        tools = list.map {
            Part(
                RepositoryTools(
                    .browse, choices: $0.choices, action: "/repositories",
                    hidden: $0.query.pairs.filter { $0.name != "text" }, text: $0.query.text,
                    back: $0.board.back))
        }
        modes = list.flatMap { RepositoryModes($0.query) }.map(Part.init)
    }

    private static func tabs(_ list: List?, _ bookmarks: Int) -> RepositoryTabs {
        switch list?.query.list {
        case nil: RepositoryTabs(current: .bookmarks, bookmarks: bookmarks)
        case .all: RepositoryTabs(current: .all, bookmarks: bookmarks)
        case .trending: RepositoryTabs(current: .trending, bookmarks: bookmarks)
        case .search(let words, _):
            RepositoryTabs(
                current: nil, bookmarks: bookmarks, words: words, error: list?.board.searchError)
        }
    }

    package func field(_ name: String) -> Any? {
        switch name {
        case "pageTitle": detail.name ?? "Repositories"
        case "hasDetail": detail.name != nil
        case "isLoadingPage": detail.isLoading || list?.board.isLoading == true
        case "repositoryTabs": tabs
        case "listTools": tools
        case "listModes": modes
        case "listBoard": boardPart
        case "detailBoard": detailPart
        case "rowsQuery": list?.query.suffix
        case "detailAddress": detail.address
        default: layout.field(name)
        }
    }
}

/// `/repositories/keys`: what the keyboard does, for people without scripts; `?` shows the same.
package struct RepositoryKeysView: PageView {
    package static let template = "repositories/keys"

    package let layout: LayoutView

    package init(layout: LayoutView) {
        self.layout = layout
    }

    package static let sample = RepositoryKeysView(layout: .sample)

    package func field(_ name: String) -> Any? { layout.field(name) }
}
