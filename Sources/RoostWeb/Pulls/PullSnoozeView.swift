import GitHub

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
