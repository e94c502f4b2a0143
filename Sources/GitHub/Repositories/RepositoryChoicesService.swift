import Logging
package import RoostSupport

/// How users like lists of repositories shown.
package final class RepositoryChoicesService: Sendable {
    /// Collapsed groups of one list, and the bytes of a group's name.
    private static let maximumCollapsed = 200
    private static let maximumGroupBytes = 120

    private let store: RepositoryStore
    private let publisher: ThrottledPublisher
    private let log: Logger

    init(store: RepositoryStore, publisher: ThrottledPublisher, log: Logger) {
        self.store = store
        self.publisher = publisher
        self.log = log
    }

    package func choices(of user: UserID, for list: RepositoryChoices.List) async throws
        -> RepositoryChoices
    {
        try await store.choices(of: user, for: list)
    }

    /// Changes them as they are when it is this change's turn. Returns after the commit.
    package func choose(
        for list: RepositoryChoices.List, of user: UserID,
        _ change: @escaping @Sendable (inout RepositoryChoices) -> Void
    ) async throws {
        do {
            try await store.choose(for: list, of: user) { choices in
                change(&choices)
                let ids = choices.collapsed.filter { (1...Self.maximumGroupBytes).contains($0.utf8.count) }
                choices.collapsed =
                    ids.count > Self.maximumCollapsed ? Set(ids.sorted().prefix(Self.maximumCollapsed)) : ids
            }
        } catch {
            log.error("How a list is shown could not be saved", metadata: ["error": "\(error)"])
            throw RoostError(storage: error)
                ?? .unavailable("Couldn’t save. Please try again.")
        }
        publisher.publishNow(list == .browse ? Topic.repositories(user) : Topic.bookmarks(user))
    }
}
