package import Foundation

/// What bookmarks need of GitHub's repositories.
package protocol BookmarkSource: Sendable {
    /// What is known without asking anybody.
    func known(_ name: RepositoryName, for user: UserID) async throws -> RepositoryItem?
    /// `RepositoryService.item(named:for:)`.
    func item(named name: RepositoryName, for user: UserID) async throws -> RepositoryItem
    /// `RepositoryService.refresh(_:for:)`.
    func refresh(_ name: RepositoryName, for user: UserID) async throws -> RepositoryService.Refreshed
    /// `RepositoryService.starred(_:for:)`.
    func starred(_ path: String?, for user: UserID) async throws
        -> (items: [(item: RepositoryItem, starredAt: Date)], next: String?)
}

extension RepositoryService: BookmarkSource {
    /// Detail and README are on their way after it: a bookmark wants both.
    package func known(_ name: RepositoryName, for user: UserID) async throws -> RepositoryItem? {
        try await view(of: name, for: user).item
    }
}
