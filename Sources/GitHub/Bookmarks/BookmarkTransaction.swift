import Foundation
import GRDB
import RoostSupport

/// What became of one bookmark in a transaction: nil before it was added, nil after it was removed.
struct BookmarkDiff: Sendable {
    let before: BookmarkRecord?
    let after: BookmarkRecord?

    /// Whether a page shows another thing now.
    var isVisible: Bool {
        guard var before, let after else { return true }
        (before.checkedAt, before.dueAt, before.place) = (after.checkedAt, after.dueAt, after.place)
        before.item?.fetchedAt = after.item?.fetchedAt
        return before != after
    }

    /// Whether GitHub is to be asked about it sooner than before.
    var isDueSooner: Bool {
        guard let after else { return false }
        return before.map { after.dueAt < $0.dueAt } ?? true
    }
}

/// A user's bookmarks within one transaction; notes every change.
final class BookmarkTransaction {
    let database: GRDB.Database
    let user: UserID
    private let repositories: RepositoryTransaction
    let undos: BookmarkUndoTransaction
    private(set) var changes: [BookmarkDiff] = []
    /// Whose lists show another thing now.
    private(set) var changedUsers: Set<UserID> = []
    /// What the change can be taken back with.
    private(set) var undo: BookmarkService.UndoID?

    init(database: GRDB.Database, user: UserID) {
        self.database = database
        self.user = user
        repositories = RepositoryTransaction(database: database)
        undos = BookmarkUndoTransaction(database: database, user: user)
    }

    func count() throws -> Int {
        try Int.fetchOne(
            database.cachedStatement(sql: "SELECT count FROM bookmark_counts WHERE user_id = ? AND key = ''"),
            arguments: [user]) ?? 0
    }

    /// One that is there before one that is gone.
    func find(_ name: String) throws -> BookmarkRecord? {
        try fetch(
            "bookmark.full_name = ? ORDER BY bookmark.state = 'gone', bookmark.id DESC LIMIT 1", [name]
        ).first
    }

    func find(repository id: RepositoryID) throws -> BookmarkRecord? {
        try fetch("bookmark.repository_id = ?", [id]).first
    }

    func find(_ id: BookmarkID) throws -> BookmarkRecord? { try fetch("bookmark.id = ?", [id]).first }

    /// Those of the ids that are the user's, in one statement.
    func find(_ ids: [BookmarkID]) throws -> [BookmarkRecord] {
        // With the sign SQLite finds them by their ids; it would look through all of the user's otherwise.
        try fetch(
            "bookmark.id IN (SELECT value FROM json_each(?)) ORDER BY bookmark.id", [ids.jsonArray],
            isUsers: "+bookmark.user_id = ?")
    }

    /// Answers it with its id; one that had an id before gets it back.
    @discardableResult
    func insert(_ record: BookmarkRecord) throws -> BookmarkRecord {
        var record = record
        record.user = user
        record.place = try place(of: record)
        try record.insert(database)
        try putTags(of: record)
        note(BookmarkDiff(before: nil, after: record))
        return record
    }

    /// Writes what differs; nothing where nothing does.
    func update(_ before: BookmarkRecord, to after: BookmarkRecord) throws {
        guard before != after else { return }
        var after = after
        if after.item != before.item || after.repositoryID != before.repositoryID {
            after.place = try place(of: after)
        }
        try after.updateChanges(database, from: before)
        if before.tags != after.tags {
            try database.cachedStatement(sql: "DELETE FROM bookmark_tags WHERE bookmark_id = ?")
                .execute(arguments: [before.id])
            try putTags(of: after)
        }
        note(BookmarkDiff(before: before, after: after))
    }

    func remove(_ record: BookmarkRecord) throws {
        try database.cachedStatement(sql: "DELETE FROM bookmarks WHERE id = ? AND user_id = ?")
            .execute(arguments: [record.id, user])
        note(BookmarkDiff(before: record, after: nil))
    }

