package import Foundation
import RoostSupport
package import TextFormats

package typealias BookmarkID = Int64

/// A repository that a user has bookmarked, with its last known data.
package struct Bookmark: Equatable, Hashable, Sendable, Identifiable, RepositoryListable {
    package enum State: String, Codable, CaseIterable, ColumnValue, Sendable {
        /// Imported by name; GitHub has not been asked yet.
        case unresolved
        case present
        /// GitHub no longer has or shows it. The last known data stays.
        case gone
    }

    package let id: BookmarkID
    /// The user's input while `item` is nil, otherwise the item's name.
    package var name: RepositoryName
    /// Nil only while unresolved, or if the repository was never found.
    package var item: RepositoryItem?
    package var state: State
    /// In the user's order and unique regardless of case. At most 20, of at most 40 characters.
    package var tags: [String] = []
    /// At most 2,000 characters.
    package var note = ""
    package var addedAt: Date
    package var checkedAt: Date?
    package var changes: [BookmarkChange] = []

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

package enum BookmarkChange: Equatable, Hashable, Sendable {
    /// The difference, which may be negative.
    case stars(Int)
    case archived
    case unarchived
    /// The associated value is an "owner/name".
    case renamed(from: String)
    case gone
    case back
    case madePrivate
}
