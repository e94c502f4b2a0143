/// `/reading/ID`: an article to read.
struct ArticleView: PageView, Sendable {
    let layout: LayoutView
    let offlineOwner: String
    let text: ArticleTextView
    let listAddress: String

    init(layout: LayoutView, offlineOwner: String, text: ArticleTextView, list: String = "/reading") {
        self.layout = layout
        self.offlineOwner = offlineOwner
        self.text = text
        listAddress = list
    }
}
