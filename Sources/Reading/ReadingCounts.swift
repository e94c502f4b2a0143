/// How many articles a user's lists have.
package struct ReadingCounts: Equatable, Sendable {
    package var unread = 0
    package var favorites = 0
    package var archived = 0
    package var failed = 0
    package var all: Int { unread + archived }

    package init(unread: Int = 0, favorites: Int = 0, archived: Int = 0, failed: Int = 0) {
        self.unread = unread
        self.favorites = favorites
        self.archived = archived
        self.failed = failed
    }
}

/// A category, tag or site with how many articles it has.
package struct ReadingGroup: Equatable, Sendable {
    package let name: String
    package let count: Int

    package init(name: String, count: Int) {
        self.name = name
        self.count = count
    }
}

/// An unread article that its user may like to read now.
package struct SuggestedArticle: Equatable, Sendable {
    package let item: ArticleItem
    /// In words: "You finish most articles of example.org."
    package let reason: String

    package init(item: ArticleItem, reason: String) {
        self.item = item
        self.reason = reason
    }
}
