/// The line above every list of repositories: which list it is, and GitHub's search.
struct RepositoryTabs: Sendable {
    enum Tab: String, Sendable, CaseIterable {
        case bookmarks, trending, all
    }

    let listTabs: [RepositoryTab]
    let words: String
    private let error: String?

    /// - Parameters:
    ///   - current: nil for a search
    ///   - bookmarks: how many the reader has
    ///   - words: what is searched for
    ///   - error: what GitHub has against these words
    init(current: Tab?, bookmarks: Int, words: String = "", error: String? = nil) {
        listTabs = Tab.allCases.map {
            RepositoryTab(tab: $0, isCurrent: $0 == current, bookmarks: bookmarks)
        }
        self.words = words
        self.error = error
    }
    var searchError: String? { error }
}
