package import RoostServices

/// `/pulls/HOST/OWNER/NAME/NUMBER/snooze`: for how long, for browsers without scripts; with them the inbox has a menu.
package struct PullSnoozeView: PageView, Sendable {
    package static let sample = PullSnoozeView(
        layout: .sample, item: InboxItem.samples[2], back: InboxQuery())

    package let layout: LayoutView
    private let item: InboxItem
    private let query: InboxQuery

    /// - Parameter back: the page to return to
    package init(layout: LayoutView, item: InboxItem, back: InboxQuery) {
        self.layout = layout
        self.item = item
        query = back
    }

    var pullTitle: String { item.pull.title }
    var pullName: String { item.key.short }
    var pullPath: String { item.key.path }
    var back: String { query.address }
    var inboxAddress: String { PullsController.address(query) }
}
