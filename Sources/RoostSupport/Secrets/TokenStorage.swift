/// Keeps secrets that upstreams gave a user, such as GitHub's token, so that Roost alone can read them.
package protocol TokenStorage: Sendable {
    /// Replaces what the user had under this name. Throws `RoostError.notFound` when there is no such user.
    func store(_ secret: String, as name: String, of user: UserID) async throws
    /// Nil when there is none. Throws `RoostError.unavailable` when it cannot be opened.
    func secret(_ name: String, of user: UserID) async throws -> String?
    /// Nothing happens when there is none.
    func forget(_ name: String, of user: UserID) async throws
}

/// Secrets in the database, sealed with a key that is not there.
package struct SealedTokenStorage: TokenStorage {
    private let sealer: Sealer
    private let store: SealedSecretStore
    private let clock: WallClock

    package init(sealer: Sealer, store: SealedSecretStore, clock: WallClock) {
        self.sealer = sealer
        self.store = store
        self.clock = clock
    }

    package func store(_ secret: String, as name: String, of user: UserID) async throws {
        let sealed = try sealer.seal(secret, as: Self.context(name, user))
        try await store.put(sealed, as: name, of: user, at: clock.now())
    }

    package func secret(_ name: String, of user: UserID) async throws -> String? {
        try await store.sealed(name, of: user).map { try sealer.open($0, as: Self.context(name, user)) }
    }

    package func forget(_ name: String, of user: UserID) async throws {
        try await store.remove(name, of: user)
    }

    /// A row that is moved to another user or name does not open there.
    static func context(_ name: String, _ user: UserID) -> String { "user \(user): \(name)" }
}
