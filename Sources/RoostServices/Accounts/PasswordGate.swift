import Foundation

/// Where passwords are set and shown: rules, throttle and hashing in one place.
final class PasswordGate: Sendable {
    private let store: AccountStore
    private let hasher: PasswordHasher
    private let throttle: SignInThrottle
    private let audit: AuditLog

    init(store: AccountStore, hasher: PasswordHasher, throttle: SignInThrottle, audit: AuditLog) {
        self.audit = audit
        self.store = store
        self.hasher = hasher
        self.throttle = throttle
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
    /// Throws `RoostError.tooMany` while the throttle lasts. An owner on this machine is let in even then, since a
    /// stranger's wrong tries must not lock him out; his wrong tries are refused like everybody's.
    func proof(
        of password: String, by user: User?, typed name: String, from origin: Origin
    ) async throws -> String? {
        let name = "sign-in as \(name)"
        let address = Self.address(of: origin)
        let wait = throttle.begin(account: name, address: address)
        if let wait, !origin.isOnThisMachine { throw Self.tooMany(wait) }
        let proof: String?
        do {
            proof = try await compare(password, with: user)
        } catch {
            throttle.gaveUp(account: name, address: address)
            throw error
        }
        if let user, let proof, wait == nil || user.role == .owner {
            throttle.succeeded(account: name, address: address)
            return proof
        }
        if let wait { throw Self.tooMany(wait) }
        throttle.failed(account: name, address: address)
        return nil
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

    /// Through a proxy that nobody has declared everybody comes from this machine: they share one count, and none of
    /// the leniency towards it.
    private static func address(of origin: Origin) -> String {
        origin.isOnThisMachine
            ? "127.0.0.1"
            : origin.address.hasPrefix("127.") || origin.address == "::1"
                ? "192.0.2.1" : origin.address
    }

    /// For what a person may do only with the password once more. Throws `RoostError.invalid` for a wrong one.
    func confirm(_ password: String, of user: User, field: String, from origin: Origin) async throws -> String
    {
        let name = Profile.key(user.username)
        guard let proof = try await proof(of: password, by: user, typed: name, from: origin) else {
            audit.noteFailure(of: user.username, from: origin)
            throw RoostError.invalid(field: field, why: Self.notYours)
        }
        return proof
    }

    /// Guards the guessing of codes, by address alone: whoever guesses delays nobody else.
    ///
    /// Throws `RoostError.tooMany`.
    func admit(_ origin: Origin, to what: String) throws {
        let address = Self.address(of: origin)
        guard !origin.isOnThisMachine,
            let wait = throttle.wait(account: "\(what) from \(address)", address: address)
        else { return }
        throw Self.tooMany(wait)
    }

    /// A code that was wrong.
    func missed(_ origin: Origin, _ what: String) {
        let address = Self.address(of: origin)
        throttle.failed(account: "\(what) from \(address)", address: address)
    }

    private static func tooMany(_ seconds: Int) -> RoostError {
        .tooMany("There were too many wrong tries. Try again in \(seconds) s.", retryAfter: seconds)
    }
}
