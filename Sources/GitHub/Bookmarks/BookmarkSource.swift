package import RoostSupport

/// What bookmarks need of GitHub's repositories.
package protocol BookmarkSource: Sendable {
    /// Returns what is known without a wait.
    func known(_ name: RepositoryName, for user: UserID) async throws -> RepositoryItem?
    /// `RepositoryDetailService.item(named:for:)`.
    func item(named name: RepositoryName, for user: UserID) async throws -> RepositoryItem
    /// `RepositoryDetailService.refresh(_:for:)`.
    func refresh(_ name: RepositoryName, for user: UserID) async throws -> RepositoryDetailService.Refreshed
}

extension RepositoryDetailService: BookmarkSource {
    /// Requests detail and README as well: a bookmark wants both.
    package func known(_ name: RepositoryName, for user: UserID) async throws -> RepositoryItem? {
        try await view(of: name, for: user).item
    }
}
