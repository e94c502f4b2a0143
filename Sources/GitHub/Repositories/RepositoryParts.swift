package import Logging
package import RoostSupport

/// Wires the services for GitHub's repositories, and runs their background work.
package final class RepositoryParts: Service {
    /// In addition to the rows that bookmarks refer to.
    static let maximumDetails = 50_000
    static let maximumReadmes = 2_000
    private static let cleanUpInterval = Duration.seconds(600)

    package let lists: RepositoryListService
    package let details: RepositoryDetailService
    package let choices: RepositoryPreferencesService
    package let cards: any LinkCards
    package let refresher: RepositoryRefresher
    package let fetcher: RepositoryFetcher
    private let accounts: any RepositoryAccounts
    private let queues: RepositoryRequestQueues
    private let cache = RepositoryListCache()
    private let catalog: RepositoryCatalog
    private let prefetcher: RepositoryPrefetcher
    private let publisher: ThrottledPublisher

    package init(
        accounts: any RepositoryAccounts, database: Database, feed: ChangeFeed,
        heavyWork: HeavyWorkQueue = HeavyWorkQueue(), clock: WallClock, log: Logger
    ) {
        self.accounts = accounts
        publisher = ThrottledPublisher(feed: feed)
        queues = RepositoryRequestQueues(accounts: accounts, clock: clock)
        catalog = RepositoryCatalog(database: database, lists: cache, publisher: publisher, clock: clock)
        fetcher = RepositoryFetcher(
            queues: queues, catalog: catalog, lists: cache, database: database, publisher: publisher,
            host: accounts.standardHost, heavyWork: heavyWork, clock: clock, log: log)
        prefetcher = RepositoryPrefetcher(
            queues: queues, fetcher: fetcher, catalog: catalog, lists: cache, clock: clock, log: log)
        refresher = RepositoryRefresher(
            queues: queues, fetcher: fetcher, prefetcher: prefetcher, lists: cache, publisher: publisher,
            clock: clock, log: log)
        lists = RepositoryListService(
            queues: queues, catalog: catalog, lists: cache, prefetcher: prefetcher, refresher: refresher,
            clock: clock)
        details = RepositoryDetailService(
            queues: queues, catalog: catalog, lists: cache, database: database, fetcher: fetcher,
            refresher: refresher, clock: clock)
        cards = RepositoryCards(queues: queues, catalog: catalog, host: accounts.standardHost)
        choices = RepositoryPreferencesService(database: database)
        accounts.listen { [weak self] user in self?.accountsChanged(of: user) }
    }

    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.publisher.run() }
            group.addTask { await self.cleanUpRegularly() }
            await refresher.run()
            group.cancelAll()
        }
        publisher.flush()
    }

    private func cleanUpRegularly() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.cleanUpInterval)
            guard !Task.isCancelled else { return }
            await makeRoom()
        }
    }

    /// Removes the least recently used rows. Rows that bookmarks refer to stay.
    package func makeRoom(
        details: Int = RepositoryParts.maximumDetails, readmes: Int = RepositoryParts.maximumReadmes
    ) async {
        prefetcher.removeExpired()
        await catalog.makeRoom(details: details, readmes: readmes)
    }

    package var userData: [UserData] {
        [
            .deleted(
                "Saved copies of private repositories",
                from: ["repositories", "repository_readmes"])
        ]
    }

    package func forget(_ user: UserID) {
        refresher.forget(user)
        prefetcher.forget(user)
        cache.forget(user)
        queues.forget(user)
        lists.forget(user)
        catalog.forget(user)
    }

    /// Removes what only the user's account could see, once it is disconnected.
    private func accountsChanged(of user: UserID) {
        publisher.publish([Topic.repositories(user)])
        guard !accounts.hasAccount(user) else { return }
        refresher.forget(user)
        cache.forget(user)
        queues.forget(user)
        Task { [catalog] in await catalog.removeAll(of: user) }
    }
}
