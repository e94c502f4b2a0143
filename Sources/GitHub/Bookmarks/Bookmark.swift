package import Foundation
package import TextFormats

/// Roost's own number of a bookmark.
package typealias BookmarkID = Int64

/// A repository that a user wants to find again, with everything that was known of it when it was last seen.
package struct Bookmark: Equatable, Hashable, Sendable, Identifiable, RepositoryListable {
    /// How GitHub stands to it.
    package enum State: String, Codable, Sendable {
        /// Imported by name alone: GitHub has not been asked yet.
        case unresolved
        case present
        /// GitHub no longer has it, or no longer shows it; what was known is kept.
        case gone
    }

    package let id: BookmarkID
    /// As the user gave it while `item` is nil, otherwise the item's.
    package var name: RepositoryName
    /// Nil only while it is unresolved or was never found.
    package var item: RepositoryItem?
    package var state: State
    /// In the user's order, each once in any case of letters; 20 at most of 40 characters.
    package var tags: [String]
    /// 2,000 characters at most.
    package var note: String
    package var addedAt: Date
    /// When GitHub was last asked and answered.
    package var checkedAt: Date?
    /// What has changed since the user last said that he has seen it.
    package var changes: [BookmarkChange]

    package init(
        id: BookmarkID, name: RepositoryName, item: RepositoryItem?, state: State, tags: [String] = [],
        note: String = "", addedAt: Date, checkedAt: Date? = nil, changes: [BookmarkChange] = []
    ) {
        self.id = id
        self.name = name
        self.item = item
        self.state = state
        self.tags = tags
        self.note = note
        self.addedAt = addedAt
        self.checkedAt = checkedAt
        self.changes = changes
    }

    package var key: String { Self.key(of: id) }
    package static func key(of id: BookmarkID) -> String { "b\(id)" }
    package var fullName: String { item?.fullName ?? name.description }
    package var about: String? { item?.about }
    package var ownerType: Owner.Kind? { item?.ownerType }
    package var isFork: Bool? { item?.isFork }
    package var facts: RepositoryDetail? { item?.detail }
    package var searchTexts: [FoldedText] {
        [FoldedText(repository: fullName, about, facts, and: tags + [note])]
    }
}

/// One thing that happened to a bookmarked repository.
package enum BookmarkChange: Codable, Equatable, Hashable, Sendable {
    /// How many more (or, below 0, fewer).
    case stars(Int)
    case archived
    case unarchived
    /// From this "owner/name".
    case renamed(from: String)
    case gone
    /// It is there again.
    case back
    case madePrivate
}
