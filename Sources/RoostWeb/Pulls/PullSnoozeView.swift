package import GitHub

/// `/pulls/HOST/OWNER/NAME/NUMBER/snooze`: for how long, for browsers without scripts; with them the inbox has a menu.
package struct PullSnoozeView: PageView, Sendable {
    package static let sample = PullSnoozeView(
        layout: .sample, item: InboxItem.samples[2], back: "/pulls?sort=size")

    package let layout: LayoutView
    private let item: InboxItem
    let back: String

    /// - Parameter back: path and query of the page to return to
    package init(layout: LayoutView, item: InboxItem, back: String) {
        self.layout = layout
        self.item = item
        self.back = back
    }

    var pullTitle: String { item.pull.title }
    var pullName: String { item.key.short }
    var pullPath: String { item.key.path }
    var shareAddress: String { ShareAddress.of(item.pull.htmlURL) }
}
