import Foundation
import Logging
package import RoostSupport
import TextFormats

/// Imports files of articles: stores their rows at once and then processes them, a few at a time. An accepted import
/// survives a restart, and each row is processed exactly once. `Topic.reading` reports its progress.
package final class ArticleImportService: Service {
    package typealias ImportID = Int64

    package static let rules = ArticleImportFile.rules
    static let maximumShownProblems = 100
    private static let maximumSleep = Duration.seconds(30)
    /// Serving pages has priority.
    private static let niceness: Int32 = 10
    /// Per user.
    private static let maximumOpen = 5

    let database: Database
    private let queue: ArticleQueue
    private let heavyWork: HeavyWorkQueue
    private let publisher: ThrottledPublisher
    private let clock: WallClock
    private let log: Logger
    private let threads = TaskThreads(count: 1, niceness: niceness)
    private let signal = AsyncSignal()

    init(
        database: Database, queue: ArticleQueue, heavyWork: HeavyWorkQueue,
        feed: ChangeFeed, clock: WallClock, log: Logger
    ) {
        self.database = database
        self.queue = queue
        self.heavyWork = heavyWork
        publisher = ThrottledPublisher(feed: feed)
        self.clock = clock
        self.log = log
    }

    deinit { threads.stop() }

    // MARK: Requests

    /// Accepts a file. All of its rows are stored when this returns; `run` adds the articles.
    ///
    /// Throws `RoostError.invalid(field: "file")` if it isn't a list of articles, and `.conflict(field: "file")` if too
    /// many imports are running.
    ///
    /// - Parameters:
    /// - name: the file's name, for display
    /// - fetching: fetches the pages whose text is not in the file
    package func start(
        _ file: [UInt8], named name: String, fetching: Bool, by user: UserID
    ) async throws -> ArticleImport {
        let (rows, format) = try await heavyWork.run(for: user) {
            let read = try ArticleImportFile(file)
            return (try Self.rows(of: read), read.format ?? .other)
        }
        let added = try await database.write { [now = clock.now()] writes in
            guard try writes.openImportCount(of: user) < Self.maximumOpen else {
                throw RoostError.conflict(
                    field: "file", why: "\(Self.maximumOpen) imports are running. Wait for one to finish.")
            }
            let id = try writes.addImport(
                rows, of: format, named: Self.shown(name), fetches: fetching, for: user, at: now)
            writes.publish(Topic.reading(user))
            return try writes.requiredImport(id, of: user)
        }
        signal.fire()
        return added
    }

    /// Newest first.
    package func imports(_ reads: Reads, of user: UserID) throws -> [ArticleImport] {
        try reads.articleImports(of: user)
    }

    /// Throws `RoostError.notFound`, also for another user's import.
    package func find(_ reads: Reads, _ id: ImportID, for user: UserID) throws -> ArticleImport {
        try reads.requiredImport(id, of: user)
    }

    package func find(_ id: ImportID, for user: UserID) async throws -> ArticleImport {
        try await database.read { try find($0, id, for: user) }
    }

    /// The first problems with the file's rows. Throws like `find`.
    package func problems(
        _ reads: Reads, of id: ImportID, for user: UserID,
        limit: Int = ArticleImportService.maximumShownProblems
    ) throws -> [ImportProblem] {
        _ = try reads.requiredImport(id, of: user)
        return try reads.importProblems(of: id, limit: limit)
    }

    /// All problems as CSV. Throws like `find`.
    package func report(of id: ImportID, for user: UserID) async throws -> [UInt8] {
        let found = try await find(id, for: user)
        return try await heavyWork.run(for: user, rows: found.total) {
            let problems = try await database.read {
                try self.problems($0, of: id, for: user, limit: .max)
            }
            let rows = problems.map { problem in
                [
                    problem.part, "\(problem.row)", problem.address, problem.isImported ? "yes" : "no",
                    problem.why,
                ]
            }
            return ([["file", "line", "address", "imported", "reason"]] + rows).flatMap(CSV.line)
        }
    }

    /// Stops an import; what it has added stays. Throws `RoostError.notFound`, also if it isn't running.
    package func cancel(_ id: ImportID, by user: UserID) async throws {
        try await database.write { [now = clock.now()] writes in
            guard try writes.cancelImport(id, of: user, at: now) else {
                throw ArticleImportStore.unknownImport
            }
            writes.publish(Topic.reading(user))
        }
    }

    /// Begins to remove what an import has added, except articles that the user has opened or marked since. Throws
    /// `RoostError.notFound`, also if it cannot be undone.
    package func undo(_ id: ImportID, by user: UserID) async throws {
        try await database.write { writes in
            guard try writes.beginUndoingImport(id, of: user) else { throw ArticleImportStore.unknownImport }
            writes.publish(Topic.reading(user))
        }
        signal.fire()
    }

    /// Removes an import from the list; its articles stay. Throws `RoostError.notFound`, also if it is running.
    package func remove(_ id: ImportID, by user: UserID) async throws {
        try await database.write { writes in
            guard try writes.removeImport(id, of: user) else { throw ArticleImportStore.unknownImport }
            writes.publish(Topic.reading(user))
        }
    }

    // MARK: Work

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

    /// Works until no import is open. Processes a part of each in turn, so that a long one does not delay a short one.
    package func runUntilIdle() async {
        do {
            while true {
                let open = try await database.read { try $0.openImports() }
                guard !open.isEmpty else { return }
                for part in open {
                    try Task.checkCancellation()
                    try await work(on: part)
                }
            }
        } catch {
            // The program is ending or the database failed; the next round continues.
            if !Task.isCancelled { log.error("An import stopped", metadata: ["error": "\(error)"]) }
        }
    }

    private func work(on open: ArticleImportStore.Open) async throws {
        let importer = ArticleImporter(open: open, now: clock.now())
        if open.isUndo {
            try await database.write { try importer.undoChunk(in: $0) }
        } else {
            let preparation = ArticlePreparation(now: open.startedAt)
            let rows = try await database.read { try $0.waitingImportRows(of: open.id) }.map { row in
                (number: row.number, entry: preparation.entry(row.entry, number: row.number))
            }
            let isRunning = try await database.write { try importer.add(rows, in: $0) }
            if isRunning, open.fetches { queue.wake() }
        }
        publisher.publish([Topic.reading(open.user)])
    }

    // MARK: Rows

    private static func rows(of file: ArticleImportFile) throws -> [ArticleImportStore.NewRow] {
        let encoder = JSONEncoder()
        return try file.entries.rows.map { row in
            try Task.checkCancellation()
            var new = ArticleImportStore.NewRow(line: row.number, part: row.part)
            switch row.content {
            case .success(let article):
                new.url = String(article.url.unicodeScalars.prefix(2_000)).sanitized
                new.entry = String(decoding: try encoder.encode(article), as: UTF8.self)
            case .failure(let error): new.why = error.message
            }
            return new
        }
    }

    private static func shown(_ name: String) -> String {
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
