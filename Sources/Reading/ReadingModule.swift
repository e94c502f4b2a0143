package import Logging
package import RoostSupport

/// Everything about the reading list, wired: the services, what they share, and their background work.
package struct ReadingModule: Service {
    package let reading: ReadingService
    package let gists: GistService
    package let sharedItems: SharedItemService
    /// The background work, which tests do step by step.
    package let worker: ReadingWorker

    package init(
        store: ReadingStore, pages: ArticlePageAPI, model: GistModelAPI?, pictures: PictureCache,
        sealer: Sealer, feed: ChangeFeed, heavyWork: HeavyWorkQueue, clock: WallClock, log: Logger
    ) {
        let writer = ReadingWriter(
            store: store, undoEnds: SteadyEnds(clock: clock), feed: feed, clock: clock, log: log)
        let pictures = ArticlePictures(cache: pictures)
        let gistQueue = GistQueue(
            writer: writer, model: model,
            heavyWork: heavyWork, log: log)
        let queue = ArticleQueue(
            writer: writer, api: pages, pictures: pictures,
            // One page at a time: a hostile one takes some 100 MB while it is extracted.
            heavyWork: HeavyWorkQueue(threadCount: 1),
            log: log, onText: gistQueue.wake)
        worker = ReadingWorker(articles: queue, gists: gistQueue)
        reading = ReadingService(
            writer: writer, pictures: pictures, queue: queue, heavyWork: heavyWork, onSave: gistQueue.wake)
        gists = GistService(writer: writer, queue: gistQueue, sealer: sealer)
        sharedItems = SharedItemService(writer: writer, reading: reading)
    }

    package func run() async { await worker.run() }

    package var userData: [UserData] {
        [
            .deleted(
                "Articles with texts, tags, highlights and gists, what was shared, and how the user likes to read",
                from: [
                    "articles", "article_addresses", "article_merges", "article_texts", "article_tags",
                    "article_highlights", "gists", "shared_items", "reading_choices", "reading_undos",
                    "reading_undo_steps", "reading_counts", "article_new_texts",
                ])
        ]
    }
}

/// What the reading list does in the background: it fetches pages and makes gists.
package struct ReadingWorker: Service {
    package let articles: ArticleQueue
    let gists: GistQueue

    /// Where pages are extracted; tests fill it.
    var extraction: HeavyWorkQueue { articles.heavyWork }

    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await articles.run() }
            group.addTask { await gists.run() }
        }
    }

    /// Does all that is due now.
    package func runUntilIdle() async {
        await articles.runUntilIdle()
        await gists.runUntilIdle()
    }

    /// Removes what was deleted and can no longer be brought back.
    package func clean() async { while await !articles.cleanOnce() {} }
}
