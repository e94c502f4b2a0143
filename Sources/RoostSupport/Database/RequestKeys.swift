package import Foundation

/// Removes the answers to requests with an `Idempotency-Key`, and the results of other acts that must not happen twice,
/// after a day.
package struct RequestKeys: Service {
    /// How long a key is known, in seconds.
    package static let lifetime: TimeInterval = 86_400
    private static let pause = Duration.seconds(600)

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
        let now = clock.now()
        let isNeeded = try await database.read { try $0.hasExpiredRequestKeys(at: now) }
        if isNeeded { try await database.write { try $0.removeExpiredRequestKeys(at: now) } }
    }

    package var userData: [UserData] {
        [
            .deleted(
                "Answers to a program’s last requests, and results of acts on pull requests, for a day",
                from: ["request_keys"])
        ]
    }
}
