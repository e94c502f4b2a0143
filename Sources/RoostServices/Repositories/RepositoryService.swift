package import Foundation
package import Logging

/// GitHub's repositories: lists, details and READMEs from memory and SQLite, fetched in the background.
package final class RepositoryService: Sendable {
    /// What was learned of repositories, by whomever.
    package struct News: Sendable {
        package let items: [RepositoryItem]
        /// Nil: everybody may know; otherwise they are private, and this user's account sees them.
        package let owner: UserID?
    }

    /// What became of a reader's wish to try now.
    package enum Retry: Equatable, Sendable {
        case started
        case mustWait(until: Date)
    }

    private let clock: WallClock

    init(
        accounts: GitHubAccountService, store: RepositoryStore, feed: ChangeFeed, clock: WallClock,
        log: Logger
    ) {
        self.clock = clock
    }

    // MARK: What pages ask; none of these waits for GitHub

    /// A list's first `pages` pages with all that is known of their repositories; what is missing is now on its way.
    package func listing(_ list: RepositoryList, pages: Int, for user: UserID) async throws
        -> RepositoryListing
    {
        RepositoryListing(now: clock.now())
    }

    /// What is known of one repository; detail and README are now on their way if they are missing or old.
    package func view(of name: RepositoryName, for user: UserID) async throws -> RepositoryView {
        RepositoryView(name: name, now: clock.now())
    }

    /// These rows are on the user's screen: their details are wanted, the last named first.
    package func want(_ ids: [RepositoryID], for user: UserID) {}

    /// A click on "Refresh" or "Try again".
    package func retry(_ list: RepositoryList, for user: UserID) -> Retry { .started }
    package func retry(_ name: RepositoryName, for user: UserID) -> Retry { .started }

    package func choices(of user: UserID, for list: RepositoryChoices.List) -> RepositoryChoices { .init() }

    /// Answers after the commit.
    package func choose(
        _ choices: RepositoryChoices, for list: RepositoryChoices.List, of user: UserID
    ) async throws {}

    // MARK: What the JSON interface and bookmarks ask; these wait for GitHub, 10 s at most

    /// One page of all public repositories. Throws `RoostError.unavailable` in words when GitHub does not answer.
    package func page(since: RepositoryID, for user: UserID) async throws -> RepositoryListing {
        RepositoryListing(now: clock.now())
    }

    /// A repository with its detail, from here if it is not older than an hour. Throws `RoostError.notFound` where GitHub
    /// knows none, and `.unavailable`.
    package func item(named name: RepositoryName, for user: UserID) async throws -> RepositoryItem {
        throw RoostError.notFound("There is no such repository, or none that you may see.")
    }

    // MARK: For bookmarks

    /// Tells of everything that is learned, after it is kept; must not block. There is one listener a feature.
    package func listen(_ listener: @escaping @Sendable (News) -> Void) {}

    /// Repositories that must not be forgotten to make room: asked before anything is.
    package func keep(_ ids: @escaping @Sendable () -> Set<RepositoryID>) {}

    /// Asks GitHub for one repository anew, conditionally, as background work of this user's within the limits, and tells
    /// the listeners. Throws `GitHubFailure` (a limit's when the share for background work is used up: `retryAfter`
    /// says when to come again) and `CancellationError`.
    package func refresh(_ name: RepositoryName, for user: UserID) async throws -> Refreshed {
        throw CancellationError()
    }

    package enum Refreshed: Equatable, Sendable {
        case unchanged
        /// Also under another name: GitHub sent on to it (301).
        case changed(RepositoryItem)
        /// 404, 410 or 451.
        case gone
    }

    /// One page of what the user has starred, with when; `next` is the path for the next call. As background work.
    /// Throws `GitHubFailure`; `RoostError.unavailable` without an account on the standard host.
    package func starred(_ path: String?, for user: UserID) async throws
        -> (items: [(item: RepositoryItem, starredAt: Date)], next: String?)
    { throw RoostError.unavailable("Connect GitHub first.") }

    // MARK: Running

    package func load() async throws {}
    package func forget(_ user: UserID) {}
    package func run() async {}
}
