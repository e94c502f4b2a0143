import RoostSupport

enum BookmarkUndoStep: UndoStep {
    case removed(BookmarkRecord)
    case added(BookmarkID, tags: [String], note: String)
    case edited(BookmarkID, before: TagsAndNote, after: TagsAndNote)
    case seen(BookmarkID, AcknowledgedState)

    struct TagsAndNote: Codable, Equatable, Sendable {
        let tags: [String]
        let note: String

        init(_ record: BookmarkRecord) { (tags, note) = (record.tags, record.note) }
    }

    static let feature = "bookmarks"
    static let maximumChanges = 10
    static let maximumSteps = 40_000

    /// Nil if there is nothing to undo.
    init?(_ diff: BookmarkDiff) {
        switch (diff.before, diff.after) {
        case (let before?, nil): self = .removed(before)
        case (nil, let after?): self = .added(after.id, tags: after.tags, note: after.note)
        case (let before?, let after?) where TagsAndNote(before) != TagsAndNote(after):
            self = .edited(after.id, before: TagsAndNote(before), after: TagsAndNote(after))
        case (let before?, let after?) where before.seen != after.seen:
            self = .seen(after.id, before.seen)
        default: return nil
        }
    }
}
