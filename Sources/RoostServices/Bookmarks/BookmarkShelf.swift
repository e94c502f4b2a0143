import Foundation
import Synchronization

/// What lists are arranged by, of one bookmark.
struct BookmarkEntry: Equatable, Sendable, RepositoryFacts {
    let id: BookmarkID
    let addedAt: Date
    let fullName: String
    let about: String?
    let ownerType: Owner.Kind?
    let isFork: Bool?
    let facts: RepositoryDetail?
    let tags: [String]
    let note: String
    let isChanged: Bool

    init(_ record: BookmarkRecord) {
        let item = record.known
        (id, addedAt, fullName) = (record.id, record.addedAt, record.fullName)
        (about, ownerType, isFork, facts) = (item?.about, item?.ownerType, item?.isFork, item?.facts)
        (tags, note, isChanged) = (record.tags, record.note, record.isChanged)
    }

    /// After a change that left the repository alone: twenty thousand tags are set without reading as many
    /// details.
    init(_ record: BookmarkRecord, like entry: BookmarkEntry) {
        (id, addedAt, fullName) = (record.id, record.addedAt, record.fullName)
        (about, ownerType, isFork, facts) = (entry.about, entry.ownerType, entry.isFork, entry.facts)
        (tags, note, isChanged) = (record.tags, record.note, record.isChanged)
    }

    var key: String { "b\(id)" }
    var remarks: [String] { tags + [note] }
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

    init(_ records: [BookmarkRecord]) {
        let entries = records.map { ($0.id, BookmarkEntry($0)) }
        state = Mutex(State(entries: Dictionary(uniqueKeysWithValues: entries)))
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
        if let known, move.before?.item == after.item { return BookmarkEntry(after, like: known) }
        return BookmarkEntry(after)
    }

    /// Kept until something changes.
    func order(_ key: Key) -> Order {
        let (known, listed, changes) = state.withLock { state in
            (state.orders.first { $0.key == key }?.order, Self.listed(&state), state.changes)
        }
        if let known { return known }
        let order = Self.order(key, of: listed)
        state.withLock { state in
            // A search of hundreds of words is asked once.
            guard state.changes == changes, key.arrangement.text.utf8.count <= 400,
                !state.orders.contains(where: { $0.key == key })
            else { return }
            if state.orders.count >= Self.mostOrders { state.orders.removeFirst() }
            state.orders.append((key, order))
        }
        return order
    }

    private static func listed(_ state: inout State) -> [BookmarkEntry] {
        if let listed = state.listed { return listed }
        // Rows of one file stand as they stood there.
        let listed = state.entries.values.sorted { ($1.addedAt, $0.id) < ($0.addedAt, $1.id) }
        state.listed = listed
        return listed
    }

    private static func order(_ key: Key, of listed: [BookmarkEntry]) -> Order {
        let fitting = listed.filter { entry in
            (!key.isChangedOnly || entry.isChanged)
                && key.tag.map { tag in entry.tags.contains { BookmarkWords.key($0) == tag } } ?? true
        }
        let groups = key.arrangement.groups(of: fitting)
        return Order(
            heads: groups.map { ($0.id, $0.title, $0.items.count) },
            ids: groups.flatMap { $0.items.map(\.id) })
    }

    /// Every tag in the spelling of its oldest bookmark, the most used first, then by name.
    var tags: [(name: String, count: Int)] {
        state.withLock { state in
            if let tags = state.tags { return tags }
            var counts: [String: (name: String, count: Int, id: BookmarkID)] = [:]
            for entry in state.entries.values {
                for tag in entry.tags {
                    let known = counts[BookmarkWords.key(tag)] ?? (tag, 0, entry.id)
                    counts[BookmarkWords.key(tag)] = (
                        entry.id < known.id ? tag : known.name, known.count + 1, min(entry.id, known.id)
                    )
                }
            }
            let tags = counts.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
                .map { ($0.value.name, $0.value.count) }
            state.tags = tags
            return tags
        }
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
