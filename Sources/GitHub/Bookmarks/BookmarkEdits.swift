import Foundation
import RoostSupport

/// A bookmark's change in a transaction: `before` is nil if it was added, `after` is nil if it was removed.
struct BookmarkDiff: Sendable {
    let before: BookmarkRecord?
    let after: BookmarkRecord?

    /// False if only dates of checks or row ids differ.
    var isVisible: Bool {
        guard var before, let after else { return true }
        (before.checkedAt, before.dueAt, before.place) = (after.checkedAt, after.dueAt, after.place)
        before.item?.fetchedAt = after.item?.fetchedAt
        return before != after
    }

    var isDueSooner: Bool {
        guard let after else { return false }
        return before.map { after.dueAt < $0.dueAt } ?? true
    }
}

/// A user's changes to bookmarks within one transaction, by the rules: two bookmarks of a repository become one, and a
/// name belongs to one repository. After the commit, pages and the refresh schedule hear of them.
final class BookmarkEdits {
    let writes: Writes
    let user: UserID
    private let schedule: BookmarkRefreshSchedule?
    private(set) var diffs: [BookmarkDiff] = []
    private var isVisible = false
    private var isDueSooner = false

    /// - Parameter schedule: nil if GitHub has just been asked
    init(of user: UserID, in writes: Writes, _ schedule: BookmarkRefreshSchedule?) {
        self.writes = writes
        self.user = user
        self.schedule = schedule
    }

    @discardableResult
    func insert(_ record: BookmarkRecord) throws -> BookmarkRecord {
        let inserted = try writes.insertBookmark(record, of: user)
        note(BookmarkDiff(before: nil, after: inserted))
        return inserted
    }

    func update(_ before: BookmarkRecord, to after: BookmarkRecord) throws {
        guard before != after else { return }
        note(BookmarkDiff(before: before, after: try writes.updateBookmark(before, to: after)))
    }

    func remove(_ record: BookmarkRecord) throws {
        try writes.removeBookmark(record)
        note(BookmarkDiff(before: record, after: nil))
    }

    private func note(_ diff: BookmarkDiff) {
        diffs.append(diff)
        if diff.isVisible, !isVisible {
            isVisible = true
            writes.publish(Topic.bookmarks(user))
        }
        if diff.isDueSooner, !isDueSooner, let schedule {
            isDueSooner = true
            writes.afterCommit { [user] in schedule.request(user) }
        }
    }

    /// Keeps how to undo the changes that are chosen. Returns nil if there is nothing to undo.
    ///
    /// - Parameters:
    ///   - earlier: a change to undo together with these
    ///   - isOpen: whether further changes follow
    func addUndo(
        of isChosen: (BookmarkDiff) -> Bool = { _ in true }, to earlier: UndoID? = nil, isOpen: Bool = false,
        at now: Date
    ) throws -> UndoID? {
        let steps = diffs.filter(isChosen).compactMap(BookmarkUndoStep.init)
        guard !steps.isEmpty || earlier != nil else { return nil }
        return try writes.addUndo(steps, to: earlier, isOpen: isOpen, by: user, at: now)
    }

    /// Merges GitHub's data into a bookmark. Two bookmarks of the same repository become one.
    @discardableResult
    func merge(
        _ item: RepositoryItem, by record: BookmarkRecord, isRequested: Bool, hasChanged: Bool? = nil,
        now: Date
    ) throws -> BookmarkRecord {
        var current = record
        if let duplicate = try writes.bookmark(repository: item.id, of: user), duplicate.id != record.id {
            try remove(record)
            current = duplicate
            var merged = duplicate
            merged.mergeTagsAndNote(of: record)
            try update(current, to: merged)
            current = merged
        }
        if let nameOnly = try clear(item.fullName, except: current.id, now: now) {
            var merged = current
            merged.mergeTagsAndNote(of: nameOnly)
            try update(current, to: merged)
            current = merged
        }
        var merged = current
        merged.merge(item, isRequested: isRequested, hasChanged: hasChanged, now: now)
        try update(current, to: merged)
        return merged
    }

