import Foundation
package import Logging
import Synchronization

/// Users' bookmarks: kept in SQLite with all that is known of their repositories, refreshed daily.
package final class BookmarkService: Service {
    /// What bookmarks need to know of the standard GitHub.
    package struct Configuration: Sendable {
        /// Without a slash at the end: "https://github.com".
        package var webURL: String
        /// Whether the user has an account there that can be asked.
        package var hasAccount: @Sendable (UserID) -> Bool
        /// Bookmarks a user may have.
        package var limit = 20_000

        package init(webURL: String, hasAccount: @escaping @Sendable (UserID) -> Bool) {
            self.webURL = webURL
            self.hasAccount = hasAccount
        }
    }

    package static let rowsOnPage = 100
    private static let mostPages = 1_000

    let source: any BookmarkSource
    let store: BookmarkStore
    /// When changes that were made since the program started can no longer be taken back.
    let undoEnds: SteadyEnds<UndoID>
    let rests = UserBackoff()
    /// Whose imports of stars are being worked on.
    let importing = Mutex<Set<UserID>>([])
    /// Fired when an import of stars has begun, and when GitHub may have to be asked.
    let (signal, dueSignal) = (AsyncSignal(), AsyncSignal())
    let surroundings: Configuration
    let clock: WallClock
    let log: Logger
    let heavyWork: HeavyWorkQueue
    private let feed: ChangeFeed

    package init(
        source: any BookmarkSource, store: BookmarkStore, surroundings: Configuration, feed: ChangeFeed,
        heavyWork: HeavyWorkQueue = HeavyWorkQueue(), clock: WallClock, log: Logger
    ) {
        self.heavyWork = heavyWork
        self.source = source
        self.surroundings = surroundings
        self.feed = feed
        self.clock = clock
        self.log = log
        self.store = store
        undoEnds = SteadyEnds(clock: clock)
    }

    /// Throws `RoostError.unavailable` where the user has too much of this under way.
    package func listing(_ wish: Query, for user: UserID) async throws -> Listing {
        let pages = min(max(1, wish.pages), Self.mostPages)
        // What is filtered, grouped or sorted by something else than time is a look at all of them.
        let isPlain = wish.arrangement == .init() && wish.tag == nil
        let rows = try await isPlain ? pages * Self.rowsOnPage : count(of: user)
        return try await heavyWork.run(for: user, rows: rows) {
            try await listing(wish, pages: pages, for: user)
        }
    }

    private func listing(_ wish: Query, pages: Int, for user: UserID) async throws -> Listing {
        let query = BookmarkQuery(
            arrangement: wish.arrangement, tag: wish.tag, isChangedOnly: wish.isChangedOnly,
            offset: min(max(0, wish.from), 1_000) * Self.rowsOnPage, limit: pages * Self.rowsOnPage)
        let found = try await store.listing(query, of: user)
        var listing = Listing(now: clock.now())
        listing.index = found.heads.map { ($0.head.id, $0.head.title, $0.count) }
        for bookmark in found.records.compactMap(\.bookmark) {
            try Task.checkCancellation()
            let head = RepositoryGroupHead(of: bookmark, by: wish.arrangement.grouping)
            if listing.groups.last?.id == head.id {
                listing.groups[listing.groups.count - 1].items.append(bookmark)
            } else {
                let title = listing.index.first { $0.id == head.id }?.title ?? head.title
                listing.groups.append(RepositoryGroup(id: head.id, title: title, items: [bookmark]))
            }
        }
        let fitting = found.heads.reduce(0) { $0 + $1.count }
        (listing.total, listing.fitting, listing.changed) = (found.total, fitting, found.changed)
        listing.hasMorePages = query.offset + query.limit < fitting
        listing.tags = found.tags
        if let stars = found.stars {
            listing.stars = stars.state
            if !stars.isRunning, let undo = stars.undo, try await goodUndo(undo, of: user) != nil {
                listing.starsUndo = undo
            }
        }
        return listing
    }

    /// The latest bookmarks before this one (nil: from the beginning), and where to go on; nil at the end.
    package func page(before id: BookmarkID?, limit: Int = rowsOnPage, of user: UserID) async throws
        -> (items: [Bookmark], next: BookmarkID?)
    {
        let limit = min(max(1, limit), 1_000)
        let records = try await store.page(before: id ?? .max, limit: limit + 1, of: user)
        let items = records.prefix(limit)
        return (items.compactMap(\.bookmark), records.count > limit ? items.last?.id : nil)
    }

    /// Those of another list's rows that the user has bookmarked.
    package func marked(_ ids: [RepositoryID], by user: UserID) async throws -> Set<RepositoryID> {
        try await store.marked(ids, by: user)
    }

    package func count(of user: UserID) async throws -> Int { try await store.count(of: user) }

    /// How many have changes that the user has not seen.
    package func changed(for user: UserID) async throws -> Int { try await store.changed(of: user) }

    /// Nil: not bookmarked.
    package func bookmark(named name: RepositoryName, of user: UserID) async throws -> Bookmark? {
        try await store.bookmark(named: name, of: user)?.bookmark
    }

    package func forget(_ user: UserID) { rests.forget(user) }

    /// Works on a user's bookmarks, and tells of what pages show otherwise now. Answers after the commit; errors come in
    /// words.
    func change<Value: Sendable>(
        of user: UserID, _ change: @escaping @Sendable (BookmarkTransaction) throws -> Value
    ) async throws -> (value: Value, diffs: [BookmarkDiff], undo: UndoID?) {
        do {
            let done = try await store.change(of: user, change)
            if let undo = done.undo { undoEnds.note(undo, lasting: BookmarkUndo.lifetime) }
            for user in done.changedUsers.sorted() { tell(user) }
            return (done.value, done.changes, done.undo)
        } catch let error as RoostError {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            log.error("Bookmarks could not be saved", metadata: ["error": "\(error)"])
            throw RoostError(storage: error)
                ?? .unavailable("The database did not take it. Please try again.")
        }
    }

    func tell(_ user: UserID) { feed.publish(Topic.bookmarks(user)) }
}
