package import Foundation
package import TextFormats

/// Something that can be grouped, sorted and filtered by its repository: a listed repository or a bookmark.
package protocol RepositoryListable: Sendable {
    /// Unique and stable.
    var key: String { get }
    var fullName: String { get }
    /// Nil while unknown.
    var ownerType: Owner.Kind? { get }
    var isFork: Bool? { get }
    /// The detail, or nil while unknown.
    var facts: RepositoryDetail? { get }
    /// The texts to filter by: name, description, language, topics, and the user's own.
    var searchTexts: [FoldedText] { get }
}

extension FoldedText {
    init(repository fullName: String, _ about: String?, _ facts: RepositoryDetail?, and more: [String] = []) {
        let lines = [fullName] + [about, facts?.language].compactMap(\.self) + (facts?.topics ?? [])
        self.init(lines: lines + more)
    }
}

package struct RepositoryItem: Codable, Equatable, Hashable, Sendable, Identifiable, RepositoryListable {
    package var repository: Repository
    package var detail: RepositoryDetail?
    package var fetchedAt: Date?

    package var id: RepositoryID { repository.id }
    package var key: String { "\(repository.id)" }
    package var fullName: String { repository.fullName }
    package var about: String? { repository.description }
    package var ownerType: Owner.Kind? { repository.owner.type }
    package var isFork: Bool? { repository.fork }
    package var facts: RepositoryDetail? { detail }
    package var searchTexts: [FoldedText] { [FoldedText(repository: fullName, about, facts)] }

    /// Keeps the known detail if this is a list row without one, or if it is newer.
    func merged(into previous: RepositoryItem) -> RepositoryItem {
        guard previous.detail != nil else { return self }
        guard detail == nil else {
            return (fetchedAt ?? .distantPast) < (previous.fetchedAt ?? .distantPast) ? previous : self
        }
        var merged = self
        (merged.detail, merged.fetchedAt) = (previous.detail, previous.fetchedAt)
        return merged
    }
}
