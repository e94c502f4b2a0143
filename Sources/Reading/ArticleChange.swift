package import RoostSupport

/// A user's change to an article. Nil fields stay as they are.
package struct ArticleChange: Codable, Equatable, Sendable {
    package var title: String?
    /// Blank means "Unsorted".
    package var category: String?
    package var tags: [String]?
    package var state: ArticleState?
    package var isFavorite: Bool?
    /// From 0 to 1. A change of the progress alone leaves `updatedAt` as it is.
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

/// A user's change to many articles at once. Columns that are nil stay as they are.
package struct BulkArticleChange: ColumnRecord, Codable, Equatable, Sendable {
    package var state: ArticleState?
    package var isFavorite: Bool?
    package var category: String?
    package var addTags: [String] = []
    package var removeTags: [String] = []
    package var delete = false

    package init() {}

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

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("state", &state)
        try columns.column("is_favorite", &isFavorite)
        try columns.column("category", &category)
    }

    /// The columns that change.
    var columns: StoredColumns {
        let all = StoredColumns(self)
        return all.filter { all[$0] != .null }
    }

    /// The tags after the change of an article that has these.
    func tags(of tags: [String]) -> [String] {
        let removed = Set(removeTags.map(ArticleRules.folded))
        return ArticleRules.union(tags.filter { !removed.contains(ArticleRules.folded($0)) }, addTags)
    }
}

package enum ArticleSelection: Sendable, Equatable {
    case ids([ArticleID])
    case filter(ArticleFilter)
}
