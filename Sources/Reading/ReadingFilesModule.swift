package import Logging
package import RoostSupport

/// What moves reading lists in and out, wired: imports, exports, EPUBs and feeds.
package struct ReadingFilesModule: Service {
    package let imports: ArticleImportService
    package let exports: ArticleExportService
    package let epubs: ArticleEPUBService
    package let feeds: ReadingFeedService

    /// - Parameter onQueued: told when articles have been added whose pages are to be fetched
    package init(
        imports importStore: ArticleImportStore, exports exportStore: ArticleExportStore,
        feeds feedStore: ReadingFeedStore, reading: ReadingService, pictures: PictureCache, sealer: Sealer,
        heavyWork: HeavyWorkQueue, feed: ChangeFeed, clock: WallClock, log: Logger,
        onQueued: @escaping @Sendable () -> Void
    ) {
        imports = ArticleImportService(
            store: importStore, onQueued: onQueued,
            heavyWork: heavyWork, feed: feed, clock: clock, log: log)
        exports = ArticleExportService(store: exportStore, clock: clock)
        epubs = ArticleEPUBService(reading: reading, pictures: pictures, heavyWork: heavyWork, clock: clock)
        feeds = ReadingFeedService(
            store: feedStore, reading: reading, sealer: sealer, feed: feed,
            clock: clock)
    }

    package func run() async { await imports.run() }

    package var userData: [UserData] { imports.userData }
}
