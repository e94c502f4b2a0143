package import Foundation
package import Logging
package import RoostSupport

/// Everything about GitHub's repositories, wired: the services, what they share, and their background work.
package final class RepositoryParts: Service {
    /// Makes of GitHub's HTML what a page may show.
    package typealias Cleaning =
        @Sendable (_ html: Data, _ repository: Repository, _ branch: String, _ host: GitHubHost) -> Readme

    /// Rows that are kept besides those that bookmarks refer to.
    static let maximumDetails = 50_000
    static let maximumReadmes = 2_000
    private static let tidyInterval = Duration.seconds(600)

    package let lists: RepositoryListService
    package let details: RepositoryDetailService
    package let choices: RepositoryChoicesService
    package let cards: any LinkCards
    package let refresher: RepositoryRefresher
    package let fetcher: RepositoryFetcher
    private let accounts: any RepositoryAccounts
    private let queues: RepositoryRequestQueues
    private let cache = RepositoryListCache()
    private let catalog: RepositoryCatalog
    private let prefetcher: RepositoryPrefetcher
    private let publisher: ThrottledPublisher

    /// - Parameter clean: what may be shown of a README
    package init(
        accounts: any RepositoryAccounts, store: RepositoryStore, feed: ChangeFeed,
        heavyWork: HeavyWorkQueue = HeavyWorkQueue(), clock: WallClock, log: Logger, clean: @escaping Cleaning
    ) {
        self.accounts = accounts
        publisher = ThrottledPublisher(feed: feed)
        queues = RepositoryRequestQueues(accounts: accounts, clock: clock)
        catalog = RepositoryCatalog(store: store, lists: cache, publisher: publisher, clock: clock, log: log)
        fetcher = RepositoryFetcher(
            queues: queues, catalog: catalog, lists: cache, store: store, publisher: publisher,
            host: accounts.standardHost, clean: clean, heavyWork: heavyWork, clock: clock, log: log)
        prefetcher = RepositoryPrefetcher(
            queues: queues, fetcher: fetcher, catalog: catalog, lists: cache, clock: clock, log: log)
        refresher = RepositoryRefresher(
            queues: queues, fetcher: fetcher, prefetcher: prefetcher, lists: cache, publisher: publisher,
            clock: clock, log: log)
        lists = RepositoryListService(
            queues: queues, catalog: catalog, lists: cache, prefetcher: prefetcher, refresher: refresher,
            clock: clock)
        details = RepositoryDetailService(
            queues: queues, catalog: catalog, lists: cache, store: store, fetcher: fetcher,
            refresher: refresher, clock: clock)
        cards = RepositoryCards(queues: queues, catalog: catalog, host: accounts.standardHost)
        choices = RepositoryChoicesService(store: store, publisher: publisher, log: log)
        accounts.listen { [weak self] user in self?.accountsChanged(of: user) }
    }

    /// Asks GitHub for what is wanted until cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.publisher.run() }
            group.addTask { await self.tidy() }
            await refresher.run()
            group.cancelAll()
        }
        publisher.flush()
    }

    private func tidy() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.tidyInterval)
            guard !Task.isCancelled else { return }
            await makeRoom()
        }
    }

    /// Keeps as much as there is room for; what bookmarks refer to stays.
    package func makeRoom(
        details: Int = RepositoryParts.maximumDetails, readmes: Int = RepositoryParts.maximumReadmes
    ) async {
        prefetcher.removeExpired()
        await catalog.makeRoom(details: details, readmes: readmes)
    }

    package var userData: [UserData] {
        [
            .deleted(
                "How lists of repositories are shown, and what was read of private ones",
                from: ["repository_choices", "repositories", "repository_readmes"])
        ]
    }

    /// Drops what is in memory of a user who is gone, and whose rows are gone as well.
    package func forget(_ user: UserID) {
        refresher.forget(user)
        prefetcher.forget(user)
        cache.forget(user)
        queues.forget(user)
        lists.forget(user)
        catalog.forget(user)
    }

    /// Drops what only the user's account could see, once it is disconnected.
    private func accountsChanged(of user: UserID) {
        publisher.publish([Topic.repositories(user)])
        guard !accounts.hasAccount(user) else { return }
        refresher.forget(user)
        cache.forget(user)
        queues.forget(user)
        Task { [catalog] in await catalog.removeAll(of: user) }
    }
}
