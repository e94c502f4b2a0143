/// Which articles a list shows, and in which order.
package struct ArticleFilter: Sendable, Equatable, Hashable {
    package enum List: String, Codable, CaseIterable, Sendable {
        case unread, archived, favorites, all, failed, suggested
    }

    package var list: List
    package var category: String?
    /// In any case of letters.
    package var tag: String?
    package var site: String?
    /// Words, all of which an article has in its title, text, gist or notes; words in quotation marks stand together.
    package var text: String?
    /// Nil: the newest first; in a search, what was saved last.
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

/// A page of articles.
package struct ArticlePage: Sendable, Equatable {
    package let items: [ArticleItem]
    /// The next page's cursor; nil at the end.
    package let next: String?
    /// How many articles the filter lets through; counted up to `ArticlePage.maximumCount` where it has to be counted.
    package let total: Int

    package static let maximumCount = 10_000

    package init(items: [ArticleItem], next: String?, total: Int) {
        self.items = items
        self.next = next
        self.total = total
    }
}
