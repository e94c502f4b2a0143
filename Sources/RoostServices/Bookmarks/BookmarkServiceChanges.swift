import Foundation

/// What people do with their bookmarks; every answer comes after the commit.
extension BookmarkService {
    /// Bookmarks a repository; one that is bookmarked already stays as it is (count 0). What Roost does not
    /// know yet is asked for first (10 s at most). Throws `RoostError.invalid(field: "fullName")`,
    /// `.notFound`, `.unavailable`, and `.conflict` past 20,000.
    package func add(_ name: RepositoryName, for user: UserID) async throws -> (ChangeResult, Bookmark) {
        let known = try await bookmark(named: name, of: user)
        if let known, known.state != .gone {
            return (ChangeResult(count: 0, fullName: known.fullName, undo: nil), known)
        }
        let limit = surroundings.limit
        guard try await count(of: user) < limit else { throw Self.isFull(limit) }
        let item: RepositoryItem
        do { item = try await told(of: name, for: user) } catch let error as RoostError {
            // What GitHub no longer has, or does not tell of now, is bookmarked all the same.
            guard let known else { throw error }
            return (ChangeResult(count: 0, fullName: known.fullName, undo: nil), known)
        }
        let now = clock.now()
        let ((record, isNew), _, undo) = try await change(of: user) { rows in
            if let known = try rows.find(repository: item.id) {
                // GitHub has just told of it.
                return (try rows.learn(item, by: known, isAsked: known.state == .gone, now: now), false)
            }
            if let named = try rows.find(item.fullName), named.repositoryID == nil {
                return (try rows.learn(item, by: named, isAsked: item.detail != nil, now: now), false)
            }
            guard try rows.count() < limit else { throw Self.isFull(limit) }
            try rows.clear(item.fullName, now: now)
            let new = try rows.insert(BookmarkRecord(item, addedAt: now, now: now))
            try rows.keepUndo(of: rows.changes.filter { $0.after?.id == new.id }, at: now)
            return (new, true)
        }
        if record.checkedAt == nil { dueSignal.fire() }
        guard let bookmark = record.bookmark else { throw Self.isNotThere }
        return (ChangeResult(count: isNew ? 1 : 0, fullName: bookmark.fullName, undo: undo), bookmark)
    }

    private func told(of name: RepositoryName, for user: UserID) async throws -> RepositoryItem {
        if let known = try await source.known(name, for: user) { return known }
        return try await source.item(named: name, for: user)
    }

    /// Throws `RoostError.notFound` where it is not bookmarked.
    package func remove(_ name: RepositoryName, of user: UserID) async throws -> ChangeResult {
        let now = clock.now()
        let (_, diffs, undo) = try await change(of: user) { rows in
            guard let record = try rows.find(name.description) else { throw Self.isNotThere }
            try rows.remove(record)
            try rows.keepUndo(at: now)
        }
        return done(diffs, undo)
    }

    /// Nil leaves it as it is. Throws `RoostError.invalid(field: "tags")`, `(field: "note")`, `.notFound`.
    package func edit(_ name: RepositoryName, tags: [String]?, note: String?, of user: UserID) async throws
        -> ChangeResult
    {
        let tags = try tags.map(TagRules.tags)
        let note = try note.map(TagRules.note)
        let now = clock.now()
        let (fullName, diffs, undo) = try await change(of: user) { rows in
            guard let record = try rows.find(name.description) else { throw Self.isNotThere }
            var edited = record
            edited.tags = tags ?? record.tags
            edited.note = note ?? record.note
            try rows.update(record, to: edited)
            try rows.keepUndo(at: now)
            return record.fullName
        }
        return done(diffs, undo, fullName: fullName)
    }

