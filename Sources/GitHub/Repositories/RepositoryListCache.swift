import Foundation
import RoostSupport
import Synchronization

/// Lists in memory: pages of all public repositories, and of searches.
final class RepositoryListCache: Sendable {
    private struct State {
        var pages = RepositoryPageCache()
        var searches = RepositorySearchCache()
    }

    private let state = Mutex(State())

    // MARK: All public repositories

    func page(since: RepositoryID) -> RepositoryPageCache.Page? {
        state.withLock { $0.pages.page(since: since) }
    }

    func put(_ page: RepositoryPageCache.Page, since: RepositoryID) {
        state.withLock { $0.pages.put(page, since: since) }
    }

    func confirm(since: RepositoryID, at now: ContinuousClock.Instant) {
        state.withLock { $0.pages.confirm(since: since, at: now) }
    }

    // MARK: Searches

    func page(_ number: Int, of search: RepositorySearchCache.Key) -> RepositorySearchCache.Page? {
        state.withLock { $0.searches.page(number, of: search) }
    }

    func put(_ page: RepositorySearchCache.Page, _ number: Int, of search: RepositorySearchCache.Key) {
        state.withLock { $0.searches.put(page, number, of: search) }
    }

    // MARK: Both

    func repository(named name: RepositoryName, for viewer: UserID?) -> Repository? {
        state.withLock { state in
            state.pages.repository(named: name) ?? state.searches.repository(named: name, for: viewer)
        }
    }

    func repository(_ id: RepositoryID, for viewer: UserID?) -> Repository? {
        state.withLock { state in
            state.pages.repository(id) ?? state.searches.repository(id, for: viewer)
        }
    }

    /// Removes repositories that are no longer public from shared lists.
    func remove(_ ids: Set<RepositoryID>) {
        state.withLock { state in
            state.pages.remove(ids)
            state.searches.remove(ids)
        }
    }

    func forget(_ user: UserID) { state.withLock { $0.searches.forget(user) } }
}
