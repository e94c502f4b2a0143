package import Foundation
package import TextFormats

/// What repositories are grouped, sorted and filtered by: those of lists, and bookmarks.
package protocol RepositoryListable: Sendable {
    /// Tells rows apart and stays.
    var key: String { get }
    var fullName: String { get }
    /// Nil: not known yet.
    var ownerType: Owner.Kind? { get }
    var isFork: Bool? { get }
    /// Of the detail; nil: not known yet.
    var facts: RepositoryDetail? { get }
    /// What a filter's words are looked for in: name, description, language, topics, and what the reader wrote beside
    /// it.
    var searchTexts: [FoldedText] { get }
}

extension FoldedText {
    /// What is known of a repository, and further lines.
    init(repository fullName: String, _ about: String?, _ facts: RepositoryDetail?, and more: [String] = []) {
        let known = [fullName] + [about, facts?.language].compactMap(\.self) + (facts?.topics ?? [])
        self.init(lines: known + more)
    }
}

/// A repository with what is known of it.
package struct RepositoryItem: Codable, Equatable, Hashable, Sendable, Identifiable, RepositoryListable {
    package var repository: Repository
    package var detail: RepositoryDetail?
    /// When the detail was fetched.
    package var fetchedAt: Date?

    package init(repository: Repository, detail: RepositoryDetail? = nil, fetchedAt: Date? = nil) {
        self.repository = repository
        self.detail = detail
        self.fetchedAt = fetchedAt
    }

    package var id: RepositoryID { repository.id }
    package var key: String { "\(repository.id)" }
    package var fullName: String { repository.fullName }
    package var about: String? { repository.description }
    package var ownerType: Owner.Kind? { repository.owner.type }
    package var isFork: Bool? { repository.fork }
    package var facts: RepositoryDetail? { detail }
    package var searchTexts: [FoldedText] { [FoldedText(repository: fullName, about, facts)] }
}
