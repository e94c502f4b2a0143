package import Foundation
import Logging
package import RoostSupport
import Synchronization

/// Imports what users have starred on GitHub, page by page; an import goes on after a restart.
package final class BookmarkStarImporter: Service {
    /// GitHub sends a hundred stars a page; more pages than room for bookmarks are a server gone wrong.
    private static let maximumPages = 1_000
    private static let maximumSleep = Duration.seconds(30)

    private let source: any StarSource
    private let store: BookmarkStore
    private let writer: BookmarkWriter
    private let configuration: BookmarkParts.Configuration
    private let clock: WallClock
    private let log: Logger
    /// Users whose imports are under way.
    private let importing = Mutex<Set<UserID>>([])
    /// Fired when an import has begun.
    private let signal = AsyncSignal()

    init(
        source: any StarSource, store: BookmarkStore, writer: BookmarkWriter,
        configuration: BookmarkParts.Configuration, clock: WallClock, log: Logger
    ) {
        self.source = source
        self.store = store
        self.writer = writer
        self.configuration = configuration
        self.clock = clock
        self.log = log
    }

    /// Works on imports until cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                for user in await takeWaiting() { group.addTask { await self.read(for: user) } }
                await signal.wait(atMost: Self.maximumSleep)
            }
            group.cancelAll()
        }
    }

    /// Begins to bookmark all that the user has starred on GitHub; `BookmarkListing.stars` and `Topic.bookmarks`
    /// follow it. Throws `RoostError.unavailable` without an account.
    package func start(for user: UserID) async throws {
        guard configuration.hasAccount(user) else {
            throw RoostError.unavailable("Connect GitHub first: then Roost can ask for your stars.")
        }
        let isNew = try await writer.change(of: user) { rows in
            // A second click while it runs begins nothing.
            if try BookmarkStarImportRecord.of(user, in: rows.database)?.isRunning == true { return false }
            try BookmarkStarImportRecord().put(for: user, in: rows.database)
            return true
        }.value
        if isNew { writer.publish(user) }
        signal.fire()
    }

    /// Finishes the imports that have begun, one after the other: for tests.
    package func runUntilIdle() async {
        for user in await takeWaiting() { await read(for: user) }
    }

    /// Claims the imports that are not worked on yet: those that have just begun, and after a start those that were
    /// running when the program ended.
    private func takeWaiting() async -> [UserID] {
        do {
            let users = try await store.usersImportingStars()
            return importing.withLock { importing in users.filter { importing.insert($0).inserted } }
        } catch {
            log.error("Imports of stars could not be read", metadata: ["error": "\(error)"])
            return []
        }
    }

    /// Bookmarks that are there stay as they are; all that it added is taken back as one.
    private func read(for user: UserID) async {
        defer { importing.withLock { _ = $0.remove(user) } }
        var paths: Set<String> = []
        do {
            while let stars = try await store.starImport(of: user), stars.isRunning {
                try Task.checkCancellation()
                let page = try await source.starred(stars.nextPage, for: user)
                // The next page's address comes from GitHub: one that leads back would never end.
                let next = page.next.flatMap { paths.insert($0).inserted ? $0 : nil }
                try await keep(page, next: paths.count < Self.maximumPages ? next : nil, for: user)
                writer.publish(user)
            }
        } catch {
            // The program ends: it goes on when it starts again.
            guard !Task.isCancelled else { return }
            let reason = Self.reason(error)
            _ = try? await writer.change(of: user) { rows in
                guard var stars = try BookmarkStarImportRecord.of(user, in: rows.database), stars.isRunning
                else { return }
                stars.fail(reason)
                try stars.put(for: user, in: rows.database)
            }
            writer.publish(user)
        }
    }

    /// Bookmarks a page of stars, and counts it in the same transaction; past the limit nothing more is added.
    ///
    /// - Parameter next: nil: it is the last page
    private func keep(_ page: StarredPage, next: String?, for user: UserID) async throws {
        let (now, limit) = (clock.now(), configuration.limit)
        _ = try await writer.change(of: user) { rows in
            // The user is gone.
            guard var stars = try BookmarkStarImportRecord.of(user, in: rows.database), stars.isRunning else {
                return
            }
            var room = limit - (try rows.count())
            var refused = page.refused
            var isFull = false
            for (item, starredAt) in page.items {
                if let known = try rows.find(repository: item.id) {
                    try rows.merge(item, by: known, isAsked: item.detail != nil, now: now)
                } else if let named = try rows.find(item.fullName), named.repositoryID == nil {
                    try rows.merge(item, by: named, isAsked: item.detail != nil, now: now)
                } else if room > 0 {
                    room -= 1
                    try rows.clear(item.fullName, now: now)
                    let addedAt = min(starredAt, now)
                    try rows.insert(BookmarkRecord(item, addedAt: addedAt, now: now))
                } else {
                    isFull = true
                    refused.add(.init(name: item.fullName, why: "There is no room for more bookmarks."))
                }
            }
            let new = rows.changes.filter { $0.before == nil }
            try rows.keepUndo(of: new, adding: stars.undo, at: now)
            let read = page.items.count + page.refused.count - refused.count
            stars.count(read, added: new.count, refused: refused, undo: rows.undo)
            stars.nextPage = next
            if next == nil || isFull { stars.end(at: now) }
            try stars.put(for: user, in: rows.database)
        }
    }

    private static func reason(_ error: any Error) -> APIError {
        switch error {
        case let failure as GitHubFailure: failure.error
        case RoostError.unavailable: .unauthorized
        default: .unknown("\(type(of: error))")
        }
    }
}

/// The progress of the import of GitHub's stars.
package enum StarImport: Equatable, Sendable {
    case idle
    /// How many have been read so far.
    case running(Int)
    case done(added: Int, known: Int, at: Date)
    case failed(APIError, read: Int)
}

/// Where the import of stars reads what a user has starred on GitHub.
package protocol StarSource: Sendable {
    /// Returns one page of stars.
    ///
    /// - Parameter path: nil: the first page
    func starred(_ path: String?, for user: UserID) async throws -> StarredPage
}

extension RepositoryFetcher: StarSource {}
