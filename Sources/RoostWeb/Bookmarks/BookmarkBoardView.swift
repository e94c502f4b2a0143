import Foundation
import GitHub
import RoostSupport

/// `/bookmarks/rows`: the live part of the bookmarks' page.
struct BookmarkBoardView: Sendable {
    /// Path and query of the page, which actions return to.
    let back: String
    private let listing: BookmarkListing
    private let query: BookmarksQuery
    let groups: RepositoryGroupsView
    private let shown: Int
    let freshness: FreshnessView?
    let starsLine: StarsLine?
    let chips: BookmarkChips

    /// - Parameter back: where actions return to; nil for the bookmarks themselves
    init(
        _ listing: BookmarkListing, query: BookmarksQuery, groups: RepositoryGroupsView,
        back: String? = nil
    ) {
        self.back = back ?? query.path
        let rows = listing.groups.flatMap(\.items)
        self.listing = listing
        self.query = query
        self.groups = groups
        shown = rows.count
        freshness = BookmarkFreshness(rows, now: listing.now).view
        starsLine = StarsLine(stars: listing.stars)
        chips = BookmarkChips(listing, query: query)
    }

    var hasAny: Bool { listing.total > 0 }
    var hasRows: Bool { shown > 0 }
    var changedCount: String? { listing.changed > 0 ? NumberText.grouped(listing.changed) : nil }
    var hasOneChanged: Bool { listing.changed == 1 }

    private var mayGrow: Bool { listing.hasMorePages && query.pages < BookmarksQuery.pageLimit }

    var moreAddress: String? { mayGrow ? query.more.path : nil }
    var fittingWords: String {
        let words = listing.fitting == 1 ? "1 bookmark" : "\(NumberText.grouped(listing.fitting)) bookmarks"
        return query.isFiltering ? "\(words) of \(NumberText.grouped(listing.total))" : words
    }
    var isAll: Bool { shown > 0 && !listing.hasMorePages }
    var cutWords: String? {
        guard listing.hasMorePages, !mayGrow else { return nil }
        return "These are the first \(NumberText.grouped(shown)). Filter, or choose a tag, to see the others."
    }
}

/// The state of the star import; nil if it needs no line on the page.
struct StarsLine {
    let stars: StarImport

    init?(stars: StarImport) {
        switch stars {
        case .running, .failed: self.stars = stars
        case .idle, .done: return nil
        }
    }

    var starsReading: String? { if case .running(let read) = stars { NumberText.grouped(read) } else { nil } }
    var starsTrouble: TimedText? {
        if case .failed(let error, _) = stars { TimedText(error.message(source: "GitHub")) } else { nil }
    }
    var starsAuthorization: String? {
        if case .failed(let error, _) = stars { error.authorizationURL } else { nil }
    }
}

/// The age of the list: that of its oldest row.
struct BookmarkFreshness {
    /// GitHub is asked once a day; the list is stale half a day later.
    private static let staleAfter: TimeInterval = 129_600

    let view: FreshnessView?

    /// The view is nil if GitHub was never asked about any of the rows.
    init(_ rows: [Bookmark], now: Date) {
        guard let oldest = rows.compactMap(\.checkedAt).min() else {
            view = nil
            return
        }
        let isOld = rows.compactMap(\.checkedAt).contains {
            ClockSkew.isOver($0, lifetime: Self.staleAfter, now: now)
        }
        view = FreshnessView(
            state: isOld ? .stale : .live, updatedAt: oldest, staleAt: isOld ? nil : oldest + Self.staleAfter,
            reason: isOld
                ? "GitHub has not been reached about all of these since; they are shown as they were." : nil,
            source: "GitHub", now: now)
    }
}
