/// `/reading/ID`: an article to read.
package struct ArticleView: PageView, Sendable {
    package let layout: LayoutView
    let offlineOwner: String
    let text: ArticleTextView
    let listAddress: String

    package init(layout: LayoutView, offlineOwner: String, text: ArticleTextView, list: String = "/reading") {
        self.layout = layout
        self.offlineOwner = offlineOwner
        self.text = text
        listAddress = list
    }

    package static let sample = ArticleView(layout: .sample, offlineOwner: "1-session-1", text: .sample)
}
