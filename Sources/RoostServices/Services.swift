package import Accounts
package import Chat
import Foundation
package import GitHub
package import HTTPClient
package import Logging
package import Market
package import Reading
package import RoostSupport
import TextFormats

/// All that Roost knows and does, put together once: for the program and for the tests alike.
package final class Services: ServiceGroup {
    /// The settings that the services need.
    package struct Configuration: Sendable {
        package var dataFolder: String
        package var coinGeckoURL: String?
        package var coinGeckoPlan = CoinGeckoPlan.keyless
        package var coinGeckoKey: String?
        package var gitHub = GitHubConfiguration()
        package var currency = "usd"
        /// Seconds between two price requests; overrides the plan's interval.
        package var priceInterval: Int?
        package var warnsOfInterval = true
        package var placeholderName = AccountService.placeholderName
        /// The number of chat messages that a user may send at once, and then each second.
        package var chatBurst = 300
        package var chatRate = 20
        /// How long to wait for a saved page's site; shorter only in tests.
        var articleTimeout = Duration.seconds(20)
        package var gistModel: GistModelConfiguration?
        package var articlePictures = ArticlePictureLimits()
        /// Where poppler's programs may be.
        package var pdfFolders = LimitedProgram.folders
        /// The cost of a password hash; lower only in tests.
        package var passwordCost = PasswordCost.standard
        /// For systemd's credentials: `CREDENTIALS_DIRECTORY`.
        package var environment: [String: String] = [:]
        package var keyFile: String?
        /// False for commands: they seal and open nothing, and must not create a key that the server does not have.
        package var usesKey = true
        /// Nil makes no backups.
        package var backups: DatabaseBackups.Configuration?
        /// Texts to remove from log lines; shared with the log.
        package var secrets = SecretRedactor()
        /// The database's maximum number of pages, for tests that fill it up.
        package var maximumPages: Int?
        /// Called with each database connection, for tests that watch its statements.
        package var prepareDatabase = Database.Preparation()

        package init(dataFolder: String) {
            self.dataFolder = dataFolder
        }
    }

    package let dataFolder: String
    package let identity: AccountServices
    package let gitHub: GitHubServices
    package let market: MarketServices
    package let chat: ChatServices
    package let reading: ReadingServices
    package let chatLinks: ChatLinks
    package let webhooks: OutgoingWebhookService
    /// Why Roost has no key for its stored secrets, for the operator; nil if it has the right one.
    package let keyProblem: String?
    package let pictures: PictureCache
    /// Exports and imports of all data.
    package let transfer: TransferService
    package let transferJobs: TransferJobs
    package let feed = ChangeFeed()
    package let storage: StorageProbe
    package let health: DatabaseHealth
    package let upkeep: DatabaseUpkeep
    package let backups: DatabaseBackups
    package let undos: Undos
    private let requestKeys: RequestKeys
    package let database: Database
    /// For work that grows with a user's data or request.
    package let heavyWork = HeavyWorkQueue()
    package let clock: WallClock

    private let client: HTTPClient
    private let maintenance: DatabaseMaintenance
    package let services: [any Service]

    /// Opens the database and wires the services; nothing runs yet. A new feature is named here.
    package init(
        _ configuration: Configuration, client: HTTPClient, clock: WallClock = WallClock(), log: Logger
    ) throws {
        self.client = client
        try DataFolder.prepare(configuration.dataFolder, log: log)
        dataFolder = configuration.dataFolder
        let pool = try Database.open(
            in: configuration.dataFolder, backups: configuration.backups,
            maximumPages: configuration.maximumPages, log: log, prepare: configuration.prepareDatabase.prepare
        )
        let database = Database(pool, feed: feed, clock: clock, log: log)
        self.database = database
        upkeep = DatabaseUpkeep(database: pool, log: log)
        undos = Undos(database: database, clock: clock)
        requestKeys = RequestKeys(database: database, clock: clock)
        health = DatabaseHealth(path: Self.databasePath(in: configuration.dataFolder), log: log)
        maintenance = DatabaseMaintenance(database: pool, check: Self.check, log: log)
        backups = DatabaseBackups(
            configuration.backups, maintenance: maintenance, clock: clock, log: log)
        storage = StorageProbe(folder: configuration.dataFolder)
        self.clock = clock
        let secrets = configuration.secrets
        for secret in [
            configuration.gitHub.token?.value, configuration.gitHub.clientSecret, configuration.coinGeckoKey,
            configuration.gistModel?.key,
        ] { secrets.note(secret) }
        let key = DatabaseKey(
            pool: pool, folder: configuration.dataFolder, environment: configuration.environment,
            keyFile: configuration.keyFile, columns: Self.sealed, log: log)
        let sealer: Sealer
        if configuration.usesKey {
            (sealer, keyProblem) = try key.load()
        } else {
            (sealer, keyProblem) = (.withoutKey, nil)
            try key.warnOfWrongKey()
        }
        let audit = AuditLog(database: database, clock: clock, log: log)
        let thumbnails = ThumbnailMaker()
        pictures = PictureCache(
            folder: configuration.dataFolder + "/pictures", api: PictureAPI(client: client),
            thumbnails: thumbnails, feed: feed, clock: clock, log: log
        ) { name in
            try? await database.read { try $0.storedPicture(named: name) }
        }
        chat = ChatServices(
            database: database, burst: configuration.chatBurst, rate: configuration.chatRate, sealer: sealer,
            thumbnails: thumbnails, feed: feed, heavyWork: heavyWork, clock: clock, log: log)
        let currency = Currency.code(configuration.currency)
        let plan = configuration.coinGeckoPlan
        market = MarketServices(
            api: CoinGeckoAPI(
                client: client, url: configuration.coinGeckoURL ?? plan.defaultURL, plan: plan,
                key: configuration.coinGeckoKey, secrets: secrets, currency: currency, clock: clock, log: log),
            plan: plan, interval: configuration.priceInterval, warnsOfInterval: configuration.warnsOfInterval,
            currency: currency, delivery: ChatAlertDelivery(chat: chat.conversations), database: database,
            pictures: pictures, sealer: sealer, feed: feed, heavyWork: heavyWork, clock: clock, log: log)
        gitHub = GitHubServices(
            configuration.gitHub, api: GitHubAPI(client: client, secrets: secrets, clock: clock),
            database: database, sealer: sealer, audit: audit, pictures: pictures, feed: feed,
            heavyWork: heavyWork, clock: clock, log: log)
        reading = ReadingServices(
            database: database,
            pages: ArticlePageAPI(
                client: client,
                pdf: PDFReader(
                    folders: configuration.pdfFolders,
                    hiding: [configuration.dataFolder, configuration.backups?.folder, NSHomeDirectory()]
                        .compactMap(\.self)),
                timeout: configuration.articleTimeout),
            model: configuration.gistModel.map {
                GistModelAPI(client: client, configuration: $0, secrets: secrets)
            },
            pictures: pictures, pictureLimits: configuration.articlePictures, sealer: sealer, feed: feed,
            heavyWork: heavyWork, clock: clock, log: log)
        chatLinks = ChatLinks(
            [gitHub.pulls, gitHub.repositoryCards, market.watchlist, reading.articles],
            saver: reading.articles, currency: currency)
        webhooks = OutgoingWebhookService(
            database: database, client: client, sealer: sealer, audit: audit, feed: feed, clock: clock,
            log: log)
        let transferFolder = TransferFolder(in: configuration.dataFolder)
        let features: [any Service] = [
            feed, pictures, market, gitHub, chat, reading, transferFolder,
        ]
        let identities = IdentityCache(
            database: database, path: Self.databasePath(in: configuration.dataFolder), feed: feed,
            clock: clock
        ) { changes in
            for service in features {
                for user in changes.removed { service.forget(user) }
                for user in changes.appearance { service.noteAppearance(of: user) }
            }
        }
        secrets.recognizeSessions { [weak identities] in identities?.hasSession(hash: $0) == true }
        identity = AccountServices(
            identities, sealer: sealer, cost: configuration.passwordCost,
            placeholderName: configuration.placeholderName, thumbnails: thumbnails, audit: audit, feed: feed,
            clock: clock, log: log)
        // Profiles before everything that names people; conversations before alerts, which post to them; lists before
        // displays, which show them.
        let parts =
            AccountService.transferParts + chat.transferParts + gitHub.transferParts + market.transferParts
            + reading.transferParts
        transfer = TransferService(
            parts, database: database, accounts: identity.accounts, heavyWork: heavyWork, clock: clock)
        transferJobs = TransferJobs(
            transfer, folder: transferFolder, feed: feed, clock: clock, log: log)
        let indexing = SearchIndexing(
            database: database, indexes: [.messages, .articles, .bookmarks, .repositories])
        services =
            [identity, upkeep, health, backups, undos, requestKeys, indexing, transferJobs] + features
            + [webhooks]
    }

    /// The finished requests to upstreams since the start.
    package var requestCounts: [RequestCount] { client.requestCounts }

    /// The path of the database in a data folder.
    static func databasePath(in folder: String) -> String { folder + "/" + Database.fileName }

    /// The problems of the database, one sentence each; empty if it is sound.
    package func problems() async throws -> [String] { try await maintenance.problems() }

    /// The problems of the database in a data folder, which is neither changed nor migrated. Throws
    /// `RoostError.unavailable` for the database of a newer version, and for a folder that other users can access.
    package static func problems(in folder: String) async throws -> [String] {
        try DataFolder.prepare(folder)
        return try await check.problems(in: folder)
    }

    /// The problems of a backup or another file that should be a database of Roost. Throws `RoostError.unavailable` for
    /// the database of a newer version or of another program, and `.notFound`.
    package static func problems(ofFileAt path: String) async throws -> [String] {
        try await check.problems(ofFileAt: path)
    }

    /// How many rows each table has, for instance in a backup.
    package static func rowCounts(ofFileAt path: String) async throws -> [String: Int] {
        try await check.rowCounts(ofFileAt: path)
    }

    /// Puts a checked copy of the file in place of a data folder's database, as `DatabaseRestore` says.
    ///
    /// - Returns: where the former database now is, or nil if there was none
    package static func restore(_ file: String, into folder: String, replaces: Bool) async throws -> String? {
        try makeDataFolder(folder)
        return try await DatabaseRestore(check: check).restore(file, into: folder, replaces: replaces)
    }

    /// What to do about a damaged database, for the operator.
    package static func damage(in folder: String, backups: DatabaseBackups.Configuration?) -> String {
        Database.damage(of: databasePath(in: folder), newestBackup: backups?.newest)
    }

    /// Creates the data folder if it is missing. If root creates it, it belongs to the owner of the parent folder.
    /// Throws `RoostError.unavailable`.
    package static func makeDataFolder(_ folder: String) throws { try FolderOwner.makeFolder(folder) }

    /// Throws `RoostError.unavailable` if this process has no access to the folder.
    package static func hasDatabase(in folder: String) throws -> Bool {
        try FolderOwner.checkAccess(to: folder, file: databasePath(in: folder))
        return FileManager.default.fileExists(atPath: databasePath(in: folder))
    }

    /// Allows the next start to use another key than the one that the database was sealed with. Throws
    /// `RoostError.unavailable` while a server is running.
    package static func forgetKey(in folder: String, backups: DatabaseBackups.Configuration? = nil) throws {
        let lock = try DataFolderLock(folder: folder)
        defer { withExtendedLifetime(lock) {} }
        let pool = try Database.open(in: folder, backups: backups)
        let result = Result {
            try pool.write { try Writes($0).setSecretKey(.init(fingerprint: nil, path: "")) }
        }
        try Database.close(pool)
        try result.get()
    }

    private static let sealed: [SealedColumn] = [
        SealedSecretStore.sealedValues, JoinLinkStore.sealedValues, DisplayStore.sealedValues,
        ReadingFeedStore.sealedValues,
        ReadingStore.sealedValues,
    ]

    private static let check = DatabaseCheck(migrator: Migrations.migrator, stored: stored)

    private static let stored: [StoredRows] = [
        IdentityCache.stored, AvatarStore.stored, JoinLinkStore.stored, ResetLinkStore.stored,
        KnownDeviceStore.stored,
        AuditStore.stored, PreferencesStore.stored, UndoStore.stored, RequestKeyStore.stored,
        SearchIndex.stored,
        SealedSecretStore.stored,
        SecretKeyStore.stored,
        CoinListStore.stored,
        CallBudgetStore.stored,
        WatchlistStore.stored, AlertStore.stored, DisplayStore.stored, DisplayPairingStore.stored,
        GitHubAccountStore.stored,
        PullStore.stored, PullReviewStore.stored,
        RepositoryStore.stored, BookmarkStore.stored, ChatStore.stored, ChatFileStore.stored,
        ChatWebhookStore.stored, OutgoingWebhookStore.stored, ReadingStore.stored, ArticleImportStore.stored,
        ReadingFeedStore.stored,
    ].flatMap(\.self)

    /// Copies the database to a new file while it is in use, and checks the copy. Does not overwrite a file.
    package func backup(to path: String) async throws { try await maintenance.backup(to: path) }

    /// Closes the database, leaving it complete in its main file. The services cannot be used afterwards.
    package func close() throws {
        identity.stop()
        try maintenance.close()
    }
}
