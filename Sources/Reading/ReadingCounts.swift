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
