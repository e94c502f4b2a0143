import Foundation
import Synchronization

/// What bookmarks looked like before a change, so that it can be taken back. Its times are the steady clock's.
final class BookmarkUndo: Sendable {
    /// One bookmark's part in a change.
    enum Step: Sendable {
        case removed(BookmarkRecord)
        case added(BookmarkID, tags: [String], note: String)
        case edited(BookmarkID, before: Words, after: Words)
        case seen(BookmarkID, BookmarkBaseline)
    }

    /// What the user wrote.
    struct Words: Equatable, Sendable {
        let tags: [String]
        let note: String

        init(_ record: BookmarkRecord) { (tags, note) = (record.tags, record.note) }
    }

    private struct Kept {
        let id: BookmarkService.UndoID
        let steps: [Step]
        let at: Date
    }

    /// Seconds that a change can be taken back.
    static let lifetime: TimeInterval = 3_600
    private static let most = 10
    /// Together: the last change is kept whatever its size.
    private static let mostSteps = 40_000

    private let kept = Mutex<[UserID: [Kept]]>([:])

    /// Nil when nothing moved.
    func keep(_ diffs: [BookmarkDiff], of user: UserID, at now: Date) -> BookmarkService.UndoID? {
        let steps = diffs.compactMap(Self.step)
        guard !steps.isEmpty else { return nil }
        let id = String(UInt64.random(in: .min ... .max), radix: 36)
        kept.withLock { kept in
            var all = kept[user, default: []] + [Kept(id: id, steps: steps, at: now)]
            while all.count > 1, all.count > Self.most || all.map(\.steps.count).reduce(0, +) > Self.mostSteps
            {
                all.removeFirst()
            }
            kept[user] = all
        }
        return id
    }

    /// Puts back what could not be undone.
    func put(back steps: [Step], _ id: BookmarkService.UndoID, of user: UserID, at now: Date) {
        kept.withLock { $0[user, default: []].append(Kept(id: id, steps: steps, at: now)) }
    }

    /// Hands out a change once; nil when it is too late.
    func take(_ id: BookmarkService.UndoID, of user: UserID, at now: Date) -> [Step]? {
        kept.withLock { kept in
            guard let place = kept[user]?.firstIndex(where: { $0.id == id }),
                let change = kept[user]?.remove(at: place)
            else { return nil }
            return now.timeIntervalSince(change.at) <= Self.lifetime ? change.steps : nil
        }
    }

    /// Whether it can still be taken back.
    func has(_ id: BookmarkService.UndoID, of user: UserID, at now: Date) -> Bool {
        kept.withLock { kept in
            kept[user]?.contains { $0.id == id && now.timeIntervalSince($0.at) <= Self.lifetime } == true
        }
    }

    func forget(_ user: UserID) { kept.withLock { $0[user] = nil } }

    private static func step(_ diff: BookmarkDiff) -> Step? {
        switch (diff.before, diff.after) {
        case (let before?, nil): .removed(before)
        case (nil, let after?): .added(after.id, tags: after.tags, note: after.note)
        case (let before?, let after?) where Words(before) != Words(after):
            .edited(after.id, before: Words(before), after: Words(after))
        case (let before?, let after?) where before.seen != after.seen: .seen(after.id, before.seen)
        default: nil
        }
    }
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
