import Foundation
package import HTTPClient
package import Logging

/// All that Roost knows and does, put together once: for the program and for the tests alike.
package final class Services: Sendable {
    /// What the services need to know from the settings.
    package struct Configuration: Sendable {
        package var dataFolder: String
        package var coinGeckoURL: String?
        package var coinGeckoPlan = CoinGeckoPlan.keyless
        package var coinGeckoKey: String?
        package var gitHub = GitHubConfiguration()
        package var currency = "usd"
        /// Seconds between two requests for prices, against the plan's own figure.
        package var priceInterval: Int?
        /// Whether an interval that the plan cannot give is warned of.
        package var warnsOfInterval = true
        /// What the owner is called before somebody takes his place.
        package var standInName = AccountService.standInName
        /// What hashing a password costs; only tests take less than the standard.
        package var passwordCost = PasswordCost.standard
        /// Where systemd's credentials are named: `CREDENTIALS_DIRECTORY`.
        package var environment: [String: String] = [:]
        /// How signing in at GitHub sleeps between two questions, in seconds; only tests do it otherwise.
        package var signInPause: @Sendable (Double) async throws -> Void = {
            try await Task.sleep(for: .seconds($0))
        }
        /// Told of every SQL statement, for tests that count them.
        package var trace: (@Sendable (String) -> Void)?

        package init(dataFolder: String) {
            self.dataFolder = dataFolder
        }
    }

    package let accounts: AccountService
    package let sessions: SessionService
    package let tokens: TokenService
    package let invitations: InvitationService
    package let resets: ResetService
    package let audit: AuditLog
    package let upstreamTokens: any TokenStorage
    package let watchlist: WatchlistService
    package let displays: DisplayService
    package let gitHub: GitHubAccountService
    package let pulls: PullService
    package let pictures: PictureCache
    package let repositories: RepositoryService
    package let bookmarks: BookmarkService
    package let catalog: CoinCatalog
    package let prices: PriceFeed
    package let feed = ChangeFeed()
    /// For all that grows with what a user keeps, sends or asks for.
    package let heavyWork = HeavyWorkQueue()
    package let clock: WallClock
    package let currency: String

    private let calls: CallCounter
    private let maintenance: DatabaseMaintenance
    private let parts: AccountParts
    private let watch: DatabaseWatch

    /// Opens the database and wires the services; nothing runs yet.
    package init(
        _ configuration: Configuration, client: HTTPClient, clock: WallClock = WallClock(), log: Logger
    ) throws {
        let database = try Database.open(in: configuration.dataFolder, trace: configuration.trace)
        maintenance = DatabaseMaintenance(database: database)
        self.clock = clock
        currency = configuration.currency
        let plan = configuration.coinGeckoPlan
        let api = CoinGeckoAPI(
            client: client, url: configuration.coinGeckoURL ?? plan.defaultURL, plan: plan,
            key: configuration.coinGeckoKey, currency: configuration.currency, clock: clock, log: log)
        calls = CallCounter(plan: plan, store: CallBudgetStore(database: database), clock: clock, log: log)
        catalog = CoinCatalog(
            api: api, store: CoinListStore(database: database), calls: calls, feed: feed, clock: clock,
            log: log)
        let lists = WatchlistStore(database: database)
        prices = PriceFeed(
            api: api,
            schedule: PriceSchedule(
                plan: plan, override: configuration.priceInterval,
                warns: configuration.warnsOfInterval),
            calls: calls,
            feed: feed, clock: clock, log: log, watched: { try await lists.allCoinIds() })
        watchlist = WatchlistService(
            store: lists, catalog: catalog, prices: prices, feed: feed, clock: clock, log: log)
        displays = DisplayService(store: DisplayStore(database: database), feed: feed, clock: clock, log: log)
        let sealer = try Sealer.load(
            folder: configuration.dataFolder, environment: configuration.environment)
        upstreamTokens = SealedTokenStorage(
            sealer: sealer, store: SealedSecretStore(database: database), clock: clock)
        let audit = AuditLog(store: AuditStore(database: database), clock: clock, log: log)
        gitHub = GitHubAccountService(
            configuration.gitHub, api: GitHubAPI(client: client, clock: clock),
            store: GitHubAccountStore(database: database), tokens: upstreamTokens, audit: audit, feed: feed,
            log: log, pause: configuration.signInPause)
        pulls = PullService(
            accounts: gitHub, store: PullStore(database: database), feed: feed, clock: clock, log: log)
        pictures = PictureCache(
            folder: configuration.dataFolder + "/pictures", api: PictureAPI(client: client), feed: feed,
            clock: clock, log: log)
        repositories = RepositoryService(
            accounts: gitHub, store: RepositoryStore(database: database), feed: feed, heavyWork: heavyWork,
            clock: clock, log: log,
            clean: { ReadmeCleaner.clean($0, repository: $1, branch: $2, host: $3) })
        bookmarks = BookmarkService(
            source: repositories, store: BookmarkStore(database: database),
            surroundings: .init(gitHub), feed: feed, heavyWork: heavyWork, clock: clock, log: log)
        parts = AccountParts(
            AccountStores(database: database), sealer: sealer, cost: configuration.passwordCost,
            standInName: configuration.standInName, audit: audit, feed: feed, clock: clock, log: log,
            removed: { [watchlist, displays, gitHub, pulls, repositories, bookmarks] users in
                for user in users {
                    bookmarks.forget(user)
                    repositories.forget(user)
                    gitHub.forget(user)
                    pulls.forget(user)
                    watchlist.forget(user)
                    displays.forget(all: user)
                }
            })
        accounts = parts.accounts
        sessions = parts.sessions
        tokens = parts.tokens
        invitations = parts.invitations
        resets = parts.resets
        self.audit = audit
        watch = DatabaseWatch(
            database: database, path: Self.databasePath(in: configuration.dataFolder))
    }

    /// Reads what requests need from the first moment on.
    package func prepare() async throws {
        try await displays.load()
        await calls.load()
        try await accounts.load()
        try await gitHub.load()
        try await pulls.load()
        await pictures.load()
        try await repositories.load()
        try await bookmarks.load()
        watch.listen()
    }

    /// Whether the accounts in memory may be older than the disk: another process may have written.
    package var mayBeBehind: Bool { watch.mayHaveChanged }

    /// Takes over what other processes, such as `roost token revoke`, have changed of accounts until now.
    package func catchUp() async {
        await watch.catchUp { await parts.reload() }
    }

    /// Runs the background work until cancelled.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.feed.run() }
            group.addTask { await self.catalog.run() }
            group.addTask { await self.prices.run() }
            group.addTask { await self.displays.run() }
            group.addTask { await self.gitHub.run() }
            group.addTask { await self.pulls.run() }
            group.addTask { await self.pictures.run() }
            group.addTask { await self.repositories.run() }
            group.addTask { await self.bookmarks.run() }
            group.addTask { await self.parts.run() }
            group.addTask { await self.watch.run { await self.parts.reload() } }
        }
    }

    /// Where the database lies in a data folder.
    package static func databasePath(in folder: String) -> String { folder + "/" + Database.fileName }

    /// What SQLite's own checks find wrong, a line each; empty when all is well.
    package func problems() async throws -> [String] { try await maintenance.problems() }

    /// Copies the database to a new file while it is in use; refuses to overwrite one.
    package func backup(to path: String) async throws { try await maintenance.backup(to: path) }

    /// Closes the database; nothing may be asked of the services after it.
    package func close() throws {
        parts.stop()
        try maintenance.close()
    }
}
