package import Foundation

/// Removes the changes that can no longer be undone, of all features.
package struct Undos: Service {
    /// How long a change can be undone, in seconds.
    package static let lifetime: TimeInterval = 86_400
    private static let pause = Duration.seconds(60)

    private let database: Database
    private let clock: WallClock

    package init(database: Database, clock: WallClock) {
        self.database = database
        self.clock = clock
    }

    package func run() async {
        while !Task.isCancelled {
            try? await removeExpired()
            try? await Task.sleep(for: Self.pause)
        }
    }

    package func removeExpired() async throws {
        try await database.write { [now = clock.now()] in try $0.removeExpiredUndos(at: now) }
    }

    package var userData: [UserData] {
        [.deleted("Changes that can still be undone", from: ["undos", "undo_steps"])]
    }
}

extension RoostError {
    package static let undoExpired = RoostError.notFound("This can no longer be undone.")
}
