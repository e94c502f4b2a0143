package import ArticleText

package struct ReadingArticle: Sendable, Equatable {
    package let item: ArticleItem
    package var markup: CleanMarkup?
    /// A line per paragraph, or empty.
    package var text = ""
    /// The readers' comments of its page.
    package var comments: CleanMarkup?
    package var highlights: [Highlight] = []
    package var gist: GistItem?
}
