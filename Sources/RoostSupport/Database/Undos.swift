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

/// Identifies a change that can be undone. Never reused.
package typealias UndoID = Int64

/// A part of a change that can be undone. Each feature has one type of steps, and reverts them itself, without
/// overwriting what was changed again since.
package protocol UndoStep: Codable, Sendable {
    /// The feature's name in the database.
    static var feature: String { get }
    /// The limits of a user's changes and of all their steps. The oldest changes are dropped first; the latest is kept
    /// whatever its size.
    static var maximumChanges: Int { get }
    static var maximumSteps: Int { get }
}

/// A change that can still be undone.
package struct Undo: Sendable {
    package let id: UndoID
    /// The number of steps.
    package let size: Int
}
