import Accounts
import GitHub
import HTTPServer

/// The repositories that readers have saved: the feature that keeps them fulfils this.
protocol SavedRepositories: Sendable {
    /// What changes when this reader saves another one, or drops one.
    func topics(for user: User) -> [String]
    func count(of user: User) async throws -> Int
    /// Which of these, by GitHub's numbers, this reader has saved.
    func saved(among ids: [RepositoryID], of user: User) async throws -> Set<RepositoryID>
    /// Nil: this reader has not saved it.
    func saved(_ name: RepositoryName, of user: User) async throws -> SavedRepository?
    /// The page with the list of what is saved, and beside it the repository that is looked at.
    func page(_ request: Request, _ user: User, beside detail: RepositoryDetailView) async throws -> Response
}

/// A repository that a reader has saved.
struct SavedRepository {
    /// As it was when GitHub last told of it; nil: it never has.
    let item: RepositoryItem?
}
