/// The line above every list of repositories: which list it is, and GitHub's search.
package struct RepositoryTabs: ViewFields {
    package enum Tab: String, Sendable, CaseIterable {
        case all, trending, bookmarks
    }

    private let tabs: [Part]
    private let words: String
    private let error: String?

    /// - Parameters:
    ///   - current: nil for a search
    ///   - bookmarks: how many the reader has
    ///   - words: what is searched for
    ///   - error: what GitHub has against these words
    package init(current: Tab?, bookmarks: Int, words: String = "", error: String? = nil) {
        tabs = Tab.allCases.map {
            Part(Fields(tab: $0, isCurrent: $0 == current, bookmarks: bookmarks))
        }
        self.words = words
        self.error = error
    }

    package func field(_ name: String) -> Any? {
        switch name {
        case "listTabs": tabs
        case "searchWords": words
        case "searchError": error
        default: nil
        }
    }

    private struct Fields: ViewFields {
        let tab: Tab
        let isCurrent: Bool
        let bookmarks: Int

        func field(_ name: String) -> Any? {
            switch name {
            case "tabName": tab.rawValue.prefix(1).uppercased() + tab.rawValue.dropFirst()
            case "tabAddress": address
            case "tabCount": tab == .bookmarks && bookmarks > 0 ? Figure.grouped(bookmarks) : nil
            case "isTabCurrent": isCurrent
            default: nil
            }
        }

        private var address: String {
            switch tab {
            case .all: "/repositories"
            case .trending: "/repositories?trending=week"
            case .bookmarks: "/bookmarks"
            }
        }
    }
}
