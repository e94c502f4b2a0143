package import RoostSupport

package final class RepositoryPreferencesService: Sendable {
    /// Limits for one list, and for a group's name in bytes.
    private static let maximumCollapsed = 200
    private static let maximumGroupBytes = 120

    private let database: Database

    init(database: Database) { self.database = database }

    package func preferences(
        _ reads: Reads, of user: UserID, for list: RepositoryPreferences.List
    ) throws -> RepositoryListPreferences {
        try reads.preferences(RepositoryPreferences.self, of: user)[list]
    }

    package func preferences(
        of user: UserID, for list: RepositoryPreferences.List
    ) async throws -> RepositoryListPreferences {
        try await database.read { try preferences($0, of: user, for: list) }
    }

    /// Returns after the commit.
    package func change(
        _ list: RepositoryPreferences.List, of user: UserID,
        _ change: @escaping @Sendable (inout RepositoryListPreferences) -> Void
    ) async throws {
        try await database.write { writes in
            var preferences = try writes.preferences(RepositoryPreferences.self, of: user)
            change(&preferences[list])
            let ids = preferences[list].collapsed.filter {
                (1...Self.maximumGroupBytes).contains($0.utf8.count)
            }
            preferences[list].collapsed =
                ids.count > Self.maximumCollapsed ? Set(ids.sorted().prefix(Self.maximumCollapsed)) : ids
            try writes.setPreferences(preferences, of: user)
            writes.publish(list == .browse ? Topic.repositories(user) : Topic.bookmarks(user))
        }
    }
}
