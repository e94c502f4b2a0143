/// What a user changes of an article; nil: it stays as it is.
package struct ArticleChange: Sendable, Equatable {
    package var title: String?
    /// Blank: "Unsorted".
    package var category: String?
    package var tags: [String]?
    package var state: ArticleState?
    package var isFavorite: Bool?
    /// From 0 to 1. It alone leaves `updatedAt` as it is: reading on is no edit.
    package var progress: Double?

    package init(
        title: String? = nil, category: String? = nil, tags: [String]? = nil, state: ArticleState? = nil,
        isFavorite: Bool? = nil, progress: Double? = nil
    ) {
        self.title = title
        self.category = category
        self.tags = tags
        self.state = state
        self.isFavorite = isFavorite
        self.progress = progress
    }
}

/// What a user changes of many articles at once.
package struct BulkArticleChange: Sendable, Equatable {
    package var state: ArticleState?
    package var isFavorite: Bool?
    package var category: String?
    package var addTags: [String]
    package var removeTags: [String]
    package var delete: Bool

    package init(
        state: ArticleState? = nil, isFavorite: Bool? = nil, category: String? = nil, addTags: [String] = [],
        removeTags: [String] = [], delete: Bool = false
    ) {
        self.state = state
        self.isFavorite = isFavorite
        self.category = category
        self.addTags = addTags
        self.removeTags = removeTags
        self.delete = delete
    }
}

/// Which articles a change of many is about.
package enum ArticleSelection: Sendable, Equatable {
    case ids([ArticleID])
    /// All that the filter lets through.
    case filter(ArticleFilter)
}
