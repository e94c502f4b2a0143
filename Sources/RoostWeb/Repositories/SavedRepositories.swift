import HTTPServer
import RoostServices

/// The repositories that readers have saved: the feature that keeps them fulfils this.
protocol SavedRepositories: Sendable {
    /// What changes when this reader saves another one, or drops one.
    func topics(for user: User) -> [String]
    func count(of user: User) -> Int
    /// GitHub's numbers of those that this reader has saved.
    func ids(of user: User) -> Set<RepositoryID>
    /// Nil: this reader has not saved it.
    func saved(_ name: RepositoryName, of user: User) async throws -> SavedRepository?
    /// The page with the list of what is saved, and beside it the repository that is looked at.
    func page(
        _ request: Request, _ user: User, beside detail: RepositoryDetailView, notice: NoticeView?
    ) async throws -> Response
}

/// A repository that a reader has saved.
struct SavedRepository {
    /// As it was when GitHub last told of it; nil: it never has.
    let item: RepositoryItem?
}
