import Foundation
import GitHub
import RoostSupport
import RoostWeb

/// `/bookmarks/rows`: the live part of the bookmarks page.
struct BookmarkBoardView: Sendable {
    /// The path and query of the page that actions return to.
    let back: String
    private let listing: BookmarkListing
    private let query: BookmarksQuery
    let groups: RepositoryGroupsView
    private let shown: Int
    let freshness: FreshnessView?
    let starsLine: StarsLine?
    let chips: BookmarkChips

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

    private var canLoadMore: Bool { listing.hasMorePages && query.pages < BookmarksQuery.pageLimit }

    var moreAddress: String? { canLoadMore ? query.more.path : nil }
    var matchCountText: String {
        let count = listing.matching == 1 ? "1 bookmark" : "\(NumberText.grouped(listing.matching)) bookmarks"
        return query.isFiltering ? "\(count) of \(NumberText.grouped(listing.total))" : count
    }
    var isComplete: Bool { shown > 0 && !listing.hasMorePages }
    var truncationMessage: String? {
        guard listing.hasMorePages, !canLoadMore else { return nil }
        return "Showing the first \(NumberText.grouped(shown)). Filter or choose a tag to see others."
    }
}

/// The state of the star import; nil if there is nothing to report.
struct StarsLine {
    let stars: StarImport

    init?(stars: StarImport) {
        switch stars {
        case .running, .failed: self.stars = stars
        case .idle, .done: return nil
        }
    }

    var starsRead: String? { if case .running(let read) = stars { NumberText.grouped(read) } else { nil } }
    var starsError: TimedText? {
        if case .failed(let error, _) = stars { TimedText(error.message(source: "GitHub")) } else { nil }
    }
    var starsAuthorization: String? {
        if case .failed(let error, _) = stars { error.authorizationURL } else { nil }
    }
}

struct BookmarkFreshness {
    /// In seconds: a day between checks of GitHub plus half a day of tolerance.
    private static let staleAfter: TimeInterval = 129_600

    let view: FreshnessView?

    /// `view` is nil if none of the rows has ever been checked on GitHub.
    init(_ rows: [Bookmark], now: Date) {
        guard let oldest = rows.compactMap(\.checkedAt).min() else {
            view = nil
            return
        }
        let isOld = rows.compactMap(\.checkedAt).contains {
            ClockSkew.isExpired($0, lifetime: Self.staleAfter, now: now)
        }
        view = FreshnessView(
            state: isOld ? .stale : .live, updatedAt: oldest, staleAt: isOld ? nil : oldest + Self.staleAfter,
            reason: isOld
                ? "Some could not be refreshed from GitHub and are shown as last seen." : nil,
            source: "GitHub", now: now)
    }
}
