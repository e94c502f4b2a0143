package import RoostServices

/// `/pulls/HOST/OWNER/NAME/NUMBER/snooze`: for how long, for browsers without scripts; with them the inbox has a menu.
package struct PullSnoozeView: PageView, Sendable {
    package static let sample = PullSnoozeView(
        layout: .sample, key: InboxItem.samples[2].key, title: InboxItem.samples[2].pull.title,
        back: InboxQuery())

    package let layout: LayoutView
    package let key: PullKey
    /// The pull request's; its name stands in for a title that is not known.
    let pullTitle: String
    private let query: InboxQuery

    /// - Parameter back: the page to return to
    package init(layout: LayoutView, key: PullKey, title: String?, back: InboxQuery) {
        self.layout = layout
        self.key = key
        pullTitle = title ?? key.short
        query = back
    }

    var pullName: String { key.short }
    var pullPath: String { key.path }
    var back: String { query.address }
    var inboxAddress: String { PullsPages.address(query) }
}
