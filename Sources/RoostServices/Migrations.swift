package import GRDB
package import RoostSupport

/// The schema: every feature's steps, in the order in which they came.
enum Migrations {
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

extension RoostSupport.Database {
    /// Opens the database in `folder`, with this version's schema.
    package static func open(
        in folder: String, maximumPages: Int? = nil,
        prepare: @escaping @Sendable (GRDB.Database) -> Void = { _ in }
    ) throws -> DatabasePool {
        try open(in: folder, migrator: Migrations.migrator, maximumPages: maximumPages, prepare: prepare)
    }
}
