package import Foundation
package import RoostSupport

/// Which list of GitHub's repositories somebody looks at.
package enum RepositoryList: Equatable, Hashable, Sendable {
    /// `GET /repositories`: all public ones after this number.
    case all(since: RepositoryID)
    /// GitHub's search in GitHub's own words; `sort` nil: best match.
    case search(query: String, sort: SearchSort?)
    /// Created within this time, most stars first; in one language or in all.
    case trending(TrendingPeriod, language: String?)

    package enum SearchSort: String, Codable, Sendable, CaseIterable {
        case stars, forks, updated
    }

    package enum TrendingPeriod: String, Codable, Sendable, CaseIterable {
        case day, week, month, year
    }
}

/// A list as far as it has come, at one moment; made without waiting for anybody.
package struct RepositoryListing: Sendable {
    /// Each repository once, in GitHub's order.
    package var items: [RepositoryItem]
    /// How many pages `items` are made of: fewer than asked for while one is on its way, or at the end.
    package var pages: Int
    /// Of the page that comes next or was asked for last: loading, failed; idle when none is asked for.
    package var loading: LoadingState<Date>
    /// Why the next page is not here, until it is; what is loaded stays.
    package var error: APIError?
    /// Why GitHub cannot search for this, in its words: stands at the search field.
    package var refusal: String?
    /// When it may be tried again.
    package var nextTryAt: Date?
    /// Whether GitHub named a next page.
    package var hasMorePages: Bool
    /// Of `.all`: where the next page begins, for a list that goes on in a view of its own.
    package var next: RepositoryID?
    /// The oldest page's.
    package var updatedAt: Date?
    /// When the first of its pages is to be fetched again.
    package var expiresAt: Date?
    /// Pages that are older are being fetched again.
    package var isRenewing = false
    /// Items that GitHub sent malformed; they were left out.
    package var refused: Int
    /// Of a search: how many GitHub says there are; it hands out 1,000.
    package var total: Int?
    package var isIncomplete: Bool
    /// Of whoever asks for this user: his account, or all who have none together.
    package var budget: RateBudget?
    /// Whether the user's own account, or the server's token, is asked with: then details come fifty at a
    /// time.
    package var isSignedIn: Bool
    package var now: Date

    package init(now: Date) {
        items = []
        pages = 0
        loading = .idle
        hasMorePages = false
        refused = 0
        isIncomplete = false
        isSignedIn = false
        self.now = now
    }
}

/// One repository's page, as far as it has come.
package struct RepositoryView: Sendable {
    package let name: RepositoryName
    /// Nil: nothing is known of it yet.
    package var item: RepositoryItem?
    package var readme: Readme?
    /// Of the detail.
    package var loading: LoadingState<Date>
    package var error: APIError?
    /// GitHub says that there is no such repository, or none that one may see.
    package var isGone: Bool
    package var readmeLoading: LoadingState<Date>
    /// GitHub says that it has no README.
    package var hasNoReadme: Bool
    package var readmeError: APIError?
    package var nextTryAt: Date?
    package var budget: RateBudget?
    package var now: Date

    package init(name: RepositoryName, now: Date) {
        self.name = name
        loading = .idle
        isGone = false
        readmeLoading = .idle
        hasNoReadme = false
        self.now = now
    }
}

/// How a user's lists look; kept for each kind of list.
package struct RepositoryChoices: Codable, Equatable, Hashable, Sendable {
    package enum List: String, Codable, Sendable, CaseIterable {
        case browse, bookmarks
    }

    package var grouping: GroupingOption
    package var sort: RepositorySort
    /// Ids of groups; 200 at most.
    package var collapsed: Set<String>

    package init(
        grouping: GroupingOption = .none, sort: RepositorySort = .listed, collapsed: Set<String> = []
    ) {
        self.grouping = grouping
        self.sort = sort
        self.collapsed = collapsed
    }
}
