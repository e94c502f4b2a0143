package import Foundation

/// Where the import of stars reads what a user has starred on GitHub.
package protocol StarSource: Sendable {
    /// Returns one page of stars with when they were given; `next` is the path for the next call.
    ///
    /// - Parameter path: nil: the first page
    func starred(_ path: String?, for user: UserID) async throws
        -> (items: [(item: RepositoryItem, starredAt: Date)], next: String?)
}

extension RepositoryFetcher: StarSource {}
