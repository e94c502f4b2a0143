import Foundation
import GitHub
import TextFormats

/// `/repositories/rows`: all of a list that keeps itself up to date.
struct RepositoriesBoardView: Sendable {
    let listing: RepositoryListing
    let query: RepositoriesQuery
    let back: String
    let groups: RepositoryGroupsView
    let freshness: FreshnessView
    let repositoryTrouble: RepositoryErrorPanel?

    /// - Parameter back: path and query of the page, for acts to come back to; nil: the list's own
    init(
        _ listing: RepositoryListing, groups: RepositoryGroupsView, query: RepositoriesQuery,
        back: String? = nil
    ) {
        self.listing = listing
        self.groups = groups
        self.query = query
        let way = back ?? "/repositories\(query.suffix)"
        self.back = way
        freshness = FreshnessView(listing)
        // What GitHub has against a search stands at its field.
        let error = listing.refusal == nil ? listing.error : nil
        repositoryTrouble = error.map {
            RepositoryErrorPanel(
                $0, retry: "/repositories/refresh", keepsContent: !listing.items.isEmpty,
                isTrying: listing.loading.isLoading, back: way)
        }
    }
    var budget: String? { listing.budget.map { RepositoryErrorPanel.words($0) } }
    var budgetReset: String? { listing.budget.map { ISO8601.seconds($0.resetAt) } }
    var budgetResetClock: String? { listing.budget.map { RelativeTime.clock($0.resetAt) } }
    /// What failed has a button of its own, where it says so.
    var isOld: Bool { freshness.state == .stale && listing.error == nil }
    var isRenewing: Bool { listing.isRenewing }
    var isAnonymous: Bool { !listing.isSignedIn && listing.budget != nil }
    var isLoadingFirst: Bool { isLoading && listing.items.isEmpty }
    var skeletons: [Int] { isLoading && listing.items.isEmpty ? [Int](0..<8) : [] }
    var isLoadingMore: Bool { isLoading && !listing.items.isEmpty }

    /// The same number, the same rows and words, but for ages.
    var fingerprint: Int {
        var hasher = Hasher()
        hasher.combine(groups)
        hasher.combine(back)
        hasher.combine([foundWords, leftOutWords, searchError])
        hasher.combine(listing.updatedAt)
        hasher.combine(listing.expiresAt)
        hasher.combine(freshness.state)
        hasher.combine(listing.isRenewing)
        hasher.combine(listing.nextTryAt)
        hasher.combine(listing.budget)
        hasher.combine(listing.error.map { "\($0)" })
        hasher.combine(listing.loading.isLoading)
        hasher.combine([moreAddress, onAddress, endWords, emptyWords])
        return hasher.finalize()
    }

    /// While it is on its way, a reader without scripts has the page loaded again.
    var isLoading: Bool { listing.loading.isLoading && listing.error == nil }

    /// What GitHub has against the words of a search.
    var searchError: String? {
        listing.refusal
    }

    private var shown: Int { groups.count }

    /// What is to be known of a search or a filter before one reads on.
    var foundWords: String? {
        var words: [String] = []
        if let total = listing.total, total > 0 {
            let what = total == 1 ? "repository" : "repositories"
            let limit = total > 1_000 ? "; GitHub returns the first 1,000" : ""
            words.append("\(NumberText.grouped(total)) \(what)\(limit).")
        }
        if listing.isIncomplete { words.append("GitHub did not finish its search: some may be missing.") }
        if !query.text.isEmpty, shown > 0 {
            let all = NumberText.grouped(listing.items.count)
            words.append("The filter leaves \(NumberText.grouped(shown)) of the \(all) loaded.")
        }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    var leftOutWords: String? {
        guard listing.refused > 0 else { return nil }
        let what = listing.refused == 1 ? "1 repository was" : "\(listing.refused) repositories were"
        return "\(what) skipped because GitHub sent invalid data."
    }

    /// Where there are more pages than are shown, and they may be shown here.
    var moreAddress: String? {
        guard listing.hasMorePages, !isLoading, listing.error == nil, listing.pages >= query.pages,
            query.pages < RepositoriesQuery.maximumPages
        else { return nil }
        return "/repositories\(query.more.suffix)"
    }

    /// Where the list goes on once a view is as long as one may be.
    var onAddress: String? {
        guard listing.hasMorePages, let next = listing.next, query.pages >= RepositoriesQuery.maximumPages,
            listing.pages >= query.pages
        else { return nil }
        var on = query
        on.list = .all(since: next)
        on.pages = 1
        return "/repositories\(on.suffix)"
    }

    var endWords: String? {
        guard !listing.hasMorePages, !isLoading, listing.error == nil, !listing.items.isEmpty else {
            return nil
        }
        return "That is all: GitHub has no further page."
    }

    var emptyWords: String? {
        guard shown == 0, !isLoading else { return nil }
        if !listing.items.isEmpty { return "Nothing that is loaded fits the filter." }
        guard listing.error == nil, listing.updatedAt != nil else { return nil }
        return "GitHub has no repository like this."
    }
}

extension FreshnessView {
    /// Seconds beyond its lifetime in which a list is fetched again before it counts as old.
    private static let renewalTolerance: TimeInterval = 60

    /// In the words of every live region.
    init(_ listing: RepositoryListing) {
        let staleAt = listing.expiresAt.map { $0 + Self.renewalTolerance }
        let isOld = staleAt.map { $0 < listing.now } ?? false
        let state: State =
            if listing.error != nil || isOld { .stale } else if listing.updatedAt != nil { .live } else {
                .loading
            }
        let isOnItsWay = isOld && listing.isRenewing && listing.error == nil
        self.init(
            state: state, updatedAt: listing.updatedAt,
            nextAt: listing.error == nil ? nil : listing.nextTryAt, staleAt: state == .live ? staleAt : nil,
            reason: isOnItsWay ? "A newer list is on its way." : nil, source: "GitHub", now: listing.now)
    }
}
