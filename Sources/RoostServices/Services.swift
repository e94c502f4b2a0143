package import Accounts
package import Chat
import Foundation
package import GitHub
package import HTTPClient
package import Logging
package import Market
package import Reading
package import RoostSupport

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
        /// How many chat messages a person may send at once, and then each second.
        package var chatBurst = 300
        package var chatRate = 20
        /// How long a site may take for a saved page; only tests take less than the standard.
        var articleTimeout = Duration.seconds(20)
        /// Who writes gists in the place of Roost's own summariser.
        package var gistModel: GistModelConfiguration?
        /// What hashing a password costs; only tests take less than the standard.
        var passwordCost = PasswordCost.standard
        /// Where systemd's credentials are named: `CREDENTIALS_DIRECTORY`.
        package var environment: [String: String] = [:]
        /// The file that the settings name for the secret key.
        package var keyFile: String?
        /// False for commands: they seal and open nothing, and must not make a key that the server does not have.
        package var usesKey = true
        /// What no log line may contain; the log has the same.
        package var secrets = KnownSecrets()
        /// How signing in at GitHub sleeps between two questions, in seconds; only tests do it otherwise.
        var signInPause: @Sendable (Double) async throws -> Void = {
            try await Task.sleep(for: .seconds($0))
        }
        /// How many pages the database may have, for tests that fill it up.
        package var maximumPages: Int?
        /// Called with each connection to the database, for tests that watch its statements.
        package var prepareDatabase = Database.Preparation()

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
    let upstreamTokens: any TokenStorage
    /// Why Roost has no key for its stored secrets, in words for the operator; nil where it has the right one.
    package let keyProblem: String?
    package let watchlist: WatchlistService
    package let watchlistFiles: WatchlistFiles
    package let alerts: AlertService
    package let displays: DisplayService
    package let displayPairings: DisplayPairingService
    package let gitHub: GitHubAccountService
    package let pulls: PullService
    package let pictures: PictureCache
    package let repositories: RepositoryListService
    package let repositoryDetails: RepositoryDetailService
    package let repositoryChoices: RepositoryChoicesService
    let repositoryFetcher: RepositoryFetcher
    let repositoryRefresher: RepositoryRefresher
    package let bookmarks: BookmarkService
    package let bookmarkFiles: BookmarkFileService
    package let bookmarkStars: BookmarkStarImporter
    package let bookmarkRefresher: BookmarkRefresher
    package let chat: ChatService
    package let chatFiles: ChatFileService
    package let chatSearch: ChatSearchService
    package let chatWebhooks: ChatWebhookService
    package let chatExports: ChatExportService
    package let chatCards: ChatCards
    package let chatCommands: ChatCommands
    package let reading: ReadingService
    /// The same, for features that have links to be read.
    package let readingListSaver: any ReadingListSaver
    package let gists: GistService
    package let sharedItems: SharedItemService
    let readingWorker: ReadingWorker
    package let articleImports: ArticleImportService
    package let articleExports: ArticleExportService
    package let articleEPUBs: ArticleEPUBService
    package let readingFeeds: ReadingFeedService
    package let catalog: CoinCatalog
    package let prices: PriceRefresher
    package let charts: CoinChartService
    package let currencies: SupportedCurrencies
    package let logos: CoinLogos
    package let feed = ChangeFeed()
    package let storage: StorageProbe
    package let health: DatabaseHealth
    package let upkeep: DatabaseUpkeep
    /// For what one request reads.
    package let reads: SharedReads
    /// For all that grows with what a user keeps, sends or asks for.
    package let heavyWork = HeavyWorkQueue()
    package let clock: WallClock
    package let currency: String

    private let calls: CallCounter
    private let maintenance: DatabaseMaintenance
    private let parts: AccountModule
    /// Every service, in the order of loading; a new feature's is named here.
    private let all: [any Service]

    /// Opens the database and wires the services; nothing runs yet.
    package init(
        _ configuration: Configuration, client: HTTPClient, clock: WallClock = WallClock(), log: Logger
    ) throws {
        try DataFolder.prepare(configuration.dataFolder, log: log)
        let database = try Database.open(
            in: configuration.dataFolder, maximumPages: configuration.maximumPages,
            prepare: configuration.prepareDatabase.prepare)
        let reads = SharedReads(database)
        self.reads = reads
        upkeep = DatabaseUpkeep(database: database, reads: reads)
        health = DatabaseHealth(path: Self.databasePath(in: configuration.dataFolder), log: log)
        maintenance = DatabaseMaintenance(database: database, check: Self.check, log: log)
        storage = StorageProbe(folder: configuration.dataFolder)
        self.clock = clock
        let secrets = configuration.secrets
        for secret in [
            configuration.gitHub.token?.value, configuration.gitHub.clientSecret, configuration.coinGeckoKey,
            configuration.gistModel?.key,
        ] { secrets.note(secret) }
        currency = Currency.code(configuration.currency)
        let plan = configuration.coinGeckoPlan
        let api = CoinGeckoAPI(
            client: client, url: configuration.coinGeckoURL ?? plan.defaultURL, plan: plan,
            key: configuration.coinGeckoKey, secrets: secrets, currency: currency, clock: clock, log: log)
        calls = CallCounter(plan: plan, store: CallBudgetStore(database: database), clock: clock, log: log)
        catalog = CoinCatalog(
            api: api, store: CoinListStore(database: database), calls: calls, feed: feed, clock: clock,
            log: log)
        let lists = WatchlistStore(database: database)
        let alertStore = AlertStore(database: database)
        let currencies = SupportedCurrencies(api: api, calls: calls, feed: feed, clock: clock, log: log)
        self.currencies = currencies
        prices = PriceRefresher(
            api: api,
            schedule: PriceSchedule(
                plan: plan, override: configuration.priceInterval,
                warns: configuration.warnsOfInterval),
            calls: calls,
            feed: feed, clock: clock, log: log, isCurrency: { currencies.contains($0) },
            watched: { [currency] in
                let listed = try await lists.watchedByCurrency(standard: currency)
                return listed.merging(try await alertStore.watched()) { $0.union($1) }
            })
        charts = CoinChartService(api: api, calls: calls, feed: feed, clock: clock, log: log)
        watchlist = WatchlistService(
            store: lists, catalog: catalog, prices: prices, currencies: currencies, feed: feed, clock: clock,
            undos: SteadyEnds(clock: clock), log: log)
        watchlistFiles = WatchlistFiles(watchlist: watchlist, heavyWork: heavyWork)
        let key = DatabaseKey(
            store: SecretKeyStore(database: database), folder: configuration.dataFolder,
            environment: configuration.environment, keyFile: configuration.keyFile, columns: Self.sealed,
            log: log)
        let sealer: Sealer
        if configuration.usesKey {
            (sealer, keyProblem) = try key.load()
        } else {
            (sealer, keyProblem) = (.withoutKey, nil)
            try key.warnOfWrongKey()
        }
        displays = DisplayService(
            store: DisplayStore(database: database), sealer: sealer, feed: feed, clock: clock, log: log)
        displayPairings = DisplayPairingService(
            store: DisplayPairingStore(database: database), displays: displays, feed: feed, clock: clock)
        upstreamTokens = SealedTokenStorage(
            sealer: sealer, store: SealedSecretStore(database: database), clock: clock)
        let audit = AuditLog(store: AuditStore(database: database), clock: clock, log: log)
        gitHub = GitHubAccountService(
            configuration.gitHub, api: GitHubAPI(client: client, secrets: secrets, clock: clock),
            store: GitHubAccountStore(database: database), tokens: upstreamTokens, audit: audit, feed: feed,
            log: log, pause: configuration.signInPause)
        pulls = PullService(
            accounts: gitHub, store: PullStore(database: database), feed: feed, clock: clock, log: log)
        let thumbnails = ThumbnailMaker()
        pictures = PictureCache(
            folder: configuration.dataFolder + "/pictures", api: PictureAPI(client: client),
            thumbnails: thumbnails, feed: feed, clock: clock, log: log)
        logos = CoinLogos(
            prices: prices, pictures: pictures, source: CoinPictureSource(home: api.home))
        let bookmarkStore = BookmarkStore(database: database)
        let repositoryParts = RepositoryParts(
            accounts: gitHub, store: RepositoryStore(database: database, follower: bookmarkStore), feed: feed,
            heavyWork: heavyWork, clock: clock, log: log,
            clean: { Readme.cleaned($0, repository: $1, branch: $2, host: $3) })
        repositories = repositoryParts.lists
        repositoryDetails = repositoryParts.details
        repositoryChoices = repositoryParts.choices
        repositoryFetcher = repositoryParts.fetcher
        repositoryRefresher = repositoryParts.refresher
        let bookmarkParts = BookmarkParts(
            source: repositoryParts.details, stars: repositoryParts.fetcher, store: bookmarkStore,
            configuration: .init(gitHub), feed: feed, heavyWork: heavyWork, clock: clock, log: log)
        bookmarks = bookmarkParts.bookmarks
        bookmarkFiles = bookmarkParts.files
        bookmarkStars = bookmarkParts.stars
        bookmarkRefresher = bookmarkParts.refresher
        let chatFileStore = ChatFileStore(database: database)
        chat = ChatService(
            cursors: sealer.numbers(for: "chat log"),
            store: ChatStore(database: database, attachments: chatFileStore), burst: configuration.chatBurst,
            rate: configuration.chatRate, feed: feed, clock: clock, log: log)
        chatFiles = ChatFileService(
            store: chatFileStore, heavyWork: heavyWork, thumbnails: thumbnails, clock: clock, log: log)
        chatSearch = ChatSearchService(store: ChatSearchStore(database: database))
        chatWebhooks = ChatWebhookService(
            store: ChatWebhookStore(database: database), chat: chat, clock: clock, log: log)
        chatExports = ChatExportService(chat: chat, files: chatFiles, clock: clock)
        alerts = AlertService(
            store: alertStore, catalog: catalog, prices: prices, currencies: currencies,
            delivery: ChatAlertDelivery(chat: chat),
            currency: { [watchlist, currency] in try await watchlist.choices(of: $0).currency ?? currency },
            feed: feed, clock: clock, log: log)
        let readingParts = ReadingModule(
            store: ReadingStore(database: database),
            pages: ArticlePageAPI(client: client, timeout: configuration.articleTimeout),
            model: configuration.gistModel.map {
                GistModelAPI(client: client, configuration: $0, secrets: secrets)
            },
            pictures: pictures, sealer: sealer, feed: feed, heavyWork: heavyWork, clock: clock, log: log)
        reading = readingParts.reading
        readingListSaver = readingParts.reading
        gists = readingParts.gists
        sharedItems = readingParts.sharedItems
        readingWorker = readingParts.worker
        let readingFiles = ReadingFilesModule(
            imports: ArticleImportStore(database: database), exports: ArticleExportStore(database: database),
            feeds: ReadingFeedStore(database: database), reading: reading, pictures: pictures, sealer: sealer,
            heavyWork: heavyWork, feed: feed, clock: clock, log: log,
            onQueued: readingParts.worker.articles.wake)
        articleImports = readingFiles.imports
        articleExports = readingFiles.exports
        articleEPUBs = readingFiles.epubs
        readingFeeds = readingFiles.feeds
        let linkedFeatures: [any LinkCards] = [pulls, repositoryParts.cards, watchlist, reading]
        chatCards = ChatCards(linkedFeatures)
        chatCommands = ChatCommands(linkedFeatures)
        let features: [any Service] = [
            feed, calls, catalog, prices, charts, currencies, pictures, watchlist, alerts, displays, gitHub,
            pulls,
            repositoryParts,
            bookmarkParts, chat, chatFiles, chatWebhooks, readingParts,
            readingFiles,
        ]
        let identities = IdentityCache(
            database: database, path: Self.databasePath(in: configuration.dataFolder), feed: feed,
            clock: clock
        ) { changes in
            for service in features {
                for user in changes.gone { service.forget(user) }
                for user in changes.appearance { service.noteAppearance(of: user) }
            }
        }
        secrets.recognizeSessions { [weak identities] in identities?.hasSession(hash: $0) == true }
        parts = AccountModule(
            identities, sealer: sealer, cost: configuration.passwordCost,
            standInName: configuration.standInName, thumbnails: thumbnails, audit: audit, feed: feed,
            clock: clock, log: log)
        accounts = parts.accounts
        sessions = parts.sessions
        tokens = parts.tokens
        invitations = parts.invitations
        resets = parts.resets
        self.audit = audit
        all = [parts, upkeep, health] + features
    }

    /// Reads what requests need from the first moment on.
    package func prepare() async throws {
        for service in all { try await service.load() }
    }

    /// Runs the background work until cancelled.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            for service in all { group.addTask { await service.run() } }
        }
    }

    /// What is stored of a user, of every feature: what the deletion of an account takes along, and what stays.
    package var userData: [UserData] { all.flatMap(\.userData) }

    /// Where the database lies in a data folder.
    static func databasePath(in folder: String) -> String { folder + "/" + Database.fileName }

    /// What is wrong with the database, a sentence each; empty when all is well.
    package func problems() async throws -> [String] { try await maintenance.problems() }

    /// What is wrong with the database of a data folder, which is neither changed nor migrated.
    ///
    /// Throws `RoostError.unavailable` for the database of a newer version, and for a folder that is open to other users.
    package static func problems(in folder: String) async throws -> [String] {
        try DataFolder.prepare(folder)
        return try await check.problems(in: folder)
    }

    /// Makes the data folder where it is missing; what root makes belongs to the owner of the folder above.
    ///
    /// Throws `RoostError.unavailable` in words.
    package static func makeDataFolder(_ folder: String) throws { try FolderOwner.makeFolder(folder) }

    /// True where the data folder has a database.
    ///
    /// Throws `RoostError.unavailable` in words where another user's rights keep this one out.
    package static func hasDatabase(in folder: String) throws -> Bool {
        try FolderOwner.checkAccess(to: folder, file: databasePath(in: folder))
        return FileManager.default.fileExists(atPath: databasePath(in: folder))
    }

    /// Has the next start take another key than the one that the database was sealed with.
    ///
    /// Throws `RoostError.unavailable` while a server runs.
    package static func forgetKey(in folder: String) throws {
        let lock = try DataFolderLock(folder: folder)
        defer { withExtendedLifetime(lock) {} }
        let database = try Database.open(in: folder)
        let result = Result {
            try SecretKeyStore(database: database).put(.init(fingerprint: nil, path: ""))
        }
        try Database.close(database)
        try result.get()
    }

    /// Every column with sealed values.
    private static let sealed: [SealedColumn] = [
        SealedSecretStore.sealedValues, JoinLinkStore.sealedValues, DisplayStore.sealedValues,
        ReadingFeedStore.sealedValues,
        ReadingStore.sealedValues,
    ]

    private static let check = DatabaseCheck(migrator: Migrations.migrator, stored: stored)

    /// How the rows of every table are read.
    private static let stored: [StoredRows] = [
        IdentityCache.stored, AvatarStore.stored, JoinLinkStore.stored, ResetLinkStore.stored,
        KnownDeviceStore.stored,
        AuditStore.stored, SealedSecretStore.stored, SecretKeyStore.stored, CoinListStore.stored,
        CallBudgetStore.stored,
        WatchlistStore.stored, AlertStore.stored, DisplayStore.stored, DisplayPairingStore.stored,
        GitHubAccountStore.stored,
        PullStore.stored,
        RepositoryStore.stored, BookmarkStore.stored, ChatStore.stored, ChatFileStore.stored,
        ChatWebhookStore.stored, ReadingStore.stored, ArticleImportStore.stored, ReadingFeedStore.stored,
    ].flatMap(\.self)

    /// Copies the database to a new file while it is in use, and checks the copy; refuses to overwrite a file.
    package func backup(to path: String) async throws { try await maintenance.backup(to: path) }

    /// Closes the database, whose main file alone is whole then; nothing may be asked of the services after it.
    package func close() throws {
        parts.stop()
        reads.close()
        try maintenance.close()
    }
}
