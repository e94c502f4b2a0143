package import Logging
package import RoostSupport

/// GitHub's services: accounts, pull requests, repositories and bookmarks, with their background work.
package final class GitHubServices: ServiceGroup {
    package let accounts: GitHubAccountService
    package let pulls: PullService
    package let pullActions: PullActions
    package let repositories: RepositoryListService
    package let repositoryDetails: RepositoryDetailService
    package let repositoryPreferences: RepositoryPreferencesService
    package let repositoryCards: any LinkCards
    let repositoryFetcher: RepositoryFetcher
    let repositoryRefresher: RepositoryRefresher
    package let bookmarks: BookmarkService
    package let bookmarkFiles: BookmarkFileService
    package let bookmarkStars: BookmarkStarImporter
    package let bookmarkRefresher: BookmarkRefresher
    package let pictures: PictureCache
    package let heavyWork: HeavyWorkQueue
    package let services: [any Service]
    /// Their files in an export of all data.
    package var transferParts: [TransferPart] { [bookmarkFiles.transferPart] + pulls.transferParts }

    package init(
        _ configuration: GitHubConfiguration, api: GitHubAPI, database: Database, sealer: Sealer,
        audit: AuditLog, pictures: PictureCache, feed: ChangeFeed, heavyWork: HeavyWorkQueue,
        clock: WallClock, log: Logger
    ) {
        self.pictures = pictures
        self.heavyWork = heavyWork
        accounts = GitHubAccountService(
            configuration, api: api, database: database, sealer: sealer, audit: audit, feed: feed, log: log)
        pulls = PullService(accounts: accounts, database: database, feed: feed, clock: clock, log: log)
        pullActions = PullActions(pulls: pulls, audit: audit)
        let repositoryParts = RepositoryParts(
            accounts: accounts, database: database, feed: feed, heavyWork: heavyWork, clock: clock, log: log)
        repositories = repositoryParts.lists
        repositoryDetails = repositoryParts.details
        repositoryPreferences = repositoryParts.choices
        repositoryCards = repositoryParts.cards
        repositoryFetcher = repositoryParts.fetcher
        repositoryRefresher = repositoryParts.refresher
        let bookmarkParts = BookmarkParts(
            source: repositoryParts.details, stars: repositoryParts.fetcher, database: database,
            configuration: .init(accounts), heavyWork: heavyWork, clock: clock, log: log)
        bookmarks = bookmarkParts.bookmarks
        bookmarkFiles = bookmarkParts.files
        bookmarkStars = bookmarkParts.stars
        bookmarkRefresher = bookmarkParts.refresher
        services = [accounts, pulls, pullActions, repositoryParts, bookmarkParts]
    }
}
