import Foundation
import RoostSupport

/// Checks and sets passwords: applies the rules, the throttle and the hashing.
final class PasswordAuthenticator: Sendable {
    private let database: Database
    private let links: OpenLinks
    private let hasher: PasswordHasher
    private let throttle: SignInThrottle
    private let audit: AuditLog
    private let clock: WallClock

    init(
        database: Database, links: OpenLinks, hasher: PasswordHasher,
        throttle: SignInThrottle, audit: AuditLog, clock: WallClock
    ) {
        self.database = database
        self.links = links
        self.hasher = hasher
        self.throttle = throttle
        self.audit = audit
        self.clock = clock
    }

    /// The hash of a new password that meets the rules. Throws `RoostError.invalid("password")`.
    func newHash(of password: String, for profile: Profile) async throws -> String {
        let names = [profile.username, profile.displayName, profile.email].compactMap { $0 }
        try PasswordRules.check(password, names: names)
        return try await hasher.hash(password)
    }

    static let wrongPassword = "Wrong password."

    /// The user's stored hash if the password matches it. Takes as long for an unknown user (nil).
    ///
    /// Pass the hash to the transaction that acts on it: if the password is changed in between, the hash is void.
    ///
    /// Throws `RoostError.tooMany` while throttled. A device that this user has signed in with before has its own
    /// allowance. So has an open join link, or an open reset link of this user, shared by all browsers that opened it.
    /// There, guesses of other people do not lock the user out.
    func verifiedHash(
        of password: String, by user: User?, typed name: String, from origin: ClientInfo
    ) async throws -> String? {
        // Asked for unknown users too, so that they take as long.
        let device = try await database.read { [now = clock.now()] reads in
            try reads.knownDevice(origin.deviceSecrets, of: user?.userId ?? -1, at: now)
        }
        let identity: String? =
            if let device { "device \(device)" } else { try await link(of: origin, opensTo: user?.userId) }
        let guesser =
            identity.map(SignInThrottle.Guesser.identified)
            ?? .anonymous(account: "sign-in as \(name)", address: Self.address(of: origin))
        return try await verifiedHash(of: password, by: user, guesser)
    }

    private func link(of origin: ClientInfo, opensTo user: UserID?) async throws -> String? {
        guard let code = origin.linkCode.flatMap(LinkCode.init), try await links.isOpen(code, to: user)
        else { return nil }
        return "link \(code)"
    }

    private func verifiedHash(
        of password: String, by user: User?, _ guesser: SignInThrottle.Guesser
    ) async throws -> String? {
        if let wait = throttle.begin(guesser) { throw Self.tooMany(wait) }
        let hash: String?
        do {
            hash = try await compare(password, with: user)
        } catch {
            throttle.gaveUp(guesser)
            throw error
        }
        guard user != nil, let hash else {
            throttle.failed(guesser)
            return nil
        }
        throttle.succeeded(guesser)
        return hash
    }

    private func compare(_ password: String, with user: User?) async throws -> String? {
        let id = user?.userId ?? -1
        let stored = try await database.read({ try $0.passwordHash(of: id) })
        let check = try await hasher.check(password, against: stored)
        guard check.isCorrect, let stored else { return nil }
        guard let newHash = check.newHash else { return stored }
        let isUpgraded = try await database.write {
            try $0.upgradePasswordHash(of: id, from: stored, to: newHash)
        }
        if isUpgraded { return newHash }
        // Another sign-in upgraded the hash first, or the password was changed: compare again.
        guard let current = try await database.read({ try $0.passwordHash(of: id) }),
            try await hasher.check(password, against: current).isCorrect
        else { return nil }
        return current
    }

    /// Behind an undeclared proxy everyone has this machine's address. They share one count, separate from that of real
    /// browsers on this machine.
    private static func address(of origin: ClientInfo) -> String {
        origin.isOnThisMachine
            ? "127.0.0.1"
            : origin.address.hasPrefix("127.") || origin.address == "::1"
                ? "192.0.2.1" : origin.address
    }

    /// Checks the password again before a sensitive action. Throws `RoostError.invalid` for a wrong one.
    ///
    /// Only the user's own sessions get here. They share a count, which guesses at the sign-in do not touch.
    func confirm(_ password: String, of user: User, field: String, from origin: ClientInfo) async throws
        -> String
    {
        guard let hash = try await verifiedHash(of: password, by: user, .identified("user \(user.userId)"))
        else {
            audit.noteFailure(of: user.username, from: origin)
            throw RoostError.invalid(field: field, why: Self.wrongPassword)
        }
        return hash
    }

    /// Slows down the guessing of codes, by address alone.
    ///
    /// Throws `RoostError.tooMany`. Look up a link's code first, and call this only if the link is not open. Otherwise
    /// guesses from the same address could lock out the link's holder.
    func admit(_ origin: ClientInfo, to what: String) throws {
        guard !origin.isOnThisMachine, let wait = throttle.wait(Self.guesser(origin, what)) else { return }
        throw Self.tooMany(wait)
    }

    func recordFailedCode(from origin: ClientInfo, _ what: String) {
        guard !origin.isOnThisMachine else { return }
        throttle.failed(Self.guesser(origin, what))
    }

    private static func guesser(_ origin: ClientInfo, _ what: String) -> SignInThrottle.Guesser {
        let address = address(of: origin)
        return .anonymous(account: "\(what) from \(address)", address: address)
    }

    private static func tooMany(_ seconds: Int) -> RoostError {
        .tooMany("Too many failed attempts. Try again in \(seconds) s.", retryAfter: seconds)
    }
}
