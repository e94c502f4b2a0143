package import Logging
package import RoostSupport

/// Everything about bookmarks, wired: the services, what they share, and their background work.
package struct BookmarkParts: Service {
    /// What bookmarks need to know of the standard GitHub.
    package struct Configuration: Sendable {
        /// Without a slash at the end: "https://github.com".
        package var webURL: String
        /// Whether the user has an account there that can be asked.
        var hasAccount: @Sendable (UserID) -> Bool
        /// Bookmarks a user may have.
        package var limit = 20_000
        /// Seconds between two questions about bookmarks.
        package var minimumInterval = 1.0

        package init(webURL: String, hasAccount: @escaping @Sendable (UserID) -> Bool) {
            self.webURL = webURL
            self.hasAccount = hasAccount
        }

        package init(_ accounts: GitHubAccountService) {
            let host = accounts.hosts.standard
            self.init(webURL: host.webURL) { user in
                accounts.accounts(of: user).contains { $0.host == host.name && $0.state == .authenticated }
            }
        }
    }

    package let bookmarks: BookmarkService
    package let files: BookmarkFileService
    package let stars: BookmarkStarImporter
    package let refresher: BookmarkRefresher

    package init(
        source: any BookmarkSource, stars starSource: any StarSource, store: BookmarkStore,
        configuration: Configuration, feed: ChangeFeed, heavyWork: HeavyWorkQueue = HeavyWorkQueue(),
        clock: WallClock, log: Logger
    ) {
        let schedule = BookmarkRefreshSchedule(clock: clock, minimumInterval: configuration.minimumInterval)
        let writer = BookmarkWriter(
            store: store, undoEnds: SteadyEnds(clock: clock), schedule: schedule, feed: feed, log: log)
        bookmarks = BookmarkService(
            source: source, store: store, writer: writer, limit: configuration.limit, heavyWork: heavyWork,
            clock: clock, log: log)
        files = BookmarkFileService(
            store: store, writer: writer, configuration: configuration, heavyWork: heavyWork, clock: clock)
        stars = BookmarkStarImporter(
            source: starSource, store: store, writer: writer, configuration: configuration, clock: clock,
            log: log)
        refresher = BookmarkRefresher(
            source: source, store: store, writer: writer, schedule: schedule,
            hasAccount: configuration.hasAccount, clock: clock, log: log)
    }

    package func load() async throws { try await refresher.load() }

    package func run() async {
        await withDiscardingTaskGroup { group in
            for service: any Service in [bookmarks, stars, refresher] {
                group.addTask { await service.run() }
            }
        }
    }

    package var userData: [UserData] {
        [
            .deleted(
                "Bookmarks with tags and notes, changes that can be undone, and the import of stars",
                from: [
                    "bookmarks", "bookmark_tags", "bookmark_counts", "bookmark_undos", "bookmark_undo_steps",
                    "bookmark_star_imports",
                ])
        ]
    }

    package func forget(_ user: UserID) { refresher.forget(user) }
}
