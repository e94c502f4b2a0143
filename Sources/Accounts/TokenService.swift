import Foundation
package import RoostSupport
import TextFormats

package final class TokenService: Sendable {
    package struct TokenRequest: Sendable {
        package let name: String
        package let scope: APIToken.Scope
        /// See `APIToken.areas`.
        let areas: String
        package let days: Int?

        /// - Parameter days: how long it is valid, 1 to 3,650; nil for no expiry
        /// - Throws: `RoostError.invalid` for "name" and "days"
        package init(name: String = "", scope: APIToken.Scope, days: Int? = nil) throws {
            try self.init(name: name, scope: scope, areas: "", days: days)
        }

        /// A token that is limited to areas.
        ///
        /// - Parameters:
        ///   - scopes: at least one, such as "chat:read" and "reading:write"
        ///   - known: the names of all areas
        ///   - acting: the names of the areas with the scope "act"
        /// - Throws: `RoostError.invalid` for "scope", "name" and "days"
        package init(
            name: String = "", limitedTo scopes: [String], known: [String], actingIn acting: [String] = [],
            days: Int? = nil
        ) throws {
            var access: [String: Set<APIToken.Access>] = [:]
            for scope in scopes {
                let parts = scope.splitBytes(at: ":").map(String.init)
                guard parts.count == 2, known.contains(parts[0]),
                    let wanted = APIToken.Access(rawValue: parts[1]),
                    wanted != .act || acting.contains(parts[0])
                else { throw RoostError.invalid(field: "scope", why: "There is no scope “\(scope)”.") }
                access[parts[0], default: []].insert(wanted)
            }
            guard !access.isEmpty else {
                throw RoostError.invalid(field: "scope", why: "Choose at least one area.")
            }
            let areas = known.flatMap { area -> [String] in
                let wanted = access[area] ?? []
                // The others include reading.
                let named =
                    wanted == [.read] ? [.read] : [APIToken.Access.write, .act].filter(wanted.contains)
                return named.map { "\(area):\($0.rawValue)" }
            }
            try self.init(
                name: name, scope: access.values.allSatisfy { $0 == [.read] } ? .read : .write,
                areas: areas.joined(separator: " "), days: days)
        }

        private init(name: String, scope: APIToken.Scope, areas: String, days: Int?) throws {
            let name = name.trimmed
            guard name.unicodeScalars.count <= 64,
                name.unicodeScalars.allSatisfy(Profile.isPrintable)
            else { throw RoostError.invalid(field: "name", why: "A token’s name has at most 64 characters.") }
            guard (days ?? 1) >= 1, (days ?? 1) <= 3_650 else {
                throw RoostError.invalid(
                    field: "days", why: "A token is valid for 1 to 3,650 days or permanently.")
            }
            self.name = name
            self.scope = scope
            self.areas = areas
            self.days = days
        }
    }

    /// The maximum for each user.
    static let limit = 100

    private let identities: IdentityCache
    private let database: Database
    private let audit: AuditLog
    private let clock: WallClock
    private let ends: SteadyExpirations<Int64>

    init(identities: IdentityCache, audit: AuditLog, clock: WallClock) {
        self.identities = identities
        database = identities.database
        self.audit = audit
        self.clock = clock
        ends = SteadyExpirations(clock: clock)
    }

    /// Makes a token and returns it. It cannot be read again later. Throws `RoostError.notFound`, and `.invalid`, also
    /// for a metrics token of a member.
    package func make(
        _ request: TokenRequest, for user: User, by actor: User? = nil, from origin: ClientInfo = .commandLine
    ) async throws -> (id: Int64, token: String) {
        guard request.scope != .metrics || user.role == .owner else {
            throw RoostError.invalid(field: "scope", why: "Only an owner’s token can read the metrics.")
        }
        let token = "roost_" + Secret.make(bytes: 32)
        let now = clock.now()
        let id = try await database.write { writes in
            try writes.addToken(
                request, hash: Secret.hash(token), for: user.userId,
                expiresAt: request.days.map { now + TimeInterval($0) * 86_400 }, at: now)
        }
        if let days = request.days { ends.note(id, lasting: TimeInterval(days) * 86_400) }
        await audit.record(
            .tokenMade, actor: actor?.username ?? origin.address, subject: user.username, from: origin,
            detail: "\(request.name.isEmpty ? "token \(id)" : request.name), "
                + (request.areas.isEmpty ? request.scope.rawValue : request.areas))
        return (id, token)
    }

    package func tokens(_ reads: Reads, of user: UserID? = nil) throws -> [APIToken] {
        identities.updatingLastUsed(try reads.tokens(of: user))
    }

    package func tokens(of user: UserID? = nil) async throws -> [APIToken] {
        try await database.read { try tokens($0, of: user) }
    }

    /// Throws `RoostError.notFound`, also for another user's token.
    package func revoke(
        _ id: Int64, of user: UserID?, by actor: User? = nil, from origin: ClientInfo = .commandLine
    ) async throws {
        guard let token = try await database.write({ try $0.revokeToken(id, of: user) }) else {
            throw RoostError.notFound("There is no token \(id).")
        }
        await audit.record(
            .tokenRevoked, actor: actor?.username ?? origin.address, subject: token.username, from: origin,
            detail: token.name.isEmpty ? "token \(id)" : token.name)
    }

    @discardableResult
    package func revokeAll(of user: User, from origin: ClientInfo = .commandLine) async throws -> Int {
        let count = try await database.write { try $0.revokeTokens(of: user.userId) }
        await audit.recordRevoked(count, of: user.username, by: origin.address, from: origin)
        return count
    }

    package func bearer(of token: String) -> (user: User, token: APIToken)? {
        guard token.hasPrefix("roost_"), token.utf8.count < 200 else { return nil }
        return identities.bearer(hash: Secret.hash(token), at: clock.now(), ends)
    }

    /// Moves tokens created in the future, by a clock that was ahead, to now. Their lifetime stays the same.
    func cleanUp() async throws {
        let now = clock.now()
        let isNeeded = try await tokens().contains { ClockSkew.isAhead($0.createdAt, of: now) }
        if isNeeded { try await database.write { try $0.clampTokens(to: now) } }
    }
}
