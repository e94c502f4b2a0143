import Foundation
package import Logging
import Synchronization

/// Users' bookmarks: kept in SQLite with all that is known of their repositories, refreshed daily.
package final class BookmarkService: Sendable {
    /// What bookmarks need to know of the standard GitHub.
    package struct Surroundings: Sendable {
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
    let book: BookmarkBook
    let undos = BookmarkUndo()
    let news = BookmarkNews()
    let rests = BookmarkRests()
    let stars = BookmarkStars()
    /// Rung when there is something to write down, and when GitHub may have to be asked.
    let (bell, dueBell) = (WakeUp(), WakeUp())
    let surroundings: Surroundings
    let clock: WallClock
    let log: Logger
    let heavyWork: HeavyWorkQueue
    private let feed: ChangeFeed

    package init(
        source: any BookmarkSource, store: BookmarkStore, surroundings: Surroundings, feed: ChangeFeed,
        heavyWork: HeavyWorkQueue = HeavyWorkQueue(), clock: WallClock, log: Logger
    ) {
        self.heavyWork = heavyWork
        self.source = source
        self.surroundings = surroundings
        self.feed = feed
        self.clock = clock
        self.log = log
        book = BookmarkBook(store: store, log: log)
        source.listen { [book, news, bell] told in
            if news.put(told, for: book) { bell.ring() }
        }
        source.keep { [book] in book.ids }
    }

    /// Throws `RoostError.unavailable` where the user has too much of this under way.
    package func listing(_ wish: Wish, for user: UserID) async throws -> Listing {
        let key = BookmarkShelf.Key(
            arrangement: wish.arrangement, tag: wish.tag.map(BookmarkWords.key),
            isChangedOnly: wish.isChangedOnly)
        let isArranged = book.knownShelf(of: user)?.kept(key) != nil
        let count = count(of: user)
        let shown = min(max(1, wish.pages), Self.mostPages) * Self.rowsOnPage
        return try await heavyWork.run(for: user, rows: isArranged ? min(shown, count) : count) {
            try await listing(wish, arrangedBy: key, for: user)
        }
    }

    private func listing(_ wish: Wish, arrangedBy key: BookmarkShelf.Key, for user: UserID) async throws
        -> Listing
    {
        let shelf = try await book.shelf(of: user)
        let (order, tags) = try shelf.kept(key) ?? shelf.arranged(key)
        let start = min(max(0, wish.from), 1_000) * Self.rowsOnPage
        let end = start + min(max(1, wish.pages), Self.mostPages) * Self.rowsOnPage
        let range = (start..<end).clamped(to: 0..<order.ids.count)
        let rows = try await rows(order.ids[range], on: shelf, of: user)
        let now = clock.now()
        var listing = Listing(now: now)
        listing.index = order.heads
        listing.groups = order.groups(in: range).map { group in
            RepositoryGroup(id: group.id, title: group.title, items: group.ids.compactMap { rows[$0] })
        }
        listing.hasMorePages = range.upperBound < order.ids.count
        let marks = book.marks(of: user)
        (listing.total, listing.fitting, listing.changed) = (marks.count, order.ids.count, marks.changed)
        listing.tags = tags
        listing.stars = stars.state(of: user)
        listing.starsUndo = stars.undo(of: user).flatMap { undos.has($0, of: user, at: now) ? $0 : nil }
        return listing
    }

    /// From memory; what is missing there in one statement.
    private func rows(_ ids: ArraySlice<BookmarkID>, on shelf: BookmarkShelf, of user: UserID) async throws
        -> [BookmarkID: Bookmark]
    {
        var (rows, mark) = shelf.shown(ids)
        let missing = ids.filter { rows[$0] == nil }
        guard !missing.isEmpty else { return rows }
        let read = try await book.store.bookmarks(missing, of: user).compactMap { record in
            try Task.checkCancellation()
            return record.bookmark
        }
        for row in read { rows[row.id] = row }
        shelf.show(read, mark: mark)
        return rows
    }

    /// The latest bookmarks before this one (nil: from the beginning), and where to go on; nil at the end.
    package func page(before id: BookmarkID?, limit: Int = rowsOnPage, of user: UserID) async throws
        -> (items: [Bookmark], next: BookmarkID?)
    {
        let limit = min(max(1, limit), 1_000)
        let records = try await book.store.page(before: id ?? .max, limit: limit + 1, of: user)
        let items = records.prefix(limit)
        return (items.compactMap(\.bookmark), records.count > limit ? items.last?.id : nil)
    }

    /// From memory: which rows of other lists are marked.
    package func marked(by user: UserID) -> Set<RepositoryID> { book.marks(of: user).ids }
    package func count(of user: UserID) -> Int { book.marks(of: user).count }
    /// How many have changes that the user has not seen.
    package func changed(for user: UserID) -> Int { book.marks(of: user).changed }

    /// Nil: not bookmarked.
    package func bookmark(named name: RepositoryName, of user: UserID) async throws -> Bookmark? {
        try await book.store.bookmark(named: name, of: user)?.bookmark
    }

    package func load() async throws { try await book.load() }

    package func forget(_ user: UserID) {
        book.forget(user)
        undos.forget(user)
        stars.forget(user)
        rests.forget(user)
    }

    /// Works on a user's bookmarks, and tells of what a page shows otherwise now.
    func change<Value: Sendable>(
        of user: UserID, _ change: @escaping @Sendable (BookmarkRows) throws -> Value
    ) async throws -> (value: Value, moves: [BookmarkMove]) {
        let done = try await book.change(of: user, change)
        if done.moves.contains(where: \.isVisible) { tell(user) }
        return done
    }

    func tell(_ user: UserID) { feed.publish(Topic.bookmarks(user)) }
}
