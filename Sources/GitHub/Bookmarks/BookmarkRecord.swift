import Foundation
import GRDB
import RoostSupport
import TextFormats

/// A bookmark as it is on the disk, with what is known of its repository.
struct BookmarkRecord: Codable, Equatable, Sendable {
    /// Seconds until GitHub is asked again.
    static let dueAfter: TimeInterval = 86_400
    /// And after one that is gone, unless it was private: then the account may only be away.
    static let dueAfterGone: TimeInterval = 7 * 86_400

    /// 0 before it is inserted.
    var id: BookmarkID
    /// Whose it is; 0 before it is inserted.
    var user: UserID = 0
    /// Nil until GitHub has confirmed the repository: an imported file may claim any number.
    var repositoryID: RepositoryID?
    /// The row of `repositories` that holds the item.
    var place: Int64?
    var fullName: String
    /// What is known of the repository.
    var item: RepositoryItem?
    var seen: AcknowledgedState
    var state: Bookmark.State
    /// In the user's order.
    var tags: [String] = []
    var note = ""
    var addedAt: Date
    var checkedAt: Date?
    var dueAt: Date

    /// By name alone; GitHub is to be asked.
    init(name: RepositoryName, addedAt: Date, now: Date) {
        id = 0
        fullName = name.description
        state = .unresolved
        seen = AcknowledgedState(fullName: fullName, state: .unresolved)
        self.addedAt = addedAt
        dueAt = now
    }

    /// Of a repository that GitHub has told of.
    init(_ item: RepositoryItem, addedAt: Date, now: Date) {
        id = 0
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

    /// What has changed since the user last looked.
    var changes: [BookmarkChange] { seen.changes(to: item, fullName: fullName, state: state) }
    var isChanged: Bool { !changes.isEmpty }

    /// The model; nil for a name that is none, which only another program can have written.
    var bookmark: Bookmark? {
        name.map {
            Bookmark(
                id: id, name: $0, item: item, state: state, tags: tags, note: note, addedAt: addedAt,
                checkedAt: checkedAt, changes: changes)
        }
    }
}

/// How a bookmark changes when GitHub tells of its repository.
extension BookmarkRecord {
    /// Merges what GitHub has told of its repository.
    ///
    /// - Parameters:
    ///   - isAsked: GitHub was asked for this very one
    ///   - isNews: whether the repository itself has changed with this; nil: as its item says
    mutating func merge(_ fetched: RepositoryItem, isAsked: Bool, isNews: Bool? = nil, now: Date) {
        let known = repositoryID == fetched.id ? item : nil
        var merged = fetched
        // A row of a list has no detail, or the one that was known when the list came.
        if fetched.detail == nil || isNewer(known?.fetchedAt, than: fetched.fetchedAt), !isAsked {
            (merged.detail, merged.fetchedAt) = (known?.detail, known?.fetchedAt)
        }
        let isProof = isAsked || (fetched.detail != nil && isNewer(fetched.fetchedAt, than: checkedAt))
        repositoryID = fetched.id
        fullName = fetched.fullName
        // What came a moment ago is the answer, which may have been merged already: it was checked then, not twice.
        let answeredAt =
            fetched.fetchedAt.flatMap { (0..<5).contains(now.timeIntervalSince($0)) ? $0 : nil } ?? now
        if isAsked, fetched.detail != nil { merged.fetchedAt = answeredAt }
        let isOther = isNews ?? !isSame(merged, known)
        if isAsked || !isSame(merged, known) || isHourOlder(known?.fetchedAt, than: merged.fetchedAt) {
            item = merged
        }
        let wasThere = state == .present
        if isProof || state == .unresolved { state = .present }
        seen.fill(from: merged)
        if isProof {
            check(
                at: isAsked ? answeredAt : fetched.fetchedAt ?? now, always: isAsked || !wasThere || isOther)
        }
    }

    /// GitHub no longer has it, or its name is another repository's now.
    mutating func markGone(now: Date) {
        state = .gone
        checkedAt = now
        dueAt = now + (item?.repository.isPrivate == true ? Self.dueAfter : Self.dueAfterGone)
    }

    /// The user has seen it as it is now.
    mutating func markSeen() {
        seen = AcknowledgedState(fullName: fullName, state: state, item: item)
    }

    /// Adds the tags and note of another bookmark of the same repository.
    mutating func takeTagsAndNote(of other: BookmarkRecord) {
        tags = Array(TagRules.union(tags, other.tags).prefix(TagRules.maximumTags))
        // The longer one stays where both are too long together.
        note =
            TagRules.joined(note, other.note)
            ?? (note.unicodeScalars.count >= other.note.unicodeScalars.count ? note : other.note)
        addedAt = min(addedAt, other.addedAt)
    }

    /// An hour's grain unless `always`: a repository that is looked at all day and stays as it is does not write
    /// all day.
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

extension BookmarkRecord: FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "bookmarks"

    /// What a statement selects for `init(row:)`, of `source`. A tag is one line, so that a new line tells two apart.
    static let selection = """
        bookmark.id, bookmark.user_id, bookmark.repository_id, bookmark.repository, bookmark.full_name,
        bookmark.seen_name, bookmark.seen_state, bookmark.seen_stars, bookmark.seen_archived,
        bookmark.seen_private, bookmark.state, bookmark.note, bookmark.added_at, bookmark.checked_at,
        bookmark.due_at,
        (SELECT group_concat(name, char(10)) FROM
            (SELECT name FROM bookmark_tags WHERE bookmark_id = bookmark.id ORDER BY place)) AS tags,
        \(RepositoryRecord.selection)
        """

    static let source = """
        bookmarks AS bookmark LEFT JOIN repositories AS repository ON repository.place = bookmark.repository
        """

    /// Throws `ImpossibleValue`; a repository that cannot be read is not known.
    init(row: Row) throws {
        var reader = RowReader(row)
        (id, user) = (try reader.id(), try reader.id())
        repositoryID = try reader.ifPresent { try $0.id() }
        place = try reader.ifPresent { try $0.id() }
        fullName = try reader.text()
        seen = AcknowledgedState(
            fullName: try reader.text(), state: try reader.choice(),
            stars: try reader.ifPresent { try $0.count() }, archived: try reader.ifPresent { try $0.flag() },
            isPrivate: try reader.ifPresent { try $0.flag() })
        state = try reader.choice()
        note = try reader.text(maximumBytes: 65_536)
        addedAt = try reader.time()
        checkedAt = try reader.ifPresent { try $0.time() }
        dueAt = try reader.time()
        let tags = try reader.ifPresent { try $0.text(maximumBytes: 65_536) }
        self.tags = tags.map { $0.splitBytes(at: "\n").map(String.init) } ?? []
        item = reader.isAtNull ? nil : try? RepositoryRecord(&reader).item
    }

    /// Triggers compare `seen` with the repository.
    func encode(to container: inout PersistenceContainer) {
        container["id"] = id == 0 ? nil : id
        container["user_id"] = user
        container["repository_id"] = repositoryID
        container["repository"] = place
        container["full_name"] = fullName
        container["seen_name"] = seen.fullName
        container["seen_state"] = seen.state.rawValue
        container["seen_stars"] = seen.stars
        container["seen_archived"] = seen.archived
        container["seen_private"] = seen.isPrivate
        container["state"] = state.rawValue
        container["note"] = note
        container["search_text"] = FoldedText(lines: [fullName] + tags + [note]).text
        container["added_at"] = addedAt.timeIntervalSince1970
        container["checked_at"] = checkedAt?.timeIntervalSince1970
        container["due_at"] = dueAt.timeIntervalSince1970
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}