    /// Frees a name for another repository. A bookmark that had the name is marked gone; one that only consisted of the
    /// name is removed and returned for its tags and note.
    @discardableResult
    func clear(_ fullName: String, except id: BookmarkID = 0, now: Date) throws -> BookmarkRecord? {
        guard let other = try writes.bookmark(named: fullName, of: user), other.id != id, other.state != .gone
        else { return nil }
        if other.repositoryID == nil {
            try remove(other)
            return other
        }
        var updated = other
        updated.markGone(now: now)
        try update(other, to: updated)
        return nil
    }

    /// Merges GitHub's response to this user into other users' bookmarks, as far as they may see it.
    func updateOtherUsers(with item: RepositoryItem, before: RepositoryItem?, now: Date) throws {
        let owner = item.repository.isPrivate ? user : nil
        let change = RepositoryChange(item: item, owner: owner, before: before)
        try Self.follow([change], except: user, at: now, in: writes)
    }

    /// Updates the bookmarks of changed repositories. A private repository only reaches the user whose account can see
    /// it.
    static func follow(
        _ changes: [RepositoryChange], except requester: UserID? = nil, at now: Date, in writes: Writes
    ) throws {
        guard !changes.isEmpty else { return }
        let users = try writes.followers(of: changes.map(\.item))
        for change in changes {
            // Checks again that a private item has an owner.
            guard change.owner != nil || !change.item.repository.isPrivate else { continue }
            let own =
                (users.ids[change.item.id] ?? []) + (users.names[change.item.fullName.lowercased()] ?? [])
            for user in Set(own).sorted() where user != requester && (change.owner ?? user) == user {
                try BookmarkEdits(of: user, in: writes, nil).follow(change, at: now)
                if change.before != nil, change.hasChanged { writes.publish(Topic.bookmarks(user)) }
            }
        }
    }

    private func follow(_ change: RepositoryChange, at now: Date) throws {
        let item = change.item
        let named = try writes.bookmark(named: item.fullName, of: user)
        let existing = try writes.bookmark(repository: item.id, of: user)
        guard let record = existing ?? (named?.repositoryID == nil ? named : nil) else { return }
        try merge(
            item, by: record, isRequested: false, hasChanged: change.before.map { _ in change.hasChanged },
            now: now)
    }

    /// Skips steps that a later change overwrote.
    func revert(_ steps: [BookmarkUndoStep]) throws -> [BookmarkRecord] {
        try steps.reversed().compactMap(revert)
    }

    private func revert(_ step: BookmarkUndoStep) throws -> BookmarkRecord? {
        switch step {
        case .removed(let record): return try restore(record)
        case .added(let id, let tags, let note):
            guard let record = try writes.bookmark(id, of: user), record.tags == tags, record.note == note
            else { return nil }
            try remove(record)
            return record
        case .edited(let id, let before, let after):
            guard let record = try writes.bookmark(id, of: user),
                BookmarkUndoStep.TagsAndNote(record) == after
            else { return nil }
            var old = record
            (old.tags, old.note) = (before.tags, before.note)
            try update(record, to: old)
            return old
        case .seen(let id, let seen):
            guard let record = try writes.bookmark(id, of: user) else { return nil }
            var old = record
            old.seen = seen
            try update(record, to: old)
            return old
        }
    }

    /// Restores a bookmark, or merges its tags and note if it was added again in the meantime.
    private func restore(_ record: BookmarkRecord) throws -> BookmarkRecord? {
        let named = record.state == .gone ? nil : try writes.bookmark(named: record.fullName, of: user)
        if let other = named, let id = record.repositoryID, other.state != .gone,
            other.repositoryID.map({ $0 != id }) == true, try writes.bookmark(repository: id, of: user) == nil
        {
            // The name belongs to another repository now: restore this one as gone.
            var restored = record
            restored.state = .gone
            return try insert(restored)
        }
        let duplicate =
            try record.repositoryID.flatMap { try writes.bookmark(repository: $0, of: user) } ?? named
        guard let duplicate, duplicate.state != .gone || duplicate.repositoryID == record.repositoryID else {
            return try insert(record)
        }
        var merged = duplicate
        merged.mergeTagsAndNote(of: record)
        try update(duplicate, to: merged)
        return merged
    }
}
