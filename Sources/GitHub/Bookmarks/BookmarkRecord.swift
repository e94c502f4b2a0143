import Foundation
import GRDB
import RoostSupport
import TextFormats

struct BookmarkRecord: Codable, Equatable, Sendable {
    static let dueAfter: TimeInterval = 86_400
    /// For a bookmark that is gone, unless it was private: the account may only be disconnected for a while.
    static let dueAfterGone: TimeInterval = 7 * 86_400

    /// 0 before the bookmark is inserted.
    var id: BookmarkID = 0
    /// 0 before the bookmark is inserted.
    var user: UserID = 0
    /// Nil until GitHub has confirmed the repository: an imported file may claim any id.
    var repositoryID: RepositoryID?
    /// The row of `repositories` with the item.
    var place: Int64?
    var fullName = ""
    var item: RepositoryItem?
    var seen = AcknowledgedState()
    var state = Bookmark.State.unresolved
    var tags: [String] = []
    var note = ""
    var addedAt = Date(timeIntervalSince1970: 0)
    var checkedAt: Date?
    var dueAt = Date(timeIntervalSince1970: 0)

    init() {}

    /// A bookmark by name only, for which GitHub must be asked.
    init(name: RepositoryName, addedAt: Date, now: Date) {
        fullName = name.description
        state = .unresolved
        seen = AcknowledgedState(fullName: fullName, state: .unresolved)
        self.addedAt = addedAt
        dueAt = now
    }

    init(_ item: RepositoryItem, addedAt: Date, now: Date) {
        repositoryID = item.id
        fullName = item.fullName
        self.item = item
        state = .present
        seen = AcknowledgedState(fullName: fullName, state: .present, item: item)
        self.addedAt = addedAt
        checkedAt = item.detail == nil ? nil : item.fetchedAt
        dueAt = checkedAt.map { $0 + Self.dueAfter } ?? now
    }

    var name: RepositoryName? { RepositoryName(fullName) }

    var changes: [BookmarkChange] { seen.changes(to: item, fullName: fullName, state: state) }
    var isChanged: Bool { !changes.isEmpty }

    /// Nil for an invalid name, which only another program can have written.
    var bookmark: Bookmark? {
        name.map {
            Bookmark(
                id: id, name: $0, item: item, state: state, tags: tags, note: note, addedAt: addedAt,
                checkedAt: checkedAt, changes: changes)
        }
    }
}

extension BookmarkRecord {
    /// Merges GitHub's data about the repository.
    ///
    /// - Parameters:
    ///   - isRequested: whether GitHub was asked about this bookmark
    ///   - hasChanged: whether the repository has changed; nil to compare the items
    mutating func merge(_ fetched: RepositoryItem, isRequested: Bool, hasChanged: Bool? = nil, now: Date) {
        let previous = repositoryID == fetched.id ? item : nil
        var merged = fetched
        // A list row has no detail, or one that may be older than the known one.
        if fetched.detail == nil || isNewer(previous?.fetchedAt, than: fetched.fetchedAt), !isRequested {
            (merged.detail, merged.fetchedAt) = (previous?.detail, previous?.fetchedAt)
        }
        let isConfirmed =
            isRequested || (fetched.detail != nil && isNewer(fetched.fetchedAt, than: checkedAt))
        repositoryID = fetched.id
        fullName = fetched.fullName
        // A response of the last few seconds may have been merged before. Its own date keeps it from counting twice.
        let answeredAt =
            fetched.fetchedAt.flatMap { (0..<5).contains(now.timeIntervalSince($0)) ? $0 : nil } ?? now
        if isRequested, fetched.detail != nil { merged.fetchedAt = answeredAt }
        let isDifferent = hasChanged ?? !isSame(merged, previous)
        if isRequested || !isSame(merged, previous)
            || isHourOlder(previous?.fetchedAt, than: merged.fetchedAt)
        {
            item = merged
        }
        let wasPresent = state == .present
        if isConfirmed || state == .unresolved { state = .present }
        seen.fill(from: merged)
        if isConfirmed {
            check(
                at: isRequested ? answeredAt : fetched.fetchedAt ?? now,
                always: isRequested || !wasPresent || isDifferent)
        }
    }

    /// For a repository that GitHub no longer has, or whose name belongs to another.
    mutating func markGone(now: Date) {
        state = .gone
        checkedAt = now
        dueAt = now + (item?.repository.isPrivate == true ? Self.dueAfter : Self.dueAfterGone)
    }

    mutating func markSeen() {
        seen = AcknowledgedState(fullName: fullName, state: state, item: item)
    }

    mutating func mergeTagsAndNote(of other: BookmarkRecord) {
        tags = Array(TagRules.union(tags, other.tags).prefix(TagRules.maximumTags))
        // Keeps the longer note if both together are too long.
        note =
            TagRules.joined(note, other.note)
            ?? (note.unicodeScalars.count >= other.note.unicodeScalars.count ? note : other.note)
        addedAt = min(addedAt, other.addedAt)
    }

