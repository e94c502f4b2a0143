/// One tab above the lists of repositories; that of the bookmarks has their count.
struct RepositoryTab: Sendable {
    let tab: RepositoryTabs.Tab
    let isCurrent: Bool
    /// How many the reader has.
    let bookmarks: Int

    var tabName: String { tab.rawValue.prefix(1).uppercased() + tab.rawValue.dropFirst() }
    /// By which scripts find the tab whose count changes.
    var tabId: String? { tab == .bookmarks ? "bookmarks-tab" : nil }
    var tabCount: String? { tab == .bookmarks && bookmarks > 0 ? NumberText.grouped(bookmarks) : nil }
    var isTabCurrent: Bool { isCurrent }

    var tabAddress: String { tab.address }
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
