package import RoostSupport

/// Where the import of stars reads what a user has starred on GitHub.
package protocol StarSource: Sendable {
    /// Returns one page of stars.
    ///
    /// - Parameter path: nil: the first page
    func starred(_ path: String?, for user: UserID) async throws -> StarredPage
}

extension RepositoryFetcher: StarSource {}