    /// Saves a new time at most once an hour, unless `always`, to avoid writes for unchanged repositories.
    private mutating func check(at time: Date, always: Bool) {
        guard always || isHourOlder(checkedAt, than: time) else { return }
        checkedAt = time
        dueAt = time + Self.dueAfter
    }

    private func isSame(_ one: RepositoryItem, _ other: RepositoryItem?) -> Bool {
        one.repository == other?.repository && one.detail == other?.detail
    }

    private func isNewer(_ one: Date?, than other: Date?) -> Bool {
        (one ?? .distantPast) > (other ?? .distantPast)
    }

    private func isHourOlder(_ one: Date?, than other: Date?) -> Bool {
        (other ?? .distantPast).timeIntervalSince(one ?? .distantPast) >= 3_600
    }
}

extension BookmarkRecord: ColumnRecord {
    static let table = "bookmarks"
    /// The select list of `source`.
    static let selection = "\(selection(of: "bookmark")), \(RepositoryRecord.selection)"

    static let source = """
        bookmarks AS bookmark LEFT JOIN repositories AS repository ON repository.place = bookmark.repository
        """

    private static let repositoryIndex = columnCount

    /// Reads the columns of `selection`. Ignores a repository that cannot be read.
    init(row: Row) throws {
        try self.init(row)
        if !row.hasNull(atIndex: Self.repositoryIndex) {
            item = try? RepositoryRecord(row, at: Self.repositoryIndex).item
        }
    }

    /// Database triggers compare the `seen` columns with the repository.
    mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("id", &id)
        try columns.column("user_id", &user)
        try columns.column("repository_id", &repositoryID)
        try columns.column("repository", &place)
        try columns.column("full_name", &fullName)
        try seen.columns(&columns)
        try columns.column("state", &state)
        try columns.column("note", &note)
        try columns.column("added_at", &addedAt)
        try columns.column("checked_at", &checkedAt)
        try columns.column("due_at", &dueAt)
        try columns.column("tags", sql: Self.tagNames, &tags.lines)
        columns.written("search_text", FoldedText(lines: [fullName] + tags + [note]).text)
    }

    private static let tagNames = """
        (SELECT ifnull(group_concat(name, char(10)), '') FROM
            (SELECT name FROM bookmark_tags WHERE bookmark_id = bookmark.id ORDER BY place))
        """
}

/// A repository as the user last saw it. Differences from it are shown as changes.
struct AcknowledgedState: Codable, Equatable, Hashable, Sendable {
    package var fullName: String
    package var state: Bookmark.State
    /// Nil if unknown at the time. A value that becomes known later isn't a change.
    package var stars: Int?
    package var archived: Bool?
    package var isPrivate: Bool?

    package init(
        fullName: String, state: Bookmark.State, stars: Int? = nil, archived: Bool? = nil,
        isPrivate: Bool? = nil
    ) {
        self.fullName = fullName
        self.state = state
        self.stars = stars
        self.archived = archived
        self.isPrivate = isPrivate
    }

    package init(fullName: String, state: Bookmark.State, item: RepositoryItem?) {
        self.init(
            fullName: fullName, state: state, stars: item?.detail?.stars, archived: item?.detail?.archived,
            isPrivate: item?.repository.isPrivate)
    }

    /// False for values that only a forged or damaged file has.
    var isPossible: Bool { RepositoryName(fullName) != nil && JSONReader.counts.contains(stars ?? 0) }

    mutating func fill(from item: RepositoryItem?) {
        stars = stars ?? item?.detail?.stars
        archived = archived ?? item?.detail?.archived
        isPrivate = isPrivate ?? item?.repository.isPrivate
    }

    /// The most important first.
    package func changes(to item: RepositoryItem?, fullName: String, state: Bookmark.State)
        -> [BookmarkChange]
    {
        var changes: [BookmarkChange] = []
        if state == .gone, self.state != .gone { changes.append(.gone) }
        if state == .present, self.state == .gone { changes.append(.back) }
        if isPrivate == false, item?.repository.isPrivate == true { changes.append(.madePrivate) }
        if let archived, let now = item?.detail?.archived, now != archived {
            changes.append(now ? .archived : .unarchived)
        }
        // Names are case-insensitive.
        if self.fullName != fullName, RepositoryName(self.fullName) != RepositoryName(fullName) {
            changes.append(.renamed(from: self.fullName))
        }
        // The columns have no negative counts; those of a damaged database could overflow.
        if let stars, let now = item?.detail?.stars, now != stars, min(now, stars) >= 0 {
            changes.append(.stars(now - stars))
        }
        return changes
    }
}

extension AcknowledgedState: ColumnRecord {
    init() { self.init(fullName: "", state: .unresolved) }

    mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("seen_name", &fullName)
        try columns.column("seen_state", &state)
        try columns.column("seen_stars", &stars)
        try columns.column("seen_archived", &archived)
        try columns.column("seen_private", &isPrivate)
    }
}