    /// Ids that are not the user's are passed over, and bookmarks that are as wished already or have no room
    /// for another tag. Throws `RoostError.invalid(field: "tag")`.
    package func change(_ ids: [BookmarkID], _ bulk: BulkAction, of user: UserID) async throws -> ChangeResult
    {
        var bulk = bulk
        if case .addTag(let tag) = bulk { bulk = .addTag(try TagRules.tag(tag)) }
        if case .removeTag(let tag) = bulk { bulk = .removeTag(try TagRules.tag(tag)) }
        let wished = Array(Set(ids.prefix(surroundings.limit)))
        let now = clock.now()
        let (_, diffs, undo) = try await heavyWork.run(for: user, rows: wished.count) { [bulk] in
            try await change(of: user) { rows in
                for record in try rows.find(wished) {
                    guard let changed = Self.changed(record, bulk) else {
                        try rows.remove(record)
                        continue
                    }
                    try rows.update(record, to: changed)
                }
                try rows.keepUndo(at: now)
            }
        }
        return done(diffs, undo)
    }

    /// Throws `RoostError.notFound` when it is too late.
    package func undo(_ id: UndoID, for user: UserID) async throws -> ChangeResult {
        guard let undo = try await goodUndo(id, of: user) else { throw Self.isTooLate }
        let limit = surroundings.limit
        let touched = try await heavyWork.run(for: user, rows: undo.size) {
            try await change(of: user) { rows in
                // Taken back meanwhile by another click.
                guard try rows.findUndo(id) != nil else { throw Self.isTooLate }
                let touched = try rows.takeBack(rows.takeUndo(undo.id))
                guard try rows.count() <= limit else { throw Self.isFull(limit) }
                return touched
            }.value
        }
        let only = touched.count == 1 ? touched.first?.fullName : nil
        return ChangeResult(count: touched.count, fullName: only, undo: nil)
    }

    /// A change that can still be taken back: by the steady clock, or the machine's.
    func goodUndo(_ id: UndoID, of user: UserID) async throws -> BookmarkUndoRecord? {
        let isGood = undoEnds.end(of: id) != nil
        return try await store.undo(id, of: user).flatMap { isGood || $0.isGood(at: clock.now()) ? $0 : nil }
    }

    /// Nil: it is to be removed.
    private static func changed(_ record: BookmarkRecord, _ bulk: BulkAction) -> BookmarkRecord? {
        var changed = record
        switch bulk {
        case .addTag(let tag):
            let tags = TagRules.union(record.tags, [tag])
            if tags.count <= TagRules.mostTags { changed.tags = tags }
        case .removeTag(let tag):
            changed.tags.removeAll { TagRules.key($0) == TagRules.key(tag) }
        case .remove: return nil
        case .markSeen: if record.isChanged { changed.markSeen() }
        }
        return changed
    }

    func done(_ diffs: [BookmarkDiff], _ undo: UndoID?, fullName: String? = nil) -> ChangeResult {
        let only = diffs.count == 1 ? (diffs[0].after ?? diffs[0].before)?.fullName : nil
        return ChangeResult(count: diffs.count, fullName: fullName ?? only, undo: undo)
    }

    static func isFull(_ limit: Int) -> RoostError {
        let most = limit.formatted(.number.locale(Locale(identifier: "en_US")))
        return .conflict(field: "fullName", why: "There is room for \(most) bookmarks.")
    }

    private static let isTooLate = RoostError.notFound("This can no longer be undone.")
    static let isNotThere = RoostError.notFound("This repository is not among your bookmarks.")
}

extension BookmarkTransaction {
    /// What GitHub told of a bookmark's repository; bookmarks that turn out to be of the same one become one.
    @discardableResult
    func learn(
        _ item: RepositoryItem, by record: BookmarkRecord, isAsked: Bool, isNews: Bool? = nil, now: Date
    ) throws -> BookmarkRecord {
        var known = record
        if let twin = try find(repository: item.id), twin.id != record.id {
            try remove(record)
            known = twin
            var merged = twin
            merged.takeWords(of: record)
            try update(known, to: merged)
            known = merged
        }
        if let words = try clear(item.fullName, except: known.id, now: now) {
            var merged = known
            merged.takeWords(of: words)
            try update(known, to: merged)
            known = merged
        }
        var learned = known
        learned.learn(item, isAsked: isAsked, isNews: isNews, now: now)
        try update(known, to: learned)
        return learned
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
        gone.lose(now: now)
        try update(other, to: gone)
        return nil
    }
}
