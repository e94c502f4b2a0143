import Foundation

/// What bookmarks looked like before a change, so that it can be taken back.
enum BookmarkUndo {
    /// One bookmark's part in a change.
    enum Step: Codable, Sendable {
        case removed(BookmarkRecord)
        case added(BookmarkID, tags: [String], note: String)
        case edited(BookmarkID, before: Words, after: Words)
        case seen(BookmarkID, AcknowledgedState)

        /// Nil where nothing moved that could be taken back.
        init?(_ diff: BookmarkDiff) {
            switch (diff.before, diff.after) {
            case (let before?, nil): self = .removed(before)
            case (nil, let after?): self = .added(after.id, tags: after.tags, note: after.note)
            case (let before?, let after?) where Words(before) != Words(after):
                self = .edited(after.id, before: Words(before), after: Words(after))
            case (let before?, let after?) where before.seen != after.seen:
                self = .seen(after.id, before.seen)
            default: return nil
            }
        }
    }

    /// What the user wrote.
    struct Words: Codable, Equatable, Sendable {
        let tags: [String]
        let note: String

        init(_ record: BookmarkRecord) { (tags, note) = (record.tags, record.note) }
    }

    /// Seconds that a change can be taken back.
    static let lifetime: TimeInterval = 3_600
    /// Changes of one user.
    static let maximum = 10
    /// Steps of them together: the last change is kept whatever its size.
    static let maximumSteps = 40_000
}

extension BookmarkTransaction {
    /// Takes a change back, as far as nobody has written on it since; answers what it touched.
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
        merged.takeWords(of: record)
        try update(twin, to: merged)
        return merged
    }
}
