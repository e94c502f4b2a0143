import Foundation
import RoostSupport

/// Where passwords are set and shown: rules, throttle and hashing in one place.
final class PasswordAuthenticator: Sendable {
    private let store: AccountStore
    private let devices: KnownDeviceStore
    private let links: OpenLinks
    private let hasher: PasswordHasher
    private let throttle: SignInThrottle
    private let audit: AuditLog
    private let clock: WallClock

    init(
        store: AccountStore, devices: KnownDeviceStore, links: OpenLinks, hasher: PasswordHasher,
        throttle: SignInThrottle, audit: AuditLog, clock: WallClock
    ) {
        self.store = store
        self.devices = devices
        self.links = links
        self.hasher = hasher
        self.throttle = throttle
        self.audit = audit
        self.clock = clock
    }

    /// The hash of a new password that fits the rules. Throws `RoostError.invalid("password")`.
    func newHash(of password: String, for profile: Profile) async throws -> String {
        let names = [profile.username, profile.displayName, profile.email].compactMap { $0 }
        try PasswordRules.check(password, names: names)
        return try await hasher.hash(password)
    }

    static let notYours = "This is not your password."

    /// The user's stored hash if the password is the one that made it; nobody's (nil) takes as long.
    ///
    /// The hash goes into the transaction that acts upon it: a password that is changed meanwhile proves nothing.
    ///
    /// Throws `RoostError.tooMany` while the throttle lasts. A device on which this user has signed in before has an
    /// allowance of its own, and so has an open join link, or reset link of this user, for all browsers that opened it:
    /// strangers' guesses do not lock the user out there.
    func proof(
        of password: String, by user: User?, typed name: String, from origin: ClientInfo
    ) async throws -> String? {
        // The same question for a user who does not exist.
        let device = try await devices.device(origin.deviceSecrets, of: user?.userId ?? -1, at: clock.now())
        let known: String? =
            if let device { "device \(device)" } else { try await link(of: origin, opensTo: user?.userId) }
        let guesser =
            known.map(SignInThrottle.Guesser.known)
            ?? .stranger(account: "sign-in as \(name)", address: Self.address(of: origin))
        return try await proof(of: password, by: user, guesser)
    }

    private func link(of origin: ClientInfo, opensTo user: UserID?) async throws -> String? {
        guard let code = origin.linkCode.flatMap(LinkCode.init), try await links.isOpen(code, to: user)
        else { return nil }
        return "link \(code)"
    }

    private func proof(of password: String, by user: User?, _ guesser: SignInThrottle.Guesser) async throws
        -> String?
    {
        if let wait = throttle.begin(guesser) { throw Self.tooMany(wait) }
        let proof: String?
        do {
            proof = try await compare(password, with: user)
        } catch {
            throttle.gaveUp(guesser)
            throw error
        }
        guard user != nil, let proof else {
            throttle.failed(guesser)
            return nil
        }
        throttle.succeeded(guesser)
        return proof
    }

    private func compare(_ password: String, with user: User?) async throws -> String? {
        // The same steps for a user who does not exist.
        let id = user?.userId ?? -1
        let stored = try await store.passwordHash(of: id)
        let check = try await hasher.check(password, against: stored)
        guard check.isRight, let stored else { return nil }
        guard let newHash = check.newHash else { return stored }
        if try await store.upgradePasswordHash(of: id, from: stored, to: newHash) { return newHash }
        // Somebody was quicker: with the same password, which is dear already, or with another one.
        guard let current = try await store.passwordHash(of: id),
            try await hasher.check(password, against: current).isRight
        else { return nil }
        return current
    }

    /// Through a proxy that nobody has declared everybody comes from this machine: they share one count, which is not
    /// that of browsers on this machine.
    private static func address(of origin: ClientInfo) -> String {
        origin.isOnThisMachine
            ? "127.0.0.1"
            : origin.address.hasPrefix("127.") || origin.address == "::1"
                ? "192.0.2.1" : origin.address
    }

    /// For what a person may do only with the password once more. Throws `RoostError.invalid` for a wrong one.
    ///
    /// Only the user's own sessions get here, and they share a count that guesses at the sign-in do not touch.
    func confirm(_ password: String, of user: User, field: String, from origin: ClientInfo) async throws
        -> String
    {
        guard let proof = try await proof(of: password, by: user, .known("user \(user.userId)")) else {
            audit.noteFailure(of: user.username, from: origin)
            throw RoostError.invalid(field: field, why: Self.notYours)
        }
        return proof
    }

    /// Slows down the guessing of codes, by address alone.
    ///
    /// Throws `RoostError.tooMany`. Codes of links are looked up first: an open link is never throttled, since guesses
    /// from the same address could otherwise lock its holder out.
    func admit(_ origin: ClientInfo, to what: String) throws {
        guard !origin.isOnThisMachine, let wait = throttle.wait(Self.guesser(origin, what)) else { return }
        throw Self.tooMany(wait)
    }

    /// A code that was wrong.
    func missed(_ origin: ClientInfo, _ what: String) {
        guard !origin.isOnThisMachine else { return }
        throttle.failed(Self.guesser(origin, what))
    }

    private static func guesser(_ origin: ClientInfo, _ what: String) -> SignInThrottle.Guesser {
        let address = address(of: origin)
        return .stranger(account: "\(what) from \(address)", address: address)
    }

    private static func tooMany(_ seconds: Int) -> RoostError {
        .tooMany("There were too many wrong tries. Try again in \(seconds) s.", retryAfter: seconds)
    }
}
