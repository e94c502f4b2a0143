import Foundation
package import RoostSupport

/// Users' bookmarks, in SQLite with their repositories' data. Changes return after the commit.
package final class BookmarkService: Sendable {
    package struct ChangeResult: Equatable, Sendable {
        package let count: Int
        /// Set if the change is about a single bookmark.
        package let fullName: String?
        package let undo: UndoID?
    }

    package enum BulkAction: Equatable, Sendable {
        case addTag(String), removeTag(String), remove, markSeen
    }

    static let rowsOnPage = 100

    private let source: any BookmarkSource
    let database: Database
    private let schedule: BookmarkRefreshSchedule
    private let limit: Int
    private let heavyWork: HeavyWorkQueue
    private let clock: WallClock

    init(
        source: any BookmarkSource, database: Database, schedule: BookmarkRefreshSchedule, limit: Int,
        heavyWork: HeavyWorkQueue, clock: WallClock
    ) {
        self.source = source
        self.database = database
        self.schedule = schedule
        self.limit = limit
        self.heavyWork = heavyWork
        self.clock = clock
    }

    // MARK: Reading

    /// Throws `RoostError.unavailable` if the user already has too many such requests running.
    package func listing(_ query: BookmarkListing.Query, for user: UserID) async throws -> BookmarkListing {
        let rows = try await database.read { try rowsRead($0, by: query, for: user) }
        return try await heavyWork.run(for: user, rows: rows) {
            try await database.read { try listing($0, query, for: user) }
        }
    }

    /// The number of bookmarks that `listing` reads, for `HeavyWorkQueue`.
    package func rowsRead(
        _ reads: Reads, by query: BookmarkListing.Query, for user: UserID
    ) throws -> Int {
        // Filtering by tag or text, grouping, and sorting by anything but time read all bookmarks.
        let isPlain = query.arrangement == .init() && query.tag == nil
        return try isPlain ? query.pageCount * Self.rowsOnPage : count(reads, of: user)
    }

    /// Throws `CancellationError`.
    package func listing(
        _ reads: Reads, _ query: BookmarkListing.Query, for user: UserID
    ) throws -> BookmarkListing {
        let query = BookmarkQuery(
            arrangement: query.arrangement, tag: query.tag, isChangedOnly: query.isChangedOnly,
            offset: min(max(0, query.from), 1_000) * Self.rowsOnPage,
            limit: query.pageCount * Self.rowsOnPage)
        let found = try reads.bookmarkListing(query, of: user)
        let undo = found.stars.flatMap { $0.isRunning ? nil : $0.undo }
        let starsUndo = try undo.flatMap { try reads.undo($0, BookmarkUndoStep.self, by: user)?.id }
        var listing = BookmarkListing(now: clock.now())
        listing.index = found.heads.map { ($0.head.id, $0.head.title, $0.count) }
        for bookmark in found.records.compactMap(\.bookmark) {
            try Task.checkCancellation()
            let head = RepositoryGroupHead(of: bookmark, by: query.arrangement.grouping)
            if listing.groups.last?.id == head.id {
                listing.groups[listing.groups.count - 1].items.append(bookmark)
            } else {
                let title = listing.index.first { $0.id == head.id }?.title ?? head.title
                listing.groups.append(RepositoryGroup(id: head.id, title: title, items: [bookmark]))
            }
        }
        let matching = found.heads.reduce(0) { $0 + $1.count }
        (listing.total, listing.matching, listing.changed) = (found.total, matching, found.changed)
        listing.hasMorePages = query.offset + query.limit < matching
        listing.tags = found.tags
        if let stars = found.stars {
            (listing.stars, listing.refusedStars) = (stars.state, stars.refused)
        }
        listing.starsUndo = starsUndo
        return listing
    }

    /// Returns the latest bookmarks before `id` (nil for the latest of all), and the id for the next page, or nil at
    /// the end.
    package func page(before id: BookmarkID?, limit: Int = rowsOnPage, of user: UserID) async throws
        -> (items: [Bookmark], next: BookmarkID?)
    {
        let limit = min(max(1, limit), 1_000)
        let records = try await database.read {
            try $0.bookmarks(before: id ?? .max, limit: limit + 1, of: user)
        }
        let items = records.prefix(limit)
        return (items.compactMap(\.bookmark), records.count > limit ? items.last?.id : nil)
    }

    package func marked(_ reads: Reads, _ ids: [RepositoryID], by user: UserID) throws -> Set<RepositoryID> {
        try reads.bookmarkedRepositories(among: ids, of: user)
    }

    package func count(_ reads: Reads, of user: UserID) throws -> Int { try reads.bookmarkCount(of: user) }

    package func count(of user: UserID) async throws -> Int {
        try await database.read { try count($0, of: user) }
    }

    /// Returns the latest bookmarks with unseen changes, the number of all, and the number of changed ones.
    package func changedLatest(
        _ reads: Reads, _ limit: Int, of user: UserID
    ) throws -> (items: [Bookmark], total: Int, changed: Int) {
        let found = try reads.changedBookmarks(limit, of: user)
        return (found.records.compactMap(\.bookmark), found.total, found.changed)
    }

    package func changed(_ reads: Reads, for user: UserID) throws -> Int {
        try reads.changedBookmarkCount(of: user)
    }

    package func bookmark(_ reads: Reads, named name: RepositoryName, of user: UserID) throws -> Bookmark? {
        try reads.bookmark(named: name.description, of: user)?.bookmark
    }

    package func bookmark(named name: RepositoryName, of user: UserID) async throws -> Bookmark? {
        try await database.read { try bookmark($0, named: name, of: user) }
    }

    // MARK: Changes

    /// Bookmarks a repository. An existing bookmark stays unchanged, with count 0. Waits up to 10 s for GitHub if Roost
    /// doesn't know the repository. Throws `RoostError.invalid(field: "fullName")`, `.notFound`, `.unavailable`, and
    /// `.conflict` past the limit.
    package func add(_ name: RepositoryName, for user: UserID) async throws -> (ChangeResult, Bookmark) {
        let existing = try await bookmark(named: name, of: user)
        if let existing, existing.state != .gone {
            return (ChangeResult(count: 0, fullName: existing.fullName, undo: nil), existing)
        }
        guard try await count(of: user) < limit else { throw Self.limitReached(limit) }
        let item: RepositoryItem
        do { item = try await fetchedItem(of: name, for: user) } catch let error as RoostError {
            // The existing bookmark stays, even if GitHub has no data now.
            guard let existing else { throw error }
            return (ChangeResult(count: 0, fullName: existing.fullName, undo: nil), existing)
        }
        let now = clock.now()
        let (record, isNew, undo) = try await database.write { [limit, schedule] writes in
            let edits = BookmarkEdits(of: user, in: writes, schedule)
            if let existing = try writes.bookmark(repository: item.id, of: user) {
                let merged = try edits.merge(
                    item, by: existing, isRequested: existing.state == .gone, now: now)
                return (merged, false, UndoID?.none)
            }
            if let named = try writes.bookmark(named: item.fullName, of: user), named.repositoryID == nil {
                let merged = try edits.merge(item, by: named, isRequested: item.detail != nil, now: now)
                return (merged, false, nil)
            }
            guard try writes.bookmarkCount(of: user) < limit else { throw Self.limitReached(limit) }
            try edits.clear(item.fullName, now: now)
            let new = try edits.insert(BookmarkRecord(item, addedAt: now, now: now))
            return (new, true, try edits.addUndo(of: { $0.after?.id == new.id }, at: now))
        }
        guard let bookmark = record.bookmark else { throw Self.notBookmarked }
        return (ChangeResult(count: isNew ? 1 : 0, fullName: bookmark.fullName, undo: undo), bookmark)
    }

    private func fetchedItem(of name: RepositoryName, for user: UserID) async throws -> RepositoryItem {
        if let stored = try await source.storedItem(named: name, for: user) { return stored }
        return try await source.item(named: name, for: user)
    }

    /// Throws `RoostError.notFound` if the repository isn't bookmarked.
    package func remove(_ name: RepositoryName, of user: UserID) async throws -> ChangeResult {
        let now = clock.now()
        let (diffs, undo) = try await database.write { [schedule] writes in
            guard let record = try writes.bookmark(named: name.description, of: user) else {
                throw Self.notBookmarked
            }
            let edits = BookmarkEdits(of: user, in: writes, schedule)
            try edits.remove(record)
            return (edits.diffs, try edits.addUndo(at: now))
        }
        return Self.result(diffs, undo)
    }

    /// Nil keeps the value. Throws `RoostError.invalid(field: "tags")`, `(field: "note")`, `.notFound`.
    package func edit(_ name: RepositoryName, tags: [String]?, note: String?, of user: UserID) async throws
        -> ChangeResult
    {
        let tags = try tags.map(TagRules.tags)
        let note = try note.map(TagRules.note)
        let now = clock.now()
        let (fullName, diffs, undo) = try await database.write { [schedule] writes in
            guard let record = try writes.bookmark(named: name.description, of: user) else {
                throw Self.notBookmarked
            }
            var edited = record
            edited.tags = tags ?? record.tags
            edited.note = note ?? record.note
            let edits = BookmarkEdits(of: user, in: writes, schedule)
            try edits.update(record, to: edited)
            return (record.fullName, edits.diffs, try edits.addUndo(at: now))
        }
        return Self.result(diffs, undo, fullName: fullName)
    }

    /// Skips other users' ids, and bookmarks that need no change or have no room for another tag. Throws
    /// `RoostError.invalid(field: "tag")`.
    package func change(_ ids: [BookmarkID], _ bulk: BulkAction, of user: UserID) async throws -> ChangeResult
    {
        var bulk = bulk
        if case .addTag(let tag) = bulk { bulk = .addTag(try TagRules.tag(tag)) }
        if case .removeTag(let tag) = bulk { bulk = .removeTag(try TagRules.tag(tag)) }
        let requested = Array(Set(ids.prefix(limit)))
        let now = clock.now()
        let (diffs, undo) = try await heavyWork.run(for: user, rows: requested.count) { [bulk] in
            try await database.write { [schedule] writes in
                let edits = BookmarkEdits(of: user, in: writes, schedule)
                for record in try writes.bookmarks(requested, of: user) {
                    guard let changed = Self.changed(record, bulk) else {
                        try edits.remove(record)
                        continue
                    }
                    try edits.update(record, to: changed)
                }
                return (edits.diffs, try edits.addUndo(at: now))
            }
        }
        return Self.result(diffs, undo)
    }

    /// Throws `RoostError.notFound` if the change can no longer be undone.
    package func undo(_ id: UndoID, for user: UserID) async throws -> ChangeResult {
        guard let undo = try await database.read({ try $0.undo(id, BookmarkUndoStep.self, by: user) }) else {
            throw RoostError.undoExpired
        }
        let touched = try await heavyWork.run(for: user, rows: undo.size) {
            try await database.write { [limit, schedule] writes in
                // Another click may have undone it.
                guard let steps: [BookmarkUndoStep] = try writes.takeUndo(id, by: user) else {
                    throw RoostError.undoExpired
                }
                let touched = try BookmarkEdits(of: user, in: writes, schedule).revert(steps)
                guard try writes.bookmarkCount(of: user) <= limit else { throw Self.limitReached(limit) }
                return touched
            }
        }
        let only = touched.count == 1 ? touched.first?.fullName : nil
        return ChangeResult(count: touched.count, fullName: only, undo: nil)
    }

    /// Nil means remove.
    private static func changed(_ record: BookmarkRecord, _ bulk: BulkAction) -> BookmarkRecord? {
        var changed = record
        switch bulk {
        case .addTag(let tag):
            let tags = TagRules.union(record.tags, [tag])
            if tags.count <= TagRules.maximumTags { changed.tags = tags }
        case .removeTag(let tag):
            changed.tags.removeAll { TagRules.key($0) == TagRules.key(tag) }
        case .remove: return nil
        case .markSeen: if record.isChanged { changed.markSeen() }
        }
        return changed
    }

    private static func result(_ diffs: [BookmarkDiff], _ undo: UndoID?, fullName: String? = nil)
        -> ChangeResult
    {
        let only = diffs.count == 1 ? (diffs[0].after ?? diffs[0].before)?.fullName : nil
        return ChangeResult(count: diffs.count, fullName: fullName ?? only, undo: undo)
    }

    private static func limitReached(_ limit: Int) -> RoostError {
        let maximum = limit.formatted(.number.locale(Locale(identifier: "en_US")))
        return .conflict(field: "fullName", why: "You can have at most \(maximum) bookmarks.")
    }

    private static let notBookmarked = RoostError.notFound("This repository is not bookmarked.")
}

extension BookmarkListing.Query {
    private static let maximumPages = 1_000

    fileprivate var pageCount: Int { min(max(1, pages), Self.maximumPages) }
}

extension Topic {
    package static func bookmarks(_ user: UserID) -> String { "bookmarks/\(user)" }
}

package protocol BookmarkSource: Sendable {
    /// Returns stored data without waiting.
    func storedItem(named name: RepositoryName, for user: UserID) async throws -> RepositoryItem?
    /// `RepositoryDetailService.item(named:for:)`.
    func item(named name: RepositoryName, for user: UserID) async throws -> RepositoryItem
    /// `RepositoryDetailService.refresh(_:for:)`.
    func refresh(_ name: RepositoryName, for user: UserID) async throws -> RepositoryDetailService.Refreshed
}

extension RepositoryDetailService: BookmarkSource {
    /// Also requests the detail and README.
    package func storedItem(named name: RepositoryName, for user: UserID) async throws -> RepositoryItem? {
        try await view(of: name, for: user).item
    }
}
