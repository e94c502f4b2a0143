import Foundation
import Logging
package import RoostSupport
import TextFormats

/// Imports files of articles: it writes their rows down at once, and takes them in afterwards, a few at a time.
///
/// What was accepted is on the disk: an import goes on where it was after whatever ended the program, and takes each row
/// in exactly once. `Topic.reading` follows its progress.
package final class ArticleImportService: Service {
    package typealias ImportID = Int64

    /// Of remarks on a page; all of them are in `report`.
    static let shownRemarks = 100
    private static let maximumSleep = Duration.seconds(30)
    /// Pages go first.
    private static let niceness: Int32 = 10
    private static let unknown = RoostError.notFound("There is no such import.")

    private let store: ArticleImportStore
    private let onQueued: @Sendable () -> Void
    private let heavyWork: HeavyWorkQueue
    private let publisher: ThrottledPublisher
    private let clock: WallClock
    private let log: Logger
    private let threads = TaskThreads(count: 1, niceness: niceness)
    /// Fired when an import, or its undoing, has begun.
    private let signal = AsyncSignal()

    /// - Parameter onQueued: told when articles have been added whose pages are to be fetched
    init(
        store: ArticleImportStore, onQueued: @escaping @Sendable () -> Void, heavyWork: HeavyWorkQueue,
        feed: ChangeFeed,
        clock: WallClock, log: Logger
    ) {
        self.store = store
        self.onQueued = onQueued
        self.heavyWork = heavyWork
        publisher = ThrottledPublisher(feed: feed)
        self.clock = clock
        self.log = log
    }

    deinit { threads.stop() }

    // MARK: What users do

    /// Accepts a file: when it answers, all of its rows are on the disk. Its articles follow.
    ///
    /// Throws `RoostError.invalid(field: "file")` for what is no list of articles, and `.conflict(field: "file")` where
    /// too many imports are under way.
    ///
    /// - Parameters:
    ///   - name: of the file, to be shown
    ///   - fetching: whether the pages are fetched whose text is not in the file
    package func start(
        _ file: [UInt8], named name: String, fetching: Bool, by user: UserID
    ) async throws -> ArticleImport {
        let (rows, format) = try await heavyWork.run(for: user) {
            let read = try ArticleImportFile(file)
            return (try Self.rows(of: read), read.format ?? .other)
        }
        let added = try await store.add(
            rows, of: format, named: Self.shown(name), fetches: fetching, for: user, at: clock.now())
        publisher.publishNow(Topic.reading(user))
        signal.fire()
        return added
    }

    /// The newest first, as far as they are remembered.
    package func imports(of user: UserID) async throws -> [ArticleImport] {
        try await store.imports(of: user)
    }

    /// Throws `RoostError.notFound`, for another user's too.
    package func find(_ id: ImportID, for user: UserID) async throws -> ArticleImport {
        guard let found = try await store.find(id, of: user) else { throw Self.unknown }
        return found
    }

    /// The first of what there is to say about the file's rows. Throws as `find`.
    package func remarks(
        of id: ImportID, for user: UserID, limit: Int = ArticleImportService.shownRemarks
    ) async throws -> [ArticleImportRemark] {
        _ = try await find(id, for: user)
        return try await store.remarks(of: id, limit: limit).map(\.remark)
    }

    /// All of it, as CSV. Throws as `find`.
    package func report(of id: ImportID, for user: UserID) async throws -> [UInt8] {
        let found = try await find(id, for: user)
        return try await heavyWork.run(for: user, rows: found.total) {
            var bytes = Array("file,line,address,imported,reason\r\n".utf8)
            var last = 0
            while true {
                try Task.checkCancellation()
                let page = try await store.remarks(of: id, after: last, limit: 1_000)
                guard let newest = page.last?.number else { return bytes }
                for (_, remark) in page {
                    let fields = [
                        remark.part, "\(remark.line)", remark.url, remark.isImported ? "yes" : "no",
                        remark.why,
                    ]
                    bytes += Array((fields.map(CSV.written).joined(separator: ",") + "\r\n").utf8)
                }
                last = newest
            }
        }
    }

    /// Ends an import before its end; what it has added stays, until it is undone. Throws `RoostError.notFound`, also for
    /// one that is not under way.
    package func cancel(_ id: ImportID, by user: UserID) async throws {
        guard try await store.cancel(id, of: user, at: clock.now()) else { throw Self.unknown }
        publisher.publishNow(Topic.reading(user))
    }

    /// Begins to take out what an import has added; what the user has opened or marked since stays. Throws
    /// `RoostError.notFound`, also for one that cannot be undone.
    package func undo(_ id: ImportID, by user: UserID) async throws {
        guard try await store.beginUndo(id, of: user) else { throw Self.unknown }
        publisher.publishNow(Topic.reading(user))
        signal.fire()
    }

    /// Takes an import off the page of imports; its articles stay. Throws `RoostError.notFound`, also for one that is
    /// under way.
    package func remove(_ id: ImportID, by user: UserID) async throws {
        guard try await store.remove(id, of: user) else { throw Self.unknown }
        publisher.publishNow(Topic.reading(user))
    }

    // MARK: Work

    /// Works on imports until cancelled.
    package func run() async {
        threads.start()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.publisher.run() }
            await withTaskExecutorPreference(threads) {
                while !Task.isCancelled {
                    await runUntilIdle()
                    await signal.wait(atMost: Self.maximumSleep)
                }
            }
            group.cancelAll()
        }
    }

    /// Works until nothing is under way: in turn a part of each import, so that a long one holds up no short one. For
    /// tests, too.
    package func runUntilIdle() async {
        do {
            while true {
                let open = try await store.open()
                guard !open.isEmpty else { return }
                for part in open {
                    try Task.checkCancellation()
                    try await work(on: part)
                }
            }
        } catch {
            // The program ends, or the disk takes nothing: it goes on later.
            if !Task.isCancelled { log.error("An import stopped", metadata: ["error": "\(error)"]) }
        }
    }

    private func work(on open: ArticleImportStore.Open) async throws {
        let now = clock.now()
        if open.isUndo {
            _ = try await store.change(open, at: now) { try $0.takeBack() }
        } else {
            let preparation = ArticlePreparation(now: open.startedAt)
            let rows = try await store.waitingRows(of: open.id).map { row in
                (number: row.number, entry: preparation.entry(row.entry, number: row.number))
            }
            let isTaken = try await store.change(open, at: now) { try $0.take(rows) }
            if isTaken, open.fetches { onQueued() }
        }
        publisher.publish([Topic.reading(open.user)])
    }

    // MARK: Rows

    private static func rows(of file: ArticleImportFile) throws -> [ArticleImportStore.NewRow] {
        let encoder = JSONEncoder()
        func entry(_ article: ImportedArticle) throws -> String {
            String(decoding: try encoder.encode(article), as: UTF8.self)
        }
        let articles = try file.rows.map { row in
            try Task.checkCancellation()
            let url = String(row.url.unicodeScalars.prefix(2_000)).sanitized
            switch row.content {
            case .success(let article):
                return ArticleImportStore.NewRow(
                    line: row.number, part: row.part, url: url, entry: try entry(article), why: nil)
            case .failure(let fault):
                return ArticleImportStore.NewRow(
                    line: row.number, part: row.part, url: url, entry: nil, why: fault.why)
            }
        }
        let gists = try file.gists.enumerated().map { place, gist in
            ArticleImportStore.NewRow(
                line: place + 1, part: "gists", url: "", entry: try entry(ImportedArticle(gist: gist)),
                why: nil)
        }
        return articles + gists
    }

    private static func shown(_ name: String) -> String {
        // Some browsers send the whole path.
        let last = name.splitBytes(at: "/").last?.splitBytes(at: "\\").last.map(String.init) ?? ""
        return String(last.unicodeScalars.prefix(120)).sanitized.trimmed.nonBlank ?? "File"
    }

    package var userData: [UserData] {
        [
            .deleted(
                "Imports of articles, and the secret addresses of feeds",
                from: ["reading_imports", "reading_import_rows", "reading_feeds"])
        ]
    }
}
