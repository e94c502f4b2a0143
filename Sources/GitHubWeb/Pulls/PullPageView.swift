import GitHub
import RoostWeb

/// `/pulls/OWNER/NAME/NUMBER` and `/pulls/OWNER/NAME/NUMBER/files`.
struct PullPageView: PageView, Sendable {
    static let scripts = ["pull-page"]

    let layout: LayoutView
    let pane: PullPaneView

    var pageTitle: String { pane.pullTitle ?? pane.shortName }
    var expectedBytes: Int { 131_072 }
}
