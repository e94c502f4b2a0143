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
