package import GRDB

/// The schema: every feature's steps, in the order in which they came.
package enum Migrations {
    private static let all: [Migration] = [
        .users, .coinGecko, .watchlist, .displays, .sessionsAndLinks, .sealedSecrets, .gitHubAccounts, .pulls,
        .repositories, .bookmarks, .knownDevices, .repositoryColumns, .bookmarkColumns,
        .bookmarkCounts, .bookmarkUndos, .bookmarkStarImports, .bookmarkDueTimes, .pullSnoozeEnds, .pullBots,
        .displaysByUser, .repositoryNodeIds, .bookmarkStarRefusals, .chat, .chatSearch, .chatFiles,
        .chatReplies, .reading, .readingCounts, .readingSearch, .readingFiles,
        .chatNames, .watchlists, .alerts, .displaySettings, .displayPairing,
        .readingCanonicals,
        .readingMerges,
        .pullMarkNodes,
        .secretKey, .metricsTokens,
        .chatSpelledIds, .chatWebhookMakers,
        .chatNumbers,
        .namesakes, .chatShownNames,
    ]

    package static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for migration in all { migrator.registerMigration(migration.name, migrate: migration.run) }
        return migrator
    }
}
