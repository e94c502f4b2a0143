package import Foundation
package import RoostServices

/// `/bookmarks/rows`: all of the bookmarks' page that keeps itself up to date.
package struct BookmarkBoardView: TemplateView {
    package static let template = "bookmarks/board"

    /// Path and query of the page, for acts to come back to.
    package let back: String
    private let listing: BookmarkService.Listing
    private let query: BookmarksQuery
    private let groups: String
    private let shown: Int
    private let freshness: Part?
    private let stars: Part?
    private let chips: BookmarkChips
    private let editForms: [Part]

    /// - Parameters:
    ///   - groups: `RepositoryGroupsView` as text
    ///   - back: where acts come back to; nil: the bookmarks themselves
    package init(
        _ listing: BookmarkService.Listing, query: BookmarksQuery, groups: String, back: String? = nil
    ) {
        self.back = back ?? query.path
        let rows = listing.groups.flatMap(\.items)
        self.listing = listing
        self.query = query
        self.groups = groups
        shown = rows.count
        freshness = BookmarkFreshness(rows, now: listing.now).view.map(Part.init)
        stars = StarsLine(stars: listing.stars).map(Part.init)
        chips = BookmarkChips(listing, query: query)
        editForms = rows.map { Part(EditForm(bookmark: $0)) }
    }

    package func field(_ name: String) -> Any? {
        switch name {
        case "freshness": freshness
        case "back": back
        case "hasAny": listing.total > 0
        case "hasRows": shown > 0
        case "starsLine": stars
        case "changedCount": listing.changed > 0 ? Figure.grouped(listing.changed) : nil
        case "hasOneChanged": listing.changed == 1
        case "rendered": groups
        case "editForms": editForms
        default: chips.field(name) ?? end(name)
        }
    }

    private func end(_ name: String) -> Any? {
        let mayGrow = listing.hasMorePages && query.pages < BookmarksQuery.pageLimit
        switch name {
        case "moreAddress": return mayGrow ? query.more.path : nil
        case "fittingWords":
            let words = listing.fitting == 1 ? "1 bookmark" : "\(Figure.grouped(listing.fitting)) bookmarks"
            return query.isFiltering ? "\(words) of \(Figure.grouped(listing.total))" : words
        case "isAll": return shown > 0 && !listing.hasMorePages
        case "cutWords":
            guard listing.hasMorePages, !mayGrow else { return nil }
            return "These are the first \(Figure.grouped(shown)). Filter, or choose a tag, to see the others."
        default: return nil
        }
    }
}

/// The form that a row's fields for tags and note belong to: it stands beside the rows, whose text is kept for every
/// browser and holds no form's token.
private struct EditForm: ViewFields {
    let bookmark: Bookmark

    func field(_ name: String) -> Any? {
        switch name {
        case "editId": bookmark.id
        case "editPath": bookmark.shownName.path
        default: nil
        }
    }
}

/// How the import of stars stands, where it is worth a line on the page.
private struct StarsLine: ViewFields {
    let stars: BookmarkService.StarImport

    init?(stars: BookmarkService.StarImport) {
        switch stars {
        case .running, .failed: self.stars = stars
        case .idle, .done: return nil
        }
    }

    func field(_ name: String) -> Any? {
        switch name {
        case "starsReading": if case .running(let read) = stars { Figure.grouped(read) } else { nil }
        case "starsTrouble":
            if case .failed(let error, _) = stars { error.message(source: "GitHub") } else { nil }
        default: nil
        }
    }
}

/// How old what is shown is: the oldest row speaks for all.
package struct BookmarkFreshness {
    /// GitHub is asked once a day; half a day more is no reason for a word.
    private static let patience: TimeInterval = 129_600

    package let view: FreshnessView?

    /// No view where GitHub was never asked about any of the rows.
    package init(_ rows: [Bookmark], now: Date) {
        guard let oldest = rows.compactMap(\.checkedAt).min() else {
            view = nil
            return
        }
        let isOld = rows.compactMap(\.checkedAt).contains {
            ModelTime.isOver($0, lifetime: Self.patience, now: now)
        }
        view = FreshnessView(
            state: isOld ? .stale : .live, updatedAt: oldest, staleAt: isOld ? nil : oldest + Self.patience,
            reason: isOld
                ? "GitHub has not been reached about all of these since; they are shown as they were." : nil,
            source: "GitHub", now: now)
    }
}
