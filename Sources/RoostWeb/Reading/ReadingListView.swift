import Reading

/// `/reading/list`: the live part of the reading list's page.
struct ReadingListView: Sendable {
    /// Path and query of the page, which actions return to.
    let back: String
    private let query: ReadingQuery
    private let counts: ReadingCounts
    private let total: Int
    private let next: String?
    let chips: ReadingChips
    let rows: [ArticleRow]

    init(
        rows: [ArticleRow], total: Int, next: String?, counts: ReadingCounts, chips: ReadingChips,
        query: ReadingQuery
    ) {
        self.rows = rows
        self.total = total
        self.next = next
        self.counts = counts
        self.chips = chips
        self.query = query
        back = query.path
    }

    var hasAny: Bool { counts.all > 0 }
    var hasRows: Bool { !rows.isEmpty }
    var isFailedList: Bool { query.list == .failed && hasRows }
    var isSuggestedList: Bool { query.list == .suggested && hasRows }
    /// The same page with more rows, which a script puts in by itself.
    var moreAddress: String? { next == nil ? nil : query.more?.path }
    /// A page of its own, where this one is long enough.
    var nextAddress: String? {
        guard let next, query.more == nil else { return nil }
        return query.changed { $0.cursor = next }.path
    }
    var firstAddress: String? { query.cursor == nil ? nil : query.changed { _ in }.path }
    var totalWords: String {
        guard total < ArticlePage.maximumCount else {
            return "More than \(NumberText.grouped(total)) articles"
        }
        return total == 1 ? "1 article" : "\(NumberText.grouped(total)) articles"
    }
    var isEnd: Bool { next == nil && hasRows }
    /// What the selection of all takes: the filter, as an address has it.
    var filterQuery: String { query.changed { _ in }.address }
    var mayChooseAll: Bool { hasRows && query.list != .suggested && total > rows.count }

    /// Why nothing is shown, and what to do.
    var emptyWords: String {
        if query.isFiltering { return "No article fits." }
        switch query.list {
        case .unread: return "You have read everything."
        case .archived: return "Nothing is archived yet. What you have read moves here with “Archive”."
        case .favorites: return "No favourites yet. Mark an article as a favourite to find it here."
        case .failed: return "Every page could be fetched."
        case .suggested:
            return
                "Nothing to suggest yet. Read a few articles to the end: Roost learns from their sites, tags and categories."
        case .all: return "Nothing is saved yet."
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
