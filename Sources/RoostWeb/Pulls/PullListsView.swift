import GitHub

/// The lists of the inbox and what was put away. It holds no form's token and no age in seconds, so that its text
/// may be kept and shown again.
struct PullListsView: Sendable {
    let sections: [PullSectionView]
    let hidden: [HiddenPullRow]
    let authors: [String]
    let labels: [String]

    /// - Parameters:
    ///   - authors: that the filter offers
    ///   - labels: likewise
    init(
        sections: [PullSectionView], hidden: [HiddenPullRow], authors: [String] = [], labels: [String] = []
    ) {
        self.sections = sections
        self.hidden = hidden
        self.authors = authors
        self.labels = labels
    }
    var hasHidden: Bool { !hidden.isEmpty }
}

/// The head of a repository's pull requests within a list.
struct PullGroupRow: Sendable {
    let name: String
    let count: Int

    var groupOf: String { self.name }
}

/// `/pulls/HOST/OWNER/NAME/NUMBER/snooze`: for how long, for browsers without scripts; with them the inbox has a menu.
struct PullSnoozeView: PageView, Sendable {
    let layout: LayoutView
    let item: InboxItem
    let back: String

    /// - Parameter back: path and query of the page to return to
    init(layout: LayoutView, item: InboxItem, back: String) {
        self.layout = layout
        self.item = item
        self.back = back
    }

    var pullTitle: String { item.pull.title }
    var pullPath: String { item.key.path }
    var shareAddress: String { ShareAddress.of(item.pull.htmlURL) }
}
