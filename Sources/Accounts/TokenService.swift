import Foundation
package import RoostSupport

/// API tokens: made, listed, revoked, recognised.
package final class TokenService: Sendable {
    /// What somebody wants of a new token, checked.
    package struct TokenRequest: Sendable {
        package let name: String
        package let scope: APIToken.Scope
        package let days: Int?

        /// - Parameter days: until it ends, 1 to 3,650; nil for never
        /// - Throws: `RoostError.invalid` for "name" and "days"
        package init(name: String = "", scope: APIToken.Scope, days: Int? = nil) throws {
            let name = name.trimmed
            guard name.unicodeScalars.count <= 64,
                name.unicodeScalars.allSatisfy(Profile.isPrintable)
            else { throw RoostError.invalid(field: "name", why: "A token’s name has at most 64 characters.") }
            guard (days ?? 1) >= 1, (days ?? 1) <= 3_650 else {
                throw RoostError.invalid(
                    field: "days", why: "A token lasts for 1 to 3,650 days, or for ever.")
            }
            self.name = name
            self.scope = scope
            self.days = days
        }
    }

    /// A user's tokens, at most.
    static let limit = 100

    private let identities: IdentityCache
    private let store: TokenStore
    private let audit: AuditLog
    private let clock: WallClock
    private let ends: SteadyEnds<Int64>

    init(identities: IdentityCache, audit: AuditLog, clock: WallClock) {
        self.identities = identities
        store = TokenStore(database: identities.database)
        self.audit = audit
        self.clock = clock
        ends = SteadyEnds(clock: clock)
    }

    /// Makes a token and answers it, the only time it is ever shown. Throws `RoostError.notFound`, and `.invalid` also for
    /// a member's token that reads the metrics.
    package func make(
        _ request: TokenRequest, for user: User, by actor: User? = nil, from origin: ClientInfo = .commandLine
    ) async throws -> (id: Int64, token: String) {
        guard request.scope != .metrics || user.role == .owner else {
            throw RoostError.invalid(field: "scope", why: "Only an owner’s token can read the metrics.")
        }
        let token = "roost_" + Secret.make(bytes: 32)
        let now = clock.now()
        let id = try await store.add(
            request, hash: Secret.hash(token), for: user.userId,
            expiresAt: request.days.map { now + TimeInterval($0) * 86_400 }, at: now)
        if let days = request.days { ends.note(id, lasting: TimeInterval(days) * 86_400) }
        await audit.record(
            .tokenMade, actor: actor?.username ?? origin.address, subject: user.username, from: origin,
            detail: "\(request.name.isEmpty ? "token \(id)" : request.name), \(request.scope.rawValue)")
        return (id, token)
    }

    /// The tokens of a user or, for nil, of everybody.
    package func tokens(of user: UserID? = nil) async throws -> [APIToken] {
        identities.used(try await store.all(of: user))
    }

    /// Throws `RoostError.notFound`, also for another user's token.
    package func revoke(
        _ id: Int64, of user: UserID?, by actor: User? = nil, from origin: ClientInfo = .commandLine
    ) async throws {
        guard let token = try await store.revoke(id, of: user) else {
            throw RoostError.notFound("There is no token \(id).")
        }
        await audit.record(
            .tokenRevoked, actor: actor?.username ?? origin.address, subject: token.username, from: origin,
            detail: token.name.isEmpty ? "token \(id)" : token.name)
    }

    /// Revokes all tokens of a user and returns how many there were.
    @discardableResult
    package func revokeAll(of user: User, from origin: ClientInfo = .commandLine) async throws -> Int {
        let count = try await store.revokeAll(of: user.userId)
        await audit.recordRevoked(count, of: user.username, by: origin.address, from: origin)
        return count
    }

    /// The bearer of a token and the token, nil for an unknown, revoked or expired one.
    package func bearer(of token: String) -> (user: User, token: APIToken)? {
        guard token.hasPrefix("roost_"), token.utf8.count < 200 else { return nil }
        return identities.bearer(hash: Secret.hash(token), at: clock.now(), ends)
    }

    /// Has tokens made now that a clock which was ahead has made later: they last no longer for it.
    func tidy() async throws {
        let now = clock.now()
        let isNeeded = try await tokens().contains { $0.createdAt > now + ClockSkew.tolerance }
        if isNeeded { try await store.clampMade(to: now) }
    }
}
