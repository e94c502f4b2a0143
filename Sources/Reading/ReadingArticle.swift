package import ArticleText

package struct ReadingArticle: Sendable, Equatable {
    package let item: ArticleItem
    package var markup: CleanMarkup?
    /// A line per paragraph, or empty.
    package var text = ""
    package var highlights: [Highlight] = []
    package var gist: GistItem?
}

package struct ReadingCounts: Equatable, Sendable {
    package var unread = 0
    package var favorites = 0
    package var archived = 0
    package var failed = 0
    package var all: Int { unread + archived }
}

package struct ReadingGroup: Equatable, Sendable {
    package let name: String
    package let count: Int
}

package struct SuggestedArticle: Equatable, Sendable {
    package let item: ArticleItem
    /// A sentence such as "You finish most articles of example.org."
    package let reason: String
}
