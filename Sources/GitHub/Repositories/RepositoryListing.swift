package import Foundation
package import RoostSupport

package enum RepositoryList: Equatable, Hashable, Sendable {
    /// `GET /repositories`: all public ones after this id.
    case all(since: RepositoryID)
    /// GitHub's search with its own syntax. A nil `sort` means best match.
    case search(query: String, sort: SearchSort?)
    /// The most starred repositories created in this period, in one language or in all.
    case trending(TrendingPeriod, language: String?)

    package enum SearchSort: String, Codable, Sendable, CaseIterable {
        case stars, forks, updated
    }

    package enum TrendingPeriod: String, Codable, Sendable, CaseIterable {
        case day, week, month, year
    }
}

/// A snapshot of a list, as far as it has loaded.
package struct RepositoryListing: Sendable {
    /// Each repository once, in GitHub's order.
    package var items: [RepositoryItem]
    /// The number of pages in `items`: fewer than requested while one is loading, or at the end.
    package var pages: Int
    /// The state of the next page, or of the page requested last. Idle if no page is requested.
    package var loading: LoadingState<Date>
    package var error: APIError?
    /// Why GitHub rejects the search; shown at the search field.
    package var refusal: String?
    package var nextTryAt: Date?
    package var hasMorePages: Bool
    /// Where the next page of `.all` starts, for a list that continues on a page of its own.
    package var next: RepositoryID?
    /// When the oldest page was fetched.
    package var updatedAt: Date?
    /// When the first of the pages expires.
    package var expiresAt: Date?
    package var isRenewing = false
    /// The number of malformed items, which are left out.
    package var refused: Int
    /// A search's total; GitHub returns only the first 1,000.
    package var total: Int?
    package var isIncomplete: Bool
    /// The budget of the user's account, or of the shared client.
    package var budget: RateBudget?
    /// True with the user's own account or the server's token: details are then fetched fifty at a time.
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

package struct RepositoryView: Sendable {
    package let name: RepositoryName
    package var item: RepositoryItem?
    package var readme: Readme?
    package var loading: LoadingState<Date>
    package var error: APIError?
    package var isMissing: Bool
    package var readmeLoading: LoadingState<Date>
    /// Distinguishes a repository without a README from one whose README has not loaded.
    package var hasNoReadme: Bool
    package var readmeError: APIError?
    package var nextTryAt: Date?
    package var budget: RateBudget?
    package var now: Date

    package init(name: RepositoryName, now: Date) {
        self.name = name
        loading = .idle
        isMissing = false
        readmeLoading = .idle
        hasNoReadme = false
        self.now = now
    }
}

/// How a user's lists of repositories look.
package struct RepositoryPreferences: Preferences, Equatable {
    package enum List: String, Codable, Sendable, CaseIterable {
        case browse, bookmarks
    }

    package static let name = "repositories"

    private var browse = RepositoryListPreferences()
    private var bookmarks = RepositoryListPreferences()

    package init() {}

    package subscript(list: List) -> RepositoryListPreferences {
        get { list == .browse ? browse : bookmarks }
        set { if list == .browse { browse = newValue } else { bookmarks = newValue } }
    }
}

package struct RepositoryListPreferences: Codable, Hashable, Sendable {
    package var grouping: GroupingOption = .none
    package var sort: RepositorySort = .listed
    /// Ids of groups, at most 200.
    package var collapsed: Set<String> = []
}
