package import ArticleText

/// An article to be read.
package struct ReadingArticle: Sendable, Equatable {
    package let item: ArticleItem
    /// The address that led to the text, after redirects; nil: it was not fetched.
    package let finalURL: String?
    /// Nil: there is no text.
    package let markup: CleanMarkup?
    /// A line a paragraph; empty where there is none.
    package let text: String
    /// In the order of the text.
    package let highlights: [Highlight]
    package let gist: GistItem?

    package init(
        item: ArticleItem, finalURL: String? = nil, markup: CleanMarkup? = nil, text: String = "",
        highlights: [Highlight] = [], gist: GistItem? = nil
    ) {
        self.item = item
        self.finalURL = finalURL
        self.markup = markup
        self.text = text
        self.highlights = highlights
        self.gist = gist
    }
}
