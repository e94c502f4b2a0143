import RoostSupport

package struct ArticleFilter: Sendable, Equatable, Hashable {
    package enum List: String, Codable, CaseIterable, ColumnValue, Sendable {
        case unread, archived, favorites, all, failed, suggested
    }

    package var list: List
    package var category: String?
    /// Compared without case.
    package var tag: String?
    package var site: String?
    /// Words that must all occur in the article's title, text, gist or notes; words in quotation marks form a phrase.
    package var text: String?
    package var sort: ArticleSort

    package init(
        list: List = .unread, category: String? = nil, tag: String? = nil, site: String? = nil,
        text: String? = nil, sort: ArticleSort = .newest
    ) {
        self.list = list
        self.category = category
        self.tag = tag
        self.site = site
        self.text = text
        self.sort = sort
    }
}

package enum ArticleSort: String, Codable, CaseIterable, Sendable {
    case newest, oldest, title, site, shortest, longest
}

package struct ArticlePage: Sendable, Equatable {
    package let items: [ArticleItem]
    /// Nil at the end.
    package let next: ArticlePosition?
    /// The number of articles that match; counting stops at `maximumCount`.
    package let total: Int

    package static let maximumCount = 10_000

    package init(items: [ArticleItem], next: ArticlePosition?, total: Int) {
        self.items = items
        self.next = next
        self.total = total
    }
}
