package import Logging
package import RoostSupport

/// Wires the services for bookmarks, and runs their background work.
package struct BookmarkParts: Service {
    package struct Configuration: Sendable {
        package let accounts: any RepositoryAccounts
        package var limit = 20_000
        package var minimumInterval = Duration.seconds(1)

        /// Without a trailing slash: "https://github.com".
        var webURL: String { accounts.standardHost.webURL }

        package init(_ accounts: any RepositoryAccounts) { self.accounts = accounts }
    }

    package let bookmarks: BookmarkService
    package let files: BookmarkFileService
    package let stars: BookmarkStarImporter
    package let refresher: BookmarkRefresher

    package init(
        source: any BookmarkSource, stars starSource: any StarSource, database: Database,
        configuration: Configuration, heavyWork: HeavyWorkQueue = HeavyWorkQueue(),
        clock: WallClock, log: Logger
    ) {
        let schedule = BookmarkRefreshSchedule(clock: clock, minimumInterval: configuration.minimumInterval)
        bookmarks = BookmarkService(
            source: source, database: database, schedule: schedule, limit: configuration.limit,
            heavyWork: heavyWork, clock: clock)
        files = BookmarkFileService(
            database: database, schedule: schedule, configuration: configuration, heavyWork: heavyWork,
            clock: clock)
        stars = BookmarkStarImporter(
            source: starSource, database: database, schedule: schedule, configuration: configuration,
            clock: clock)
        refresher = BookmarkRefresher(
            source: source, database: database, schedule: schedule,
            accounts: configuration.accounts, clock: clock, log: log)
    }

    package func load() async throws { try await refresher.load() }

    package func run() async {
        await withDiscardingTaskGroup { group in
            for service: any Service in [stars, refresher] {
                group.addTask { await service.run() }
            }
        }
    }

    package var userData: [UserData] {
        [
            .deleted(
                "Bookmarks with tags and notes, and imports of stars",
                from: ["bookmarks", "bookmark_tags", "bookmark_counts", "bookmark_star_imports"])
        ]
    }

    package func forget(_ user: UserID) { refresher.forget(user) }
}
