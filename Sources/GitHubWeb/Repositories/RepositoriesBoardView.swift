import Foundation
import GitHub
import RoostWeb
import TextFormats

/// `/repositories/rows`: the live part of a list's page.
struct RepositoriesBoardView: Sendable {
    let listing: RepositoryListing
    let query: RepositoriesQuery
    let back: String
    let groups: RepositoryGroupsView
    let freshness: FreshnessView
    let repositoryErrorPanel: RepositoryErrorPanel?

    init(
        _ listing: RepositoryListing, groups: RepositoryGroupsView, query: RepositoriesQuery,
        back: String? = nil
    ) {
        self.listing = listing
        self.groups = groups
        self.query = query
        let returnAddress = back ?? "/repositories\(query.suffix)"
        self.back = returnAddress
        freshness = FreshnessView(listing)
        // The search field shows the error of a rejected search.
        let error = listing.refusal == nil ? listing.error : nil
        repositoryErrorPanel = error.map {
            RepositoryErrorPanel(
                $0, retry: "/repositories/refresh", keepsContent: !listing.items.isEmpty,
                isTrying: listing.loading.isLoading, back: returnAddress)
        }
    }
    var budget: String? { listing.budget.map { RepositoryErrorPanel.budgetText($0) } }
    var budgetReset: String? { listing.budget.map { ISO8601.seconds($0.resetAt) } }
    var budgetResetClock: String? { listing.budget.map { RelativeTime.clock($0.resetAt) } }
    /// True if the page offers a refresh; an error has its own button.
    var isOld: Bool { freshness.state == .stale && listing.error == nil }
    var isAnonymous: Bool { !listing.isSignedIn && listing.budget != nil }
    var isLoadingFirst: Bool { isLoading && listing.items.isEmpty }
    var skeletons: [Int] { isLoading && listing.items.isEmpty ? [Int](0..<8) : [] }
    var isLoadingMore: Bool { isLoading && !listing.items.isEmpty }

    /// Equal for equal content, ignoring ages.
    var fingerprint: Int {
        var hasher = Hasher()
        hasher.combine(groups)
        hasher.combine(back)
        hasher.combine([resultsMessage, skippedMessage, searchError])
        hasher.combine(listing.updatedAt)
        hasher.combine(listing.expiresAt)
        hasher.combine(freshness.state)
        hasher.combine(listing.isRenewing)
        hasher.combine(listing.nextTryAt)
        hasher.combine(listing.budget)
        hasher.combine(listing.error.map { "\($0)" })
        hasher.combine(listing.loading.isLoading)
        hasher.combine([moreAddress, continuationAddress, endMessage, emptyMessage])
        return hasher.finalize()
    }

    /// While true, browsers without scripts reload the page.
    var isLoading: Bool { listing.loading.isLoading && listing.error == nil }

    var searchError: String? {
        listing.refusal
    }

    private var shown: Int { groups.count }

    var resultsMessage: String? {
        var sentences: [String] = []
        if let total = listing.total, total > 0 {
            let what = total == 1 ? "repository" : "repositories"
            let limit = total > 1_000 ? "; GitHub returns the first 1,000" : ""
            sentences.append("\(NumberText.grouped(total)) \(what)\(limit).")
        }
        if listing.isIncomplete {
            sentences.append("GitHub did not finish its search. Some repositories may be missing.")
        }
        if !query.text.isEmpty, shown > 0 {
            let all = NumberText.grouped(listing.items.count)
            sentences.append("Showing \(NumberText.grouped(shown)) of \(all) loaded.")
        }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    var skippedMessage: String? {
        guard listing.refused > 0 else { return nil }
        let what = listing.refused == 1 ? "1 repository was" : "\(listing.refused) repositories were"
        return "\(what) skipped because GitHub sent invalid data."
    }

    var moreAddress: String? {
        guard listing.hasMorePages, !isLoading, listing.error == nil, listing.pages >= query.pages,
            query.pages < RepositoriesQuery.maximumPages
        else { return nil }
        return "/repositories\(query.more.suffix)"
    }

    /// The address where the list continues after `maximumPages` pages.
    var continuationAddress: String? {
        guard listing.hasMorePages, let next = listing.next, query.pages >= RepositoriesQuery.maximumPages,
            listing.pages >= query.pages
        else { return nil }
        var continuation = query
        continuation.list = .all(since: next)
        continuation.pages = 1
        return "/repositories\(continuation.suffix)"
    }

    var endMessage: String? {
        guard !listing.hasMorePages, !isLoading, listing.error == nil, !listing.items.isEmpty else {
            return nil
        }
        return "End of the list."
    }

    var emptyMessage: String? {
        guard shown == 0, !isLoading else { return nil }
        if !listing.items.isEmpty { return "No loaded repository matches the filter." }
        guard listing.error == nil, listing.updatedAt != nil else { return nil }
        return "No repositories found."
    }
}

extension FreshnessView {
    /// Seconds after expiry during which a list may be refreshed without counting as stale.
    private static let renewalTolerance: TimeInterval = 60

    init(_ listing: RepositoryListing) {
        let staleAt = listing.expiresAt.map { $0 + Self.renewalTolerance }
        let isOld = staleAt.map { $0 < listing.now } ?? false
        let state: State =
            if listing.error != nil || isOld { .stale } else if listing.updatedAt != nil { .live } else {
                .loading
            }
        let isRefreshing = isOld && listing.isRenewing && listing.error == nil
        self.init(
            state: state, updatedAt: listing.updatedAt,
            nextAt: listing.error == nil ? nil : listing.nextTryAt, staleAt: state == .live ? staleAt : nil,
            reason: isRefreshing ? "Refreshing." : nil, source: "GitHub", now: listing.now)
    }
}
