/// The line above every list of repositories: which list it is, and GitHub's search.
package struct RepositoryTabs: Sendable {
    package enum Tab: String, Sendable, CaseIterable {
        case all, trending, bookmarks
    }

    let listTabs: [Fields]
    private let words: String
    private let error: String?

    /// - Parameters:
    ///   - current: nil for a search
    ///   - bookmarks: how many the reader has
    ///   - words: what is searched for
    ///   - error: what GitHub has against these words
    package init(current: Tab?, bookmarks: Int, words: String = "", error: String? = nil) {
        listTabs = Tab.allCases.map {
            Fields(tab: $0, isCurrent: $0 == current, bookmarks: bookmarks)
        }
        self.words = words
        self.error = error
    }

    var searchWords: String { words }
    var searchError: String? { error }

    struct Fields {
        let tab: Tab
        let isCurrent: Bool
        let bookmarks: Int

        var tabName: String { tab.rawValue.prefix(1).uppercased() + tab.rawValue.dropFirst() }
        var tabAddress: String { address }
        var tabCount: String? { tab == .bookmarks && bookmarks > 0 ? Figure.grouped(bookmarks) : nil }
        var isTabCurrent: Bool { isCurrent }

        private var address: String {
            switch tab {
            case .all: "/repositories"
            case .trending: "/repositories?trending=week"
            case .bookmarks: "/bookmarks"
            }
        }
    }
}
