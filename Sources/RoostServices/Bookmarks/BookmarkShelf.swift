import Foundation
import Synchronization

/// What lists are arranged by, of one bookmark.
struct BookmarkEntry: Equatable, Sendable, RepositoryFacts {
    let id: BookmarkID
    let addedAt: Date
    let fullName: String
    let ownerType: Owner.Kind?
    let isFork: Bool?
    let facts: RepositoryDetail?
    let tags: [String]
    let isChanged: Bool
    /// The tags, and behind them everything else that is searched, the note among it.
    let searchTexts: [FoldedText]

    init(_ record: BookmarkRecord) {
        let item = record.known
        (id, addedAt, fullName) = (record.id, record.addedAt, record.fullName)
        (ownerType, isFork, self.facts) = (item?.ownerType, item?.isFork, item?.facts)
        (tags, isChanged) = (record.tags, record.isChanged)
        searchTexts = [
            FoldedText(lines: record.tags),
            FoldedText(repository: record.fullName, item?.about, item?.facts, and: [record.note]),
        ]
    }

    /// After a change that left repository and note alone: twenty thousand tags are set without reading as many details.
    init(_ record: BookmarkRecord, like entry: BookmarkEntry) {
        (id, addedAt, fullName) = (record.id, record.addedAt, record.fullName)
        (ownerType, isFork, facts) = (entry.ownerType, entry.isFork, entry.facts)
        (tags, isChanged) = (record.tags, record.isChanged)
        searchTexts = [FoldedText(lines: record.tags)] + entry.searchTexts.dropFirst()
    }

    var key: String { "b\(id)" }
}

/// One user's bookmarks in memory, arranged as they were last wished for.
final class BookmarkShelf: Sendable {
    /// Which rows stand in which order under which heads.
    struct Order: Sendable {
        let heads: [(id: String, title: String, count: Int)]
        let ids: [BookmarkID]

        /// The groups that have rows in the range, with these.
        func groups(in range: Range<Int>) -> [(id: String, title: String, ids: ArraySlice<BookmarkID>)] {
            var start = 0
            var groups: [(id: String, title: String, ids: ArraySlice<BookmarkID>)] = []
            for head in heads {
                let part = (start..<(start + head.count)).clamped(to: range)
                if !part.isEmpty { groups.append((head.id, head.title, ids[part])) }
                start += head.count
                if start >= range.upperBound { break }
            }
            return groups
        }
    }

    /// What an order depends on.
    struct Key: Hashable, Sendable {
        let arrangement: RepositoryArrangement
        let tag: String?
        let isChangedOnly: Bool
    }

    private struct State {
        var entries: [BookmarkID: BookmarkEntry]
        /// The latest first.
        var listed: [BookmarkEntry]?
        var orders: [(key: Key, order: Order)] = []
        var tags: [(name: String, count: Int)]?
        var shown: [BookmarkID: Bookmark] = [:]
        /// Counts the changes: what was made before one is not kept after it.
        var changes = 0
    }

    private static let mostOrders = 12
    private static let mostShown = 2_000

    private let state: Mutex<State>

    /// Throws `CancellationError`.
    init(_ records: [BookmarkRecord]) throws {
        let entries = try records.map { record in
            try Task.checkCancellation()
            return (record.id, BookmarkEntry(record))
        }
        state = Mutex(State(entries: Dictionary(entries) { first, _ in first }))
    }

    /// Called after each commit.
    func apply(_ moves: [BookmarkMove]) {
        state.withLock { state in
            state.changes += 1
            for move in moves {
                guard let id = (move.after ?? move.before)?.id else { continue }
                state.shown[id] = nil
                let entry = Self.entry(move, known: state.entries[id])
                guard state.entries[id] != entry else { continue }
                state.entries[id] = entry
                (state.listed, state.tags) = (nil, nil)
                state.orders.removeAll()
            }
        }
    }

    private static func entry(_ move: BookmarkMove, known: BookmarkEntry?) -> BookmarkEntry? {
        guard let after = move.after else { return nil }
        if let known, let before = move.before, before.item == after.item, before.note == after.note,
            before.fullName == after.fullName
        {
            return BookmarkEntry(after, like: known)
        }
        return BookmarkEntry(after)
    }

    /// What is kept of an order and the tags until something changes; nil: it is to be made.
    func kept(_ key: Key) -> (order: Order, tags: [(name: String, count: Int)])? {
        state.withLock { state in
            guard let order = state.orders.first(where: { $0.key == key })?.order, let tags = state.tags
            else { return nil }
            return (order, tags)
        }
    }

    /// Every tag in the spelling of its oldest bookmark, the most used first, then by name. Throws
    /// `CancellationError`.
    func arranged(_ key: Key) throws -> (order: Order, tags: [(name: String, count: Int)]) {
        // Made without the lock: the commits that change something must not wait for it.
        let (known, changes) = state.withLock { ($0, $0.changes) }
        // Rows of one file stand as they stood there.
        let listed =
            known.listed ?? known.entries.values.sorted { ($1.addedAt, $0.id) < ($0.addedAt, $1.id) }
        let tags = try known.tags ?? Self.tags(of: listed)
        let order = try known.orders.first { $0.key == key }?.order ?? Self.order(key, of: listed)
        state.withLock { state in
            guard state.changes == changes else { return }
            (state.listed, state.tags) = (listed, tags)
            // A search of hundreds of words is asked once.
            guard key.arrangement.text.utf8.count <= 400, !state.orders.contains(where: { $0.key == key })
            else { return }
            if state.orders.count >= Self.mostOrders { state.orders.removeFirst() }
            state.orders.append((key, order))
        }
        return (order, tags)
    }

    private static func order(_ key: Key, of listed: [BookmarkEntry]) throws -> Order {
        let fitting = try listed.filter { entry in
            try Task.checkCancellation()
            return (!key.isChangedOnly || entry.isChanged)
                && key.tag.map { tag in entry.tags.contains { BookmarkWords.key($0) == tag } } ?? true
        }
        let groups = try key.arrangement.groups(of: fitting)
        return Order(
            heads: groups.map { ($0.id, $0.title, $0.items.count) },
            ids: groups.flatMap { $0.items.map(\.id) })
    }

    private static func tags(of entries: [BookmarkEntry]) throws -> [(name: String, count: Int)] {
        var counts: [String: (name: String, count: Int, id: BookmarkID)] = [:]
        for entry in entries {
            try Task.checkCancellation()
            for tag in entry.tags {
                let key = BookmarkWords.key(tag)
                let known = counts[key] ?? (tag, 0, entry.id)
                counts[key] = (
                    entry.id < known.id ? tag : known.name, known.count + 1, min(entry.id, known.id)
                )
            }
        }
        return counts.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
            .map { ($0.value.name, $0.value.count) }
    }

    /// The rows that are known here, and a mark of this moment for `show`.
    func shown(_ ids: some Sequence<BookmarkID>) -> (rows: [BookmarkID: Bookmark], mark: Int) {
        state.withLock { state in
            var rows: [BookmarkID: Bookmark] = [:]
            for id in ids { rows[id] = state.shown[id] }
            return (rows, state.changes)
        }
    }

    /// Keeps rows that were read after `mark` was taken.
    func show(_ rows: [Bookmark], mark: Int) {
        state.withLock { state in
            guard state.changes == mark else { return }
            if state.shown.count + rows.count > Self.mostShown { state.shown.removeAll() }
            for row in rows { state.shown[row.id] = row }
        }
    }
}
