import Synchronization

/// Watchlists as they were last read, so that a page that is rendered anew need not ask the disk.
///
/// The service that changes a list forgets it here; no other process writes watchlists.
final class KeptLists: Sendable {
    /// A list in "My order", and how its owner wants to see it.
    struct Kept: Sendable {
        let items: [StoredItem]
        let sort: SortOption
    }

    private struct State {
        var lists: [UserID: Kept] = [:]
        /// Counts the changes: what was read before one is not kept after it.
        var changes = 0
    }

    private let state = Mutex(State())

    func list(of user: UserID) -> Kept? { state.withLock { $0.lists[user] } }

    /// The kept list, or what the store says.
    func list(of user: UserID, from store: WatchlistStore) async throws -> Kept {
        if let kept = list(of: user) { return kept }
        let before = state.withLock { $0.changes }
        let (items, sort) = try await store.list(of: user)
        let read = Kept(items: items, sort: sort)
        state.withLock { if $0.changes == before { $0.lists[user] = read } }
        return read
    }

    func forget(_ user: UserID) {
        state.withLock { state in
            state.changes += 1
            state.lists[user] = nil
        }
    }
}
