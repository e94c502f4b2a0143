package import Foundation
package import RoostSupport
import Synchronization

/// Imports users' stars from GitHub, page by page. Imports continue after a restart.
package final class BookmarkStarImporter: Service {
    /// Far more than the limit of bookmarks, at a hundred stars per page. Stops a faulty server.
    private static let maximumPages = 1_000
    private static let maximumSleep = Duration.seconds(30)

    private let source: any StarSource
    private let database: Database
    private let schedule: BookmarkRefreshSchedule
    private let configuration: BookmarkParts.Configuration
    private let clock: WallClock
    private let importing = Mutex<Set<UserID>>([])
    private let signal = AsyncSignal()

    init(
        source: any StarSource, database: Database, schedule: BookmarkRefreshSchedule,
        configuration: BookmarkParts.Configuration, clock: WallClock
    ) {
        self.source = source
        self.database = database
        self.schedule = schedule
        self.configuration = configuration
        self.clock = clock
    }

    package func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                for user in await claimPending() { group.addTask { await self.read(for: user) } }
                await signal.wait(atMost: Self.maximumSleep)
            }
            group.cancelAll()
        }
    }

    /// Starts an import of the user's stars. `BookmarkListing.stars` and `Topic.bookmarks` report its progress. Throws
    /// `RoostError.unavailable` without an account.
    package func start(for user: UserID) async throws {
        guard configuration.accounts.isSignedIn(user) else {
            throw RoostError.invalid(
                field: "stars",
                why: "Connect your GitHub account in the settings first; then import your stars.")
        }
        try await database.write { writes in
            // A second click has no effect while an import runs.
            guard try writes.starImport(of: user)?.isRunning != true else { return }
            try writes.putStarImport(BookmarkStarImportRecord(), of: user)
            writes.publish(Topic.bookmarks(user))
        }
        signal.fire()
    }

    /// Finishes the started imports one after another. For tests.
    package func runUntilIdle() async {
        for user in await claimPending() { await read(for: user) }
    }

    /// Claims new imports and, after a restart, those that were interrupted.
    private func claimPending() async -> [UserID] {
        let users = (try? await database.read { try $0.usersImportingStars() }) ?? []
        return importing.withLock { importing in users.filter { importing.insert($0).inserted } }
    }

    /// Existing bookmarks stay as they are. One undo reverts the whole import.
    private func read(for user: UserID) async {
        defer { importing.withLock { _ = $0.remove(user) } }
        var paths: Set<String> = []
        do {
            while let stars = try await database.read({ try $0.starImport(of: user) }), stars.isRunning {
                try Task.checkCancellation()
                let page = try await source.starred(stars.nextPage, for: user)
                // GitHub names the next page. A link back would never end.
                let next = page.next.flatMap { paths.insert($0).inserted ? $0 : nil }
                try await keep(page, next: paths.count < Self.maximumPages ? next : nil, for: user)
            }
        } catch {
            // Roost is shutting down; the import continues after the restart.
            guard !Task.isCancelled else { return }
            let reason = reason(error, for: user)
            try? await database.write { writes in
                guard var stars = try writes.starImport(of: user), stars.isRunning else { return }
                stars.fail(reason)
                if let undo = stars.undo { try writes.closeUndo(undo) }
                try writes.putStarImport(stars, of: user)
                writes.publish(Topic.bookmarks(user))
            }
        }
    }

    /// Bookmarks a page of stars and counts it in the same transaction. Adds nothing past the limit.
    ///
    /// - Parameter next: nil for the last page
    private func keep(_ page: StarredPage, next: String?, for user: UserID) async throws {
        let (now, limit) = (clock.now(), configuration.limit)
        try await database.write { [schedule] writes in
            guard var stars = try writes.starImport(of: user), stars.isRunning else { return }
            let edits = BookmarkEdits(of: user, in: writes, schedule)
            var room = limit - (try writes.bookmarkCount(of: user))
            var refused = page.refused
            var isFull = false
            for (item, starredAt) in page.items {
                if let existing = try writes.bookmark(repository: item.id, of: user) {
                    try edits.merge(item, by: existing, isRequested: item.detail != nil, now: now)
                } else if let named = try writes.bookmark(named: item.fullName, of: user),
                    named.repositoryID == nil
                {
                    try edits.merge(item, by: named, isRequested: item.detail != nil, now: now)
                } else if room > 0 {
                    room -= 1
                    try edits.clear(item.fullName, now: now)
                    let addedAt = min(starredAt, now)
                    try edits.insert(BookmarkRecord(item, addedAt: addedAt, now: now))
                } else {
                    isFull = true
                    refused.add(.init(name: item.fullName, why: "You have reached the limit of bookmarks."))
                }
            }
            let isLast = next == nil || isFull
            let undo = try edits.addUndo(
                of: { $0.before == nil }, to: stars.undo, isOpen: !isLast, at: now)
            let read = page.items.count + page.refused.count - refused.count
            let added = edits.diffs.count { $0.before == nil }
            stars.count(read, added: added, refused: refused, undo: undo)
            stars.nextPage = next
            if isLast { stars.end(at: now) }
            try writes.putStarImport(stars, of: user)
            writes.publish(Topic.bookmarks(user))
        }
    }

    private func reason(_ error: any Error, for user: UserID) -> APIError {
        switch error {
        case let failure as GitHubFailure: failure.error
        case RoostError.unavailable where !configuration.accounts.isSignedIn(user): .unauthorized
        default: .unknown("\(type(of: error))")
        }
    }
}

package enum StarImport: Equatable, Sendable {
    case idle
    case running(Int)
    case done(added: Int, existing: Int, at: Date)
    case failed(APIError, read: Int)
}

package protocol StarSource: Sendable {
    /// - Parameter path: nil for the first page
    func starred(_ path: String?, for user: UserID) async throws -> StarredPage
}

extension RepositoryFetcher: StarSource {}
