import Foundation

/// The import of GitHub's stars.
extension BookmarkService {
    /// GitHub hands them out by the hundred; more pages than room for bookmarks are a server gone wrong.
    private static let mostPages = 1_000

    /// Begins to bookmark all that the user has starred on GitHub; `Listing.stars` and `Topic.bookmarks`
    /// follow it. Throws `RoostError.unavailable` without an account.
    package func importStars(for user: UserID) throws {
        guard surroundings.hasAccount(user) else {
            throw RoostError.unavailable("Connect GitHub first: then Roost can ask for your stars.")
        }
        if stars.begin(user) { tell(user) }
        bell.ring()
    }

    /// Works on the imports that have been begun, one after the other.
    package func readStars() async {
        for (user, run) in stars.takeWaiting() { await readStars(of: user, run) }
    }

    /// Bookmarks that are there stay as they are; all that it added is taken back as one.
    func readStars(of user: UserID, _ run: Int) async {
        var (read, added, path) = (0, 0, String?.none)
        var diffs: [BookmarkDiff] = []
        var paths: Set<String> = []
        func finish(_ state: StarImport) async {
            let now = clock.now()
            let undo = try? await change(of: user) { [diffs] in try $0.keepUndo(of: diffs, at: now) }.undo
            stars.set(state, run, of: user, undo: undo)
            tell(user)
        }
        do {
            repeat {
                let page = try await source.starred(path, for: user)
                let new = try await keep(page.items, for: user)
                diffs += new
                added += new.count
                read += page.items.count
                // The next page's address comes from GitHub: one that leads back would never end.
                path = page.next.flatMap { paths.insert($0).inserted ? $0 : nil }
                guard stars.set(.running(read), run, of: user) else { return }
                tell(user)
                if try await count(of: user) >= surroundings.limit { break }
            } while path != nil && paths.count < Self.mostPages
            await finish(.done(added: added, known: read - added, at: clock.now()))
        } catch {
            await finish(.failed(Self.reason(error), read: read))
        }
    }

    /// Answers what was added; past the limit nothing more is.
    private func keep(_ items: [(item: RepositoryItem, starredAt: Date)], for user: UserID) async throws
        -> [BookmarkDiff]
    {
        let (now, limit) = (clock.now(), surroundings.limit)
        let diffs = try await change(of: user) { rows in
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
        }.diffs
        return diffs.filter { $0.before == nil }
    }

    private static func reason(_ error: any Error) -> APIError {
        switch error {
        case let failure as GitHubFailure: failure.error
        case RoostError.unavailable: .unauthorized
        default: .unknown("\(type(of: error))")
        }
    }
}

extension BookmarkService.Surroundings {
    init(_ accounts: GitHubAccountService) {
        let host = accounts.hosts.standard
        self.init(webURL: host.webURL) { user in
            accounts.accounts(of: user).contains { $0.host == host.name && $0.state == .authenticated }
        }
    }
}
