package import GRDB
package import Logging
package import RoostSupport

/// All migrations, in the order in which they were added.
enum Migrations {
    private static let all: [Migration] =
        [
            .users, .coinGecko, .watchlist, .displays, .sessionsAndLinks, .sealedSecrets, .gitHubAccounts,
            .pulls,
            .repositories, .bookmarks, .knownDevices, .repositoryColumns, .bookmarkColumns,
            .bookmarkCounts, .bookmarkUndos, .bookmarkStarImports, .bookmarkDueTimes, .pullSnoozeEnds,
            .pullBots,
            .displaysByUser, .repositoryNodeIds, .bookmarkStarRefusals, .chat, .chatSearch, .chatFiles,
            .chatReplies, .reading, .readingCounts, .readingSearch, .readingFiles,
            .chatNames, .watchlists, .alerts, .displaySettings, .displayPairing,
            .readingCanonicals,
            .readingMerges,
            .pullMarkNodes,
            .secretKey, .metricsTokens,
            .chatCaseInsensitiveIds, .chatWebhookCreators,
            .chatNumbers,
            .namesakes, .chatShownNames,
            .preferences, .watchlistPreferences, .readingPreferences, .pullPreferences,
            .repositoryPreferences,
            .undos, .bookmarkUndosMoved, .readingUndosMoved, .marketUndosMoved,
            .readingPartialTexts, .displayPages, .repositorySearch, .bookmarkSearch, .displayToday,
            .chatReactionVariants, .searchProgress, .chatSearchInAllScripts, .readingSearchInAllScripts,
            .tokenAreas, .requestKeys,
        ] + Migration.gitHubSearchInAllScripts + [
            .readingComments, .readingPictures, .readingPages, .outgoingWebhooks, .pullDetails,
            .pullViews, .pullReviewDrafts,
        ]

    package static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for migration in all { migrator.registerMigration(migration.name, migrate: migration.run) }
        return migrator
    }
}

extension RoostSupport.Database {
    package static func open(
        in folder: String, backups: DatabaseBackups.Configuration? = nil, maximumPages: Int? = nil,
        log: Logger = Logger(label: "roost"),
        prepare: @escaping @Sendable (GRDB.Database) -> Void = { _ in }
    ) throws -> DatabasePool {
        try open(
            in: folder, migrator: Migrations.migrator, backups: backups, maximumPages: maximumPages, log: log,
            prepare: prepare)
    }
}
