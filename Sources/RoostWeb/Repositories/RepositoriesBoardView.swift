package import Foundation
package import RoostServices

/// `/repositories/rows`: all of a list that keeps itself up to date.
package struct RepositoriesBoardView: TemplateView {
    package static let template = "repositories/board"

    package let listing: RepositoryListing
    package let rendered: String
    package let query: RepositoriesQuery
    package let choices: RepositoryChoices
    package let back: String
    private let freshness: Part
    private let trouble: Part?

    /// - Parameters:
    ///   - rendered: `RepositoryGroupsView` as text
    ///   - choices: as they hold for this page
    ///   - back: path and query of the page, for acts to come back to; nil: the list's own
    package init(
        _ listing: RepositoryListing, rendered: String, query: RepositoriesQuery, choices: RepositoryChoices,
        back: String? = nil
    ) {
        self.listing = listing
        self.rendered = rendered
        self.query = query
        self.choices = choices
        self.back = back ?? "/repositories\(query.suffix)"
        freshness = Part(FreshnessView(listing))
        trouble = listing.error.map {
            Part(RepositoryTrouble($0, isTrying: listing.loading.isLoading, now: listing.now))
        }
    }

    package func field(_ name: String) -> Any? {
        switch name {
        case "freshness": freshness
        case "trouble": trouble
        case "budget": listing.budget.map { RepositoryTrouble.words($0) }
        case "budgetReset": listing.budget.map { AgeText.iso($0.resetAt) }
        case "budgetResetClock": listing.budget.map { AgeText.clock($0.resetAt) }
        case "isAnonymous": !listing.isSignedIn && listing.budget != nil
        case "back": back
        case "rendered": rendered
        case "listRemarks": remarks
        case "isLoadingFirst": isLoading && listing.items.isEmpty
        case "isLoadingMore": isLoading && !listing.items.isEmpty
        case "moreAddress": moreAddress
        case "onAddress": onAddress
        case "endWords": endWords
        case "emptyWords": emptyWords
        default: nil
        }
    }

    var isLoading: Bool { listing.loading.isLoading && listing.error == nil }

    private var remarks: [String] {
        var remarks: [String] = []
        if let total = listing.total {
            let what = total == 1 ? "repository" : "repositories"
            let limit = total > 1_000 ? " GitHub hands out the first 1,000." : ""
            remarks.append("GitHub knows \(Figure.grouped(total)) \(what) like this.\(limit)")
        }
        if listing.isIncomplete { remarks.append("GitHub did not finish its search: some may be missing.") }
        if listing.refused > 0 {
            let what = listing.refused == 1 ? "One repository" : "\(listing.refused) repositories"
            remarks.append("\(what) came malformed from GitHub and had to be left out.")
        }
        return remarks
    }

    /// Where there are more pages than are shown, and they may be shown here.
    private var moreAddress: String? {
        guard listing.hasMorePages, !isLoading, listing.error == nil, listing.pages >= query.pages,
            query.pages < RepositoriesQuery.mostPages
        else { return nil }
        return "/repositories\(query.more.suffix)"
    }

    /// Where the list goes on once a view is as long as one may be.
    private var onAddress: String? {
        guard listing.hasMorePages, let next = listing.next, query.pages >= RepositoriesQuery.mostPages,
            listing.pages >= query.pages
        else { return nil }
        var on = query
        on.list = .all(since: next)
        on.pages = 1
        return "/repositories\(on.suffix)"
    }

    private var endWords: String? {
        guard !listing.hasMorePages, !isLoading, listing.error == nil, !listing.items.isEmpty else {
            return nil
        }
        return "That is all: GitHub has no further page."
    }

    private var emptyWords: String? {
        guard rendered.isEmpty, !isLoading else { return nil }
        if !listing.items.isEmpty { return "Nothing that is loaded fits the filter." }
        guard listing.error == nil, listing.updatedAt != nil else { return nil }
        return "GitHub has no repository like this."
    }
}

/// Something that went wrong with GitHub, in its place, with when it may be tried again.
package struct RepositoryTrouble: ViewFields {
    private let error: APIError
    private let isTrying: Bool
    private let now: Date

    package init(_ error: APIError, isTrying: Bool, now: Date) {
        self.error = error
        self.isTrying = isTrying
        self.now = now
    }

    package func field(_ name: String) -> Any? {
        switch name {
        case "troubleWords":
            reset == nil ? error.message(source: "GitHub") : "GitHub rate limit exceeded. Resets at"
        case "troubleReset": reset.map(AgeText.iso)
        case "troubleResetText": reset.map { "\(AgeText.day($0)), \(AgeText.clock($0))" }
        case "advice": error.recoverySuggestion
        case "isTrying": isTrying
        default: nil
        }
    }

    private var reset: Date? { if case .rateLimited(let date) = error { date } else { nil } }

    /// "43 of 60 requests left".
    package static func words(_ budget: RateBudget) -> String {
        let what = budget.resource == "search" ? "searches" : "requests"
        return "\(Figure.grouped(budget.remaining)) of \(Figure.grouped(budget.limit)) \(what) left"
    }
}

extension FreshnessView {
    /// In the words of every live region.
    init(_ listing: RepositoryListing) {
        let state: State =
            if listing.error != nil { .stale } else if listing.updatedAt != nil { .live } else { .loading }
        self.init(
            state: state, updatedAt: listing.updatedAt,
            nextAt: listing.error == nil ? nil : listing.nextTryAt,
            source: "GitHub", now: listing.now)
    }
}
