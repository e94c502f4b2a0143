import RoostWeb

/// The tabs and the search field above every repository list.
struct RepositoryTabs: Sendable {
    enum Tab: String, Sendable, CaseIterable {
        case bookmarks, trending, all
    }

    let listTabs: [RepositoryTab]
    let searchText: String
    let error: String?

    /// - Parameters:
    ///   - current: nil for a search
    ///   - searchText: what was searched for
    ///   - error: why GitHub rejected the search
    init(current: Tab?, bookmarks: Int, searchText: String = "", error: String? = nil) {
        listTabs = Tab.allCases.map {
            RepositoryTab(tab: $0, isCurrent: $0 == current, bookmarks: bookmarks)
        }
        self.searchText = searchText
        self.error = error
    }
}

struct RepositoryTab: Sendable {
    let tab: RepositoryTabs.Tab
    let isCurrent: Bool
    let bookmarks: Int

    var tabName: String { tab.rawValue.prefix(1).uppercased() + tab.rawValue.dropFirst() }
    /// Lets scripts find the tab whose count changes.
    var tabId: String? { tab == .bookmarks ? "bookmarks-tab" : nil }
    var tabCount: String? { tab == .bookmarks && bookmarks > 0 ? NumberText.grouped(bookmarks) : nil }
}

extension RepositoryTabs.Tab {
    var address: String {
        switch self {
        case .all: "/repositories?since=0"
        case .trending: "/repositories?trending=week"
        case .bookmarks: "/bookmarks"
        }
    }
}