    /// Merges what GitHub told this user into the bookmarks of others, as far as they may know it.
    func notifyOthers(of item: RepositoryItem, before: RepositoryItem?, now: Date) throws {
        let owner = item.repository.isPrivate ? user : nil
        let change = RepositoryChange(item: item, owner: owner, before: before)
        changedUsers.formUnion(
            try Self.follow([change], in: database, except: user, at: now))
    }

    private func note(_ diff: BookmarkDiff) {
        changes.append(diff)
        if diff.isVisible { changedUsers.insert(user) }
    }

    /// The row of what is known of its repository. What is private is the user's own.
    private func place(of record: BookmarkRecord) throws -> Int64? {
        guard let item = record.item else { return nil }
        guard record.repositoryID != nil else { return try repositories.claim(item, by: user) }
        return try repositories.retain(item, for: item.repository.isPrivate ? user : nil)
    }

    /// Those of the user's that meet a condition, in its order; without those that cannot be read.
    func fetch(
        _ condition: String, _ arguments: StatementArguments, isUsers: String = "bookmark.user_id = ?"
    ) throws -> [BookmarkRecord] {
        try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT \(BookmarkRecord.selection) FROM \(BookmarkRecord.source)
                    WHERE \(isUsers) AND \(condition)
                    """),
            arguments: [user] + arguments
        ).readable(BookmarkRecord.init(row:))
    }

    private func putTags(of record: BookmarkRecord) throws {
        let statement = try database.cachedStatement(
            sql: "INSERT INTO bookmark_tags (bookmark_id, place, user_id, name, key) VALUES (?, ?, ?, ?, ?)")
        for (place, tag) in record.tags.enumerated() {
            try statement.execute(arguments: [record.id, place, user, tag, TagRules.key(tag)])
        }
    }

    // MARK: What GitHub tells

    /// Merges what GitHub told of a bookmark's repository; bookmarks that turn out to be of the same one become one.
    @discardableResult
    func merge(
        _ item: RepositoryItem, by record: BookmarkRecord, isAsked: Bool, isNews: Bool? = nil, now: Date
    ) throws -> BookmarkRecord {
        var known = record
        if let twin = try find(repository: item.id), twin.id != record.id {
            try remove(record)
            known = twin
            var merged = twin
            merged.takeTagsAndNote(of: record)
            try update(known, to: merged)
            known = merged
        }
        if let words = try clear(item.fullName, except: known.id, now: now) {
            var merged = known
            merged.takeTagsAndNote(of: words)
            try update(known, to: merged)
            known = merged
        }
        var merged = known
        merged.merge(item, isAsked: isAsked, isNews: isNews, now: now)
        try update(known, to: merged)
        return merged
    }

    /// Makes room for a repository of this name: another that was known by it is gone; one that was only a
    /// name is removed, and answered for its words.
    @discardableResult
    func clear(_ fullName: String, except id: BookmarkID = 0, now: Date) throws -> BookmarkRecord? {
        guard let other = try find(fullName), other.id != id, other.state != .gone else { return nil }
        if other.repositoryID == nil {
            try remove(other)
            return other
        }
        var gone = other
        gone.markGone(now: now)
        try update(other, to: gone)
        return nil
    }

    /// Has the bookmarks of changed repositories follow; answers whose lists show another thing now.
    ///
    /// What is private reaches the one user alone whose account sees it.
    static func follow(
        _ changes: [RepositoryChange], in database: GRDB.Database, except asker: UserID? = nil, at now: Date
    ) throws -> Set<UserID> {
        let users = try followers(of: changes, in: database)
        var changed: Set<UserID> = []
        for change in changes {
            // Checked again here: only its owner may know an item that says that it is private.
            guard change.owner != nil || !change.item.repository.isPrivate else { continue }
            let own =
                (users.ids[change.item.id] ?? []) + (users.names[change.item.fullName.lowercased()] ?? [])
            for user in Set(own).sorted() where user != asker && (change.owner ?? user) == user {
                let rows = BookmarkTransaction(database: database, user: user)
                try rows.follow(change, at: now)
                let isShown = change.before != nil && change.isNews
                if isShown || !rows.changedUsers.isEmpty { changed.insert(user) }
            }
        }
        return changed
    }

    private func follow(_ change: RepositoryChange, at now: Date) throws {
        let item = change.item
        let named = try find(item.fullName)
        let known = try find(repository: item.id)
        guard let record = known ?? (named?.repositoryID == nil ? named : nil) else { return }
        try merge(
            item, by: record, isAsked: false, isNews: change.before.map { _ in change.isNews }, now: now)
    }

    /// Who has bookmarked these, or names them.
    private static func followers(of changes: [RepositoryChange], in database: GRDB.Database) throws -> (
        ids: [RepositoryID: [UserID]], names: [String: [UserID]]
    ) {
        let names = String(
            decoding: try JSONEncoder().encode(changes.map { $0.item.fullName.lowercased() }), as: UTF8.self)
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT user_id, repository_id, full_name FROM bookmarks
                    WHERE repository_id IN (SELECT value FROM json_each(?))
                    UNION ALL SELECT user_id, NULL, full_name FROM bookmarks
                    WHERE repository_id IS NULL AND full_name IN (SELECT value FROM json_each(?))
                    """), arguments: [changes.map(\.item.id).jsonArray, names])
        var users: (ids: [RepositoryID: [UserID]], names: [String: [UserID]]) = ([:], [:])
        for row in rows {
            guard let user = try? row.id("user_id") else { continue }
            if let id = try row.idIfPresent("repository_id") {
                users.ids[id, default: []].append(user)
            } else {
                users.names[try row.text("full_name").lowercased(), default: []].append(user)
            }
        }
        return users
    }

    // MARK: Undo

    /// Keeps what has been changed until now, or this part of it, so that it can be taken back.
    ///
    /// - Parameter known: an earlier change that is taken back together with it
    func keepUndo(
        of diffs: [BookmarkDiff]? = nil, adding known: BookmarkService.UndoID? = nil, at now: Date
    ) throws {
        let steps = (diffs ?? changes).compactMap(BookmarkUndo.Step.init)
        undo = steps.isEmpty ? known : try undos.keep(steps, adding: known, at: now)
    }

    /// Takes a change back where no later change has been written; returns what it touched.
    func takeBack(_ steps: [BookmarkUndo.Step]) throws -> [BookmarkRecord] {
        try steps.reversed().compactMap(takeBack)
    }

    private func takeBack(_ step: BookmarkUndo.Step) throws -> BookmarkRecord? {
        switch step {
        case .removed(let record): return try restore(record)
        case .added(let id, let tags, let note):
            guard let record = try find(id), record.tags == tags, record.note == note else { return nil }
            try remove(record)
            return record
        case .edited(let id, let before, let after):
            guard let record = try find(id), BookmarkUndo.Words(record) == after else { return nil }
            var old = record
            (old.tags, old.note) = (before.tags, before.note)
            try update(record, to: old)
            return old
        case .seen(let id, let seen):
            guard let record = try find(id) else { return nil }
            var old = record
            old.seen = seen
            try update(record, to: old)
            return old
        }
    }

    /// One that was bookmarked again meanwhile gets its old words back.
    private func restore(_ record: BookmarkRecord) throws -> BookmarkRecord? {
        let named = record.state == .gone ? nil : try find(record.fullName)
        if let other = named, let id = record.repositoryID, other.state != .gone,
            other.repositoryID.map({ $0 != id }) == true, try find(repository: id) == nil
        {
            // The name is another repository's by now: this one comes back without it.
            var lost = record
            lost.state = .gone
            return try insert(lost)
        }
        let twin = try record.repositoryID.flatMap { try find(repository: $0) } ?? named
        guard let twin, twin.state != .gone || twin.repositoryID == record.repositoryID else {
            return try insert(record)
        }
        var merged = twin
        merged.takeTagsAndNote(of: record)
        try update(twin, to: merged)
        return merged
    }
}
