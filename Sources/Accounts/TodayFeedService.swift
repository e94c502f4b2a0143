package import RoostSupport

/// The secret with which a feed reader follows a user's page `/today`; at most one for each user.
package final class TodayFeedService: Sendable {
    /// Of the sealed secret.
    private static let name = "today feed"
    private static let unknownFeed = RoostError.notFound(
        "There is no such feed. Its address was deleted or replaced.")

    private let database: Database
    private let sealer: Sealer
    private let clock: WallClock

    init(database: Database, sealer: Sealer, clock: WallClock) {
        self.database = database
        self.sealer = sealer
        self.clock = clock
    }

    /// Returns nil without a feed. Throws `RoostError.unavailable` if the secret cannot be opened.
    package func token(_ reads: Reads, of user: UserID) throws -> String? {
        try reads.secret(Self.name, of: user, with: sealer)
    }

    /// Creates the feed, or replaces its address; the old one stops working.
    package func renew(for user: UserID) async throws {
        // The user's id finds the secret, so that no index over secrets is needed.
        let token = "\(user)-\(Secret.make(bytes: 24))"
        try await database.write { [sealer, now = clock.now()] writes in
            try writes.putSecret(token, as: Self.name, of: user, with: sealer, at: now)
        }
    }

    /// Deletes the feed; its address stops working.
    package func withdraw(of user: UserID) async throws {
        try await database.write { try $0.removeSecret(Self.name, of: user) }
    }

    /// Returns the user whose feed has this token. Throws `RoostError.notFound`.
    package func user(_ reads: Reads, token: String) throws -> User {
        guard (16...100).contains(token.utf8.count),
            let id = UserID(String(decoding: token.utf8.prefix { $0 != UInt8(ascii: "-") }, as: UTF8.self)),
            let user = try reads.user(id), let known = try self.token(reads, of: id),
            // Hashes, so that the time of the comparison tells nothing about the secret.
            Secret.hash(known) == Secret.hash(token)
        else { throw Self.unknownFeed }
        return user
    }
}
