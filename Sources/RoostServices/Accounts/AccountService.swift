import Foundation
import Synchronization

/// Who somebody is. Until people can sign in, a single local owner stands in for everybody on this machine.
package final class AccountService: Sendable {
    private struct LocalOwner {
        var user: User?
        var readAt: ContinuousClock.Instant?
    }

    /// The name of the owner that nobody has named yet.
    package static let standInName = "owner"
    /// Another process (`roost user add`) may rename the owner: what is known of him is read again after this.
    private static let ownerLifetime = Duration.seconds(2)

    private let store: AccountStore
    private let clock: WallClock
    private let standIn: String
    private let owner = Mutex(LocalOwner())

    init(store: AccountStore, clock: WallClock, standInName: String) {
        self.store = store
        self.clock = clock
        standIn = standInName
    }

    /// The local owner if he is known without asking the database, for answers that must not wait.
    package var knownLocalOwner: User? {
        owner.withLock { known in
            guard let readAt = known.readAt, readAt.duration(to: .now) < Self.ownerLifetime else {
                return nil
            }
            return known.user
        }
    }

    /// The person that visitors from this machine are: the first owner.
    package func localOwner() async throws -> User {
        if let user = knownLocalOwner { return user }
        let user = try await store.localOwner(standInName: standIn, at: clock.now())
        owner.withLock { $0 = LocalOwner(user: user, readAt: .now) }
        return user
    }

    package func users() async throws -> [User] {
        try await store.users()
    }

    /// Adds a user; the first owner inherits what the stand-in has. Throws `RoostError.invalid` and `.conflict`.
    package func addUser(_ name: String, role: User.Role, password: String?) async throws -> User {
        let name = name.trimmed
        // Code points, as the schema counts them.
        guard (1...64).contains(name.unicodeScalars.count),
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw RoostError.invalid(field: "username", why: "A user name has 1 to 64 characters.")
        }
        // The stand-in's row is made first, so that there is something to take over.
        _ = try await store.localOwner(standInName: standIn, at: clock.now())
        // SQLite's own comparison without case knows ASCII only.
        let isTaken = try await store.users().contains {
            !$0.isStandIn && $0.username.lowercased() == name.lowercased()
        }
        guard !isTaken else {
            throw RoostError.conflict(field: "username", why: "There already is a user named “\(name)”.")
        }
        let hash = try password.map(Password.hash)
        let user = try await store.add(name, role: role, passwordHash: hash, at: clock.now())
        owner.withLock { $0 = LocalOwner() }
        return user
    }

    /// Makes a token and answers it, the only time it is ever shown. Throws `RoostError.notFound`.
    package func makeToken(for name: String, scope: APIToken.Scope) async throws -> String {
        _ = try await store.localOwner(standInName: standIn, at: clock.now())
        guard let user = try await store.user(named: name) else {
            throw RoostError.notFound("There is no user named “\(name)”.")
        }
        let token = "roost_" + Secret.make(bytes: 32)
        try await store.addToken(hash: Secret.hash(token), for: user.userId, scope: scope, at: clock.now())
        return token
    }

    package func tokens() async throws -> [APIToken] {
        try await store.tokens()
    }

    /// Throws `RoostError.notFound`.
    package func revokeToken(_ id: Int64) async throws {
        guard try await store.revokeToken(id) else { throw RoostError.notFound("There is no token \(id).") }
    }

    /// The bearer of a token and what it lets him do, nil for an unknown one.
    package func bearer(of token: String) async throws -> (user: User, scope: APIToken.Scope)? {
        guard token.hasPrefix("roost_"), token.utf8.count < 200 else { return nil }
        return try await store.bearer(hash: Secret.hash(token))
    }
}
