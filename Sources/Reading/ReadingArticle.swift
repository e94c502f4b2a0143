package import ArticleText

package struct ReadingArticle: Sendable, Equatable {
    package let item: ArticleItem
    package var markup: CleanMarkup?
    /// A line per paragraph, or empty.
    package var text = ""
    package var highlights: [Highlight] = []
    package var gist: GistItem?
}
