package import Logging
package import RoostSupport

/// The reading list's services with their background work.
package final class ReadingServices: ServiceGroup {
    package let articles: ReadingService
    package let gists: GistService
    package let sharedItems: SharedItemService
    package let imports: ArticleImportService
    package let exports: ArticleExportService
    package let epubs: ArticleEPUBService
    package let feeds: ReadingFeedService
    package let heavyWork: HeavyWorkQueue
    /// Fetches pages and makes gists; tests run it step by step.
    package let worker: ReadingWorker

    /// - Parameter model: writes gists in place of Roost's own summariser
    package init(
        database: Database, pages: ArticlePageAPI, model: GistModelAPI?, pictures cache: PictureCache,
        pictureLimits: ArticlePictureLimits,
        sealer: Sealer, feed: ChangeFeed, heavyWork: HeavyWorkQueue, clock: WallClock, log: Logger
    ) {
        self.heavyWork = heavyWork
        let pictures = ArticlePictures(cache: cache)
        let gistQueue = GistQueue(
            database: database, model: model, feed: feed, heavyWork: heavyWork, clock: clock, log: log)
        let pictureQueue = ArticlePictureQueue(
            database: database, pictures: cache, limits: pictureLimits, clock: clock, log: log)
        let queue = ArticleQueue(
            database: database, api: pages, pictures: pictures,
            // One page at a time: a hostile one takes some 100 MB while it is extracted.
            heavyWork: HeavyWorkQueue(threadCount: 1), clock: clock, log: log, gists: gistQueue,
            pictureQueue: pictureQueue)
        worker = ReadingWorker(articles: queue, pictures: pictureQueue, gists: gistQueue)
        articles = ReadingService(
            database: database, pictures: pictures, queue: queue, heavyWork: heavyWork, clock: clock,
            gists: gistQueue)
        gists = GistService(
            database: database, queue: gistQueue, sealer: sealer, clock: clock)
        sharedItems = SharedItemService(database: database, reading: articles, clock: clock)
        imports = ArticleImportService(
            database: database, queue: queue, heavyWork: heavyWork, feed: feed, clock: clock, log: log
        )
        exports = ArticleExportService(database: database, clock: clock)
        epubs = ArticleEPUBService(reading: articles, pictures: cache, heavyWork: heavyWork, clock: clock)
        feeds = ReadingFeedService(database: database, reading: articles, sealer: sealer, clock: clock)
    }

    package var services: [any Service] { [worker, imports] }

    /// Their files in an export of all data.
    package var transferParts: [TransferPart] {
        [ReadingTransfer.articles, ReadingTransfer.gists, ReadingTransfer.shares, feeds.transferPart]
    }

    package var userData: [UserData] {
        [
            .deleted(
                "Articles with texts, pictures, tags, highlights and gists, and shared items",
                from: [
                    "articles", "article_addresses", "article_merges", "article_texts", "article_tags",
                    "article_highlights", "gists", "shared_items", "reading_counts", "article_new_texts",
                    "article_pictures", "article_pictures_due",
                ])
        ] + imports.userData
    }
}

/// The reading list's background work: fetches pages and their pictures, and makes gists.
package struct ReadingWorker: Service {
    package let articles: ArticleQueue
    let pictures: ArticlePictureQueue
    let gists: GistQueue

    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await articles.run() }
            group.addTask { await pictures.run() }
            group.addTask { await gists.run() }
        }
    }

    package func runUntilIdle() async {
        await articles.runUntilIdle()
        await pictures.runUntilIdle()
        await gists.runUntilIdle()
    }

    /// Erases deleted articles that can no longer be restored.
    package func clean() async { while await !articles.cleanOnce() {} }
}
