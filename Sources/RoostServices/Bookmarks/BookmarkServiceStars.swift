import Foundation

/// The import of GitHub's stars.
extension BookmarkService {
    /// GitHub hands them out by the hundred; more pages than room for bookmarks are a server gone wrong.
    private static let mostPages = 1_000

    /// Begins to bookmark all that the user has starred on GitHub; `Listing.stars` and `Topic.bookmarks`
    /// follow it. Throws `RoostError.unavailable` without an account.
    package func importStars(for user: UserID) async throws {
        guard surroundings.hasAccount(user) else {
            throw RoostError.unavailable("Connect GitHub first: then Roost can ask for your stars.")
        }
        let isNew = try await change(of: user) { rows in
            // A second click while it runs begins nothing.
            if try rows.starImport()?.isRunning == true { return false }
            try rows.put(BookmarkStarImportRecord())
            return true
        }.value
        if isNew { tell(user) }
        signal.fire()
    }

    /// Works on the imports that have been begun, one after the other.
    package func readStars() async {
        for user in await takeWaitingStars() { await readStars(of: user) }
    }

    /// Claims the imports that are not worked on yet: those that have just begun, and after a start those that were
    /// running when the program ended.
    func takeWaitingStars() async -> [UserID] {
        do {
            let users = try await store.usersImportingStars()
            return importing.withLock { importing in users.filter { importing.insert($0).inserted } }
        } catch {
            log.error("Imports of stars could not be read", metadata: ["error": "\(error)"])
            return []
        }
    }

    /// Bookmarks that are there stay as they are; all that it added is taken back as one.
    func readStars(of user: UserID) async {
        defer { importing.withLock { _ = $0.remove(user) } }
        var paths: Set<String> = []
        do {
            while let stars = try await store.starImport(of: user), stars.isRunning {
                try Task.checkCancellation()
                let page = try await source.starred(stars.nextPage, for: user)
                // The next page's address comes from GitHub: one that leads back would never end.
                let next = page.next.flatMap { paths.insert($0).inserted ? $0 : nil }
                try await keep(page.items, next: paths.count < Self.mostPages ? next : nil, for: user)
                tell(user)
            }
        } catch {
            // The program ends: it goes on when it starts again.
            guard !Task.isCancelled else { return }
            let reason = Self.reason(error)
            _ = try? await change(of: user) { rows in
                guard var stars = try rows.starImport(), stars.isRunning else { return }
                stars.fail(reason)
                try rows.put(stars)
            }
            tell(user)
        }
    }

    /// Bookmarks a page of stars, and counts it in the same transaction; past the limit nothing more is added.
    ///
    /// - Parameter next: nil: it is the last page
    private func keep(
        _ items: [(item: RepositoryItem, starredAt: Date)], next: String?, for user: UserID
    ) async throws {
        let (now, limit) = (clock.now(), surroundings.limit)
        _ = try await change(of: user) { rows in
            // The user is gone.
            guard var stars = try rows.starImport(), stars.isRunning else { return }
            var room = limit - (try rows.count())
            for (item, starredAt) in items {
                if let known = try rows.find(repository: item.id) {
                    try rows.learn(item, by: known, isAsked: item.detail != nil, now: now)
                } else if let named = try rows.find(item.fullName), named.repositoryID == nil {
                    try rows.learn(item, by: named, isAsked: item.detail != nil, now: now)
                } else if room > 0 {
                    room -= 1
                    try rows.clear(item.fullName, now: now)
                    let addedAt = min(starredAt, now)
                    try rows.insert(BookmarkRecord(item, addedAt: addedAt, now: now))
                }
            }
            let new = rows.changes.filter { $0.before == nil }
            try rows.keepUndo(of: new, adding: stars.undo, at: now)
            stars.count(items.count, added: new.count, undo: rows.undo)
            stars.nextPage = next
            if try next == nil || rows.count() >= limit { stars.end(at: now) }
            try rows.put(stars)
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

extension BookmarkService.Configuration {
    init(_ accounts: GitHubAccountService) {
        let host = accounts.hosts.standard
        self.init(webURL: host.webURL) { user in
            accounts.accounts(of: user).contains { $0.host == host.name && $0.state == .authenticated }
        }
    }
}
