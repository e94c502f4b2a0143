import Reading
import RoostWeb

/// `/reading/list`: the live part of the reading list's page.
struct ReadingListView: Sendable {
    private let query: ReadingQuery
    private let counts: ReadingCounts
    private let total: Int
    private let next: String?
    /// Whether a search does not find older texts yet.
    let isIndexing: Bool
    let chips: ReadingChips
    let bulk: BulkFormView
    let rows: [ArticleRow]

    init(
        rows: [ArticleRow], total: Int, next: String?, counts: ReadingCounts, chips: ReadingChips,
        query: ReadingQuery, isIndexing: Bool = false, refused: BulkFormView.Refused = .init()
    ) {
        self.isIndexing = isIndexing
        self.rows = rows.map { row in
            var row = row
            row.isTicked = refused.ids.contains(row.item.id)
            return row
        }
        self.total = total
        self.next = next
        self.counts = counts
        self.chips = chips
        self.query = query
        let isWholeChoosable = query.list != .suggested && total > rows.count
        bulk = BulkFormView(
            query, wholeList: isWholeChoosable ? Self.text(ofTotal: total) : nil, refused: refused.form)
    }

    /// The path and query of the page that actions return to.
    var back: String { bulk.back }

    var hasAny: Bool { counts.all > 0 }
    var hasRows: Bool { !rows.isEmpty }
    var isFailedList: Bool { query.list == .failed && hasRows }
    var isSuggestedList: Bool { query.list == .suggested && hasRows }
    /// The same page with more rows, which a script loads automatically.
    var moreAddress: String? { next == nil ? nil : query.more?.path }
    /// A new page, once this one has reached its limit.
    var nextAddress: String? {
        guard let next, query.more == nil else { return nil }
        return query.changed { $0.cursor = next }.path
    }
    var firstAddress: String? { query.cursor == nil ? nil : query.changed { _ in }.path }
    var totalText: String { Self.text(ofTotal: total) }
    private static func text(ofTotal total: Int) -> String {
        guard total < ArticlePage.maximumCount else {
            return "More than \(NumberText.grouped(total)) articles"
        }
        return total == 1 ? "1 article" : "\(NumberText.grouped(total)) articles"
    }
    var isEnd: Bool { next == nil && hasRows }
    var emptyText: String {
        if query.isFiltering { return "No articles match." }
        switch query.list {
        case .unread: return "You have read everything."
        case .archived: return "Nothing is archived yet. Press “Archive” to move an article here."
        case .favorites: return "No starred articles yet. Star an article to find it here."
        case .failed: return "No failed pages."
        case .suggested:
            return
                "Nothing to suggest yet. Read a few articles to the end. Roost learns from their sites, tags and categories."
        case .all: return "Nothing saved yet."
        }
    }
    var emptyAddress: String {
        query.isFiltering
            ? query.changed {
                ($0.category, $0.tag, $0.site, $0.text) = ("", "", "", "")
            }.path : "/reading?list=all"
    }
    var emptyAction: String { query.isFiltering ? "Show the whole list" : "Show all articles" }
}
