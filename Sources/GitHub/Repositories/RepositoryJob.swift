package import RoostSupport

/// Something that GitHub is to be asked; `viewer` is the user whose account asks, nil for all users without one.
package enum RepositoryJob: Hashable, Sendable {
    case page(since: RepositoryID, viewer: UserID?)
    case search(RepositorySearchCache.Key, page: Int)
    case detail(RepositoryName, viewer: UserID?)
    case readme(RepositoryName, viewer: UserID?)
    /// The rows on the screens of all whom this viewer's account asks for.
    case rows(viewer: UserID?)

    var viewer: UserID? {
        switch self {
        case .page(_, let viewer), .detail(_, let viewer), .readme(_, let viewer), .rows(let viewer): viewer
        case .search(let key, _): key.viewer
        }
    }

    /// Of a page: where it begins.
    var page: RepositoryID? { if case .page(let since, _) = self { since } else { nil } }
}
