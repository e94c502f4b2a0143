package import Foundation

/// A page of what a user has starred on GitHub.
package struct StarredPage: Sendable {
    package var items: [(item: RepositoryItem, starredAt: Date)]
    /// What could not be read.
    package var refused: RefusedRepositories
    /// The path of the next page; nil: this is the last.
    package var next: String?

    package init(
        items: [(item: RepositoryItem, starredAt: Date)], refused: RefusedRepositories = .init(),
        next: String?
    ) {
        self.items = items
        self.refused = refused
        self.next = next
    }
}
