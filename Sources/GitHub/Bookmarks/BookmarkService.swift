import Foundation
import Logging
package import RoostSupport

/// Users' bookmarks: kept in SQLite with all that is known of their repositories. What people do with them is answered
/// after the commit.
package final class BookmarkService: Service {
    /// What a change can be taken back with, for an hour.
    package typealias UndoID = String

    /// What a change did: the notice after it is made of this.
    package struct ChangeResult: Equatable, Sendable {
        /// How many bookmarks it touched.
        package let count: Int
        /// Of the only one.
        package let fullName: String?
        package let undo: UndoID?

        package init(count: Int, fullName: String?, undo: UndoID?) {
            self.count = count
            self.fullName = fullName
            self.undo = undo
        }
    }

    /// What is done with several at once.
    package enum BulkAction: Equatable, Sendable {
        case addTag(String), removeTag(String), remove, markSeen
    }

    static let rowsOnPage = 100
    private static let maximumPages = 1_000
    /// Between two looks for changes that can no longer be taken back.
    private static let tidyInterval = Duration.seconds(30)

    private let source: any BookmarkSource
    private let store: BookmarkStore
    private let writer: BookmarkWriter
    private let limit: Int
    private let heavyWork: HeavyWorkQueue
    private let clock: WallClock
    private let log: Logger

    /// - Parameter limit: bookmarks a user may have
    init(
        source: any BookmarkSource, store: BookmarkStore, writer: BookmarkWriter, limit: Int,
        heavyWork: HeavyWorkQueue, clock: WallClock, log: Logger
    ) {
        self.source = source
        self.store = store
        self.writer = writer
        self.limit = limit
        self.heavyWork = heavyWork
        self.clock = clock
        self.log = log
    }

    /// Removes changes that can no longer be taken back, until cancelled.
    package func run() async {
        while !Task.isCancelled {
            do { try await store.removeOldUndos(except: writer.undoEnds.good, at: clock.now()) } catch {
                log.error("Old undos could not be removed", metadata: ["error": "\(error)"])
            }
            try? await Task.sleep(for: Self.tidyInterval)
        }
    }

    // MARK: Reading

    /// Throws `RoostError.unavailable` where the user has too much of this under way.
    package func listing(_ query: BookmarkListing.Query, for user: UserID) async throws -> BookmarkListing {
        let pages = min(max(1, query.pages), Self.maximumPages)
        // What is filtered, grouped or sorted by something else than time is a look at all of them.
        let isPlain = query.arrangement == .init() && query.tag == nil
        let rows = try await isPlain ? pages * Self.rowsOnPage : count(of: user)
        return try await heavyWork.run(for: user, rows: rows) {
            try await listing(query, pages: pages, for: user)
        }
    }

    private func listing(_ query: BookmarkListing.Query, pages: Int, for user: UserID) async throws
        -> BookmarkListing
    {
        let query = BookmarkQuery(
            arrangement: query.arrangement, tag: query.tag, isChangedOnly: query.isChangedOnly,
            offset: min(max(0, query.from), 1_000) * Self.rowsOnPage, limit: pages * Self.rowsOnPage)
        let found = try await store.listing(query, of: user)
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
        let fitting = found.heads.reduce(0) { $0 + $1.count }
        (listing.total, listing.fitting, listing.changed) = (found.total, fitting, found.changed)
        listing.hasMorePages = query.offset + query.limit < fitting
        listing.tags = found.tags
        if let stars = found.stars {
            (listing.stars, listing.refusedStars) = (stars.state, stars.refused)
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

    /// The latest bookmarks, or the latest of those with changes if there are any; with how many there are of both.
    package func latest(
        _ limit: Int, of user: UserID
    ) async throws -> (items: [Bookmark], total: Int, changed: Int) {
        let found = try await store.latest(limit, of: user)
        return (found.records.compactMap(\.bookmark), found.total, found.changed)
    }

    /// How many have changes that the user has not seen.
    package func changed(for user: UserID) async throws -> Int { try await store.changed(of: user) }

    /// Nil: not bookmarked.
    package func bookmark(named name: RepositoryName, of user: UserID) async throws -> Bookmark? {
        try await store.bookmark(named: name, of: user)?.bookmark
    }

    // MARK: Changes

    /// Bookmarks a repository; one that is bookmarked already stays as it is (count 0). What Roost does not
    /// know yet is asked for first (10 s at most). Throws `RoostError.invalid(field: "fullName")`,
    /// `.notFound`, `.unavailable`, and `.conflict` past 20,000.
    package func add(_ name: RepositoryName, for user: UserID) async throws -> (ChangeResult, Bookmark) {
        let known = try await bookmark(named: name, of: user)
        if let known, known.state != .gone {
            return (ChangeResult(count: 0, fullName: known.fullName, undo: nil), known)
        }
        guard try await count(of: user) < limit else { throw Self.isFull(limit) }
        let item: RepositoryItem
        do { item = try await fetchedItem(of: name, for: user) } catch let error as RoostError {
            // What GitHub no longer has, or does not tell of now, is bookmarked all the same.
            guard let known else { throw error }
            return (ChangeResult(count: 0, fullName: known.fullName, undo: nil), known)
        }
        let now = clock.now()
        let ((record, isNew), _, undo) = try await writer.change(of: user) { [limit] rows in
            if let known = try rows.find(repository: item.id) {
                // GitHub has just told of it.
                return (try rows.merge(item, by: known, isAsked: known.state == .gone, now: now), false)
            }
            if let named = try rows.find(item.fullName), named.repositoryID == nil {
                return (try rows.merge(item, by: named, isAsked: item.detail != nil, now: now), false)
            }
            guard try rows.count() < limit else { throw Self.isFull(limit) }
            try rows.clear(item.fullName, now: now)
            let new = try rows.insert(BookmarkRecord(item, addedAt: now, now: now))
            try rows.keepUndo(of: rows.changes.filter { $0.after?.id == new.id }, at: now)
            return (new, true)
        }
        guard let bookmark = record.bookmark else { throw Self.isNotThere }
        return (ChangeResult(count: isNew ? 1 : 0, fullName: bookmark.fullName, undo: undo), bookmark)
    }

    private func fetchedItem(of name: RepositoryName, for user: UserID) async throws -> RepositoryItem {
        if let known = try await source.known(name, for: user) { return known }
        return try await source.item(named: name, for: user)
    }

    /// Throws `RoostError.notFound` where it is not bookmarked.
    package func remove(_ name: RepositoryName, of user: UserID) async throws -> ChangeResult {
        let now = clock.now()
        let (_, diffs, undo) = try await writer.change(of: user) { rows in
            guard let record = try rows.find(name.description) else { throw Self.isNotThere }
            try rows.remove(record)
            try rows.keepUndo(at: now)
        }
        return Self.result(diffs, undo)
    }

    /// Nil leaves it as it is. Throws `RoostError.invalid(field: "tags")`, `(field: "note")`, `.notFound`.
    package func edit(_ name: RepositoryName, tags: [String]?, note: String?, of user: UserID) async throws
        -> ChangeResult
    {
        let tags = try tags.map(TagRules.tags)
        let note = try note.map(TagRules.note)
        let now = clock.now()
        let (fullName, diffs, undo) = try await writer.change(of: user) { rows in
            guard let record = try rows.find(name.description) else { throw Self.isNotThere }
            var edited = record
            edited.tags = tags ?? record.tags
            edited.note = note ?? record.note
            try rows.update(record, to: edited)
            try rows.keepUndo(at: now)
            return record.fullName
        }
        return Self.result(diffs, undo, fullName: fullName)
    }

    /// Ids that are not the user's are passed over, and bookmarks that are as wished already or have no room
    /// for another tag. Throws `RoostError.invalid(field: "tag")`.
    package func change(_ ids: [BookmarkID], _ bulk: BulkAction, of user: UserID) async throws -> ChangeResult
    {
        var bulk = bulk
        if case .addTag(let tag) = bulk { bulk = .addTag(try TagRules.tag(tag)) }
        if case .removeTag(let tag) = bulk { bulk = .removeTag(try TagRules.tag(tag)) }
        let requested = Array(Set(ids.prefix(limit)))
        let now = clock.now()
        let (_, diffs, undo) = try await heavyWork.run(for: user, rows: requested.count) { [bulk] in
            try await writer.change(of: user) { rows in
                for record in try rows.find(requested) {
                    guard let changed = Self.changed(record, bulk) else {
                        try rows.remove(record)
                        continue
                    }
                    try rows.update(record, to: changed)
                }
                try rows.keepUndo(at: now)
            }
        }
        return Self.result(diffs, undo)
    }

    /// Throws `RoostError.notFound` when it is too late.
    package func undo(_ id: UndoID, for user: UserID) async throws -> ChangeResult {
        guard let undo = try await goodUndo(id, of: user) else { throw Self.isTooLate }
        let touched = try await heavyWork.run(for: user, rows: undo.size) {
            try await writer.change(of: user) { [limit] rows in
                // Taken back meanwhile by another click.
                guard try rows.undos.find(id) != nil else { throw Self.isTooLate }
                let touched = try rows.takeBack(rows.undos.take(undo.id))
                guard try rows.count() <= limit else { throw Self.isFull(limit) }
                return touched
            }.value
        }
        let only = touched.count == 1 ? touched.first?.fullName : nil
        return ChangeResult(count: touched.count, fullName: only, undo: nil)
    }

    /// A change that can still be taken back: by the steady clock, or the machine's.
    private func goodUndo(_ id: UndoID, of user: UserID) async throws -> BookmarkUndoRecord? {
        let isGood = writer.undoEnds.end(of: id) != nil
        return try await store.undo(id, of: user).flatMap { isGood || $0.isGood(at: clock.now()) ? $0 : nil }
    }

    /// Nil: it is to be removed.
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

    private static func isFull(_ limit: Int) -> RoostError {
        let maximum = limit.formatted(.number.locale(Locale(identifier: "en_US")))
        return .conflict(field: "fullName", why: "There is room for \(maximum) bookmarks.")
    }

    private static let isTooLate = RoostError.notFound("This can no longer be undone.")
    private static let isNotThere = RoostError.notFound("This repository is not among your bookmarks.")
}

extension Topic {
    package static func bookmarks(_ user: UserID) -> String { "bookmarks/\(user)" }
}

/// What bookmarks need of GitHub's repositories.
package protocol BookmarkSource: Sendable {
    /// Returns what is known without a wait.
    func known(_ name: RepositoryName, for user: UserID) async throws -> RepositoryItem?
    /// `RepositoryDetailService.item(named:for:)`.
    func item(named name: RepositoryName, for user: UserID) async throws -> RepositoryItem
    /// `RepositoryDetailService.refresh(_:for:)`.
    func refresh(_ name: RepositoryName, for user: UserID) async throws -> RepositoryDetailService.Refreshed
}

extension RepositoryDetailService: BookmarkSource {
    /// Requests detail and README as well: a bookmark wants both.
    package func known(_ name: RepositoryName, for user: UserID) async throws -> RepositoryItem? {
        try await view(of: name, for: user).item
    }
}
