package import Foundation
package import RoostSupport
import Synchronization
import TextFormats

/// Pairs a screen with a display: a user enters the code that the screen shows, and the screen gets a key.
package final class DisplayPairingService: Sendable {
    package enum Target: Sendable {
        case existing(DisplayID)
        case new(name: String)
    }

    private enum CheckedTarget {
        case existing(DisplayID)
        /// A nil name becomes the first free "Screen 2".
        case new(name: String?, link: DisplayStore.Link)
    }

    /// Wrong codes.
    private struct Tries {
        var users = BackoffTable(free: 5, maximumDelay: 60)
        var addresses = BackoffTable(free: 10, maximumDelay: 900)
    }

    /// How long a code is valid; and, once it is entered, how long the screen may fetch its key. In seconds.
    package static let lifetime: TimeInterval = 600

    private let database: Database
    private let displays: DisplayService
    private let clock: WallClock
    private let tries = Mutex(Tries())

    package init(database: Database, displays: DisplayService, clock: WallClock) {
        self.database = database
        self.displays = displays
        self.clock = clock
    }

    /// Makes a code for a screen, and a 256-bit secret with which the screen fetches its key.
    package func begin(from address: String? = nil) async throws -> (pairing: DisplayPairing, secret: String)
    {
        let secret = Secret.make(bytes: 32)
        for _ in 1...10 {
            let now = clock.now()
            let added = try await database.write { writes in
                try writes.addPairing(
                    code: DisplayPairing.makeCode(), secretHash: Secret.hash(secret),
                    origin: address.map { IPAddress(client: $0)?.hexadecimal ?? "" }, at: now,
                    until: now + Self.lifetime)
            }
            if let added { return (Self.pairing(added), secret) }
        }
        throw RoostError.unavailable("No pairing code is available. Try again in a moment.")
    }

    package func pairing(_ reads: Reads, secret: String) throws -> DisplayPairing? {
        guard secret.utf8.count == Self.secretLength,
            let record = try reads.pairing(secretHash: Secret.hash(secret)),
            isValid(record)
        else { return nil }
        return Self.pairing(record)
    }

    package func pairing(secret: String) async throws -> DisplayPairing? {
        try await database.read { try pairing($0, secret: secret) }
    }

    /// Makes the screen with this code a display of the user, and returns the display.
    ///
    /// Throws `RoostError.invalid(field: "code")` if no screen shows it, `.tooMany` after wrong codes,
    /// `.invalid(field: "name")`, and `.notFound` for a display of another user.
    ///
    /// - Parameter address: the user's address; wrong codes are counted by user and by address
    package func claim(
        _ text: String, for target: Target, by user: UserID, from address: String
    ) async throws -> DisplayID {
        guard let code = DisplayPairing.code(in: text) else {
            throw RoostError.invalid(
                field: "code", why: "Enter six letters and digits, such as ABC-234.")
        }
        let checked: CheckedTarget =
            switch target {
            case .existing(let id): .existing(id)
            case .new(let name):
                .new(
                    name: name.isBlank ? nil : try DisplayService.checked(name),
                    link: try displays.makeLink(for: user).link)
            }
        let keys = (
            user: Data("\(user)".utf8),
            address: Data((IPAddress(client: address)?.hexadecimal ?? address).utf8)
        )
        try begin(keys)
        let now = clock.now()
        let claimed: DisplayID?
        do {
            claimed = try await database.write { writes in
                guard let pairing = try writes.waitingPairing(code: code, at: now) else { return nil }
                let display = try Self.display(checked, of: user, at: now, writes)
                try writes.pair(
                    secretHash: pairing.secretHash, with: display, until: now + Self.lifetime)
                writes.publish(Self.topic(pairing.secretHash), Topic.displays(user))
                return display
            }
        } catch {
            tries.withLock { tries in
                tries.users.gaveUp(keys.user, at: clock.steady())
                tries.addresses.gaveUp(keys.address, at: clock.steady())
            }
            throw error
        }
        guard let claimed else {
            tries.withLock { tries in
                tries.users.failed(keys.user, at: clock.steady())
                tries.addresses.failed(keys.address, at: clock.steady())
            }
            throw RoostError.invalid(
                field: "code", why: "No screen shows this code. Type the one it shows now.")
        }
        tries.withLock { tries in
            tries.users.forget(keys.user)
            tries.addresses.gaveUp(keys.address, at: clock.steady())
        }
        return claimed
    }

    private static func display(
        _ target: CheckedTarget, of user: UserID, at now: Date, _ writes: Writes
    ) throws -> DisplayID {
        switch target {
        case .existing(let id):
            guard try writes.display(id, of: user) != nil else { throw DisplayService.notFound }
            return id
        case .new(let name, let link):
            return try writes.addDisplay(
                name ?? freeName(try writes.displayNames(of: user)), of: user, link: link, at: now
            ).id
        }
    }

    /// "Screen 1", or the first number that the user has not used.
    private static func freeName(_ names: Set<String>) -> String {
        func name(_ number: Int) -> String { "Screen \(number)" }
        return name((1...(names.count + 1)).first { !names.contains(name($0)) } ?? 1)
    }

    /// Makes a 256-bit key for the screen with this secret. Returns nil if its code has not been entered.
    package func redeem(secret: String) async throws -> String? {
        let (key, secretHash) = (Secret.make(bytes: 32), Secret.hash(secret))
        return try await database.write { [now = clock.now()] writes in
            guard let pairing = try writes.pairing(secretHash: secretHash), pairing.expiresAt > now,
                let display = pairing.display
            else { return nil }
            try writes.setKey(Secret.hash(key), ofScreen: secretHash, display: display, at: now)
            return key
        }
    }

    /// Throws `RoostError.tooMany` while the user or address must wait.
    private func begin(_ keys: (user: Data, address: Data)) throws {
        let now = clock.steady()
        let wait = tries.withLock { tries -> Int? in
            let wait = [tries.users.wait(keys.user, at: now), tries.addresses.wait(keys.address, at: now)]
                .compactMap(\.self).max()
            if wait == nil {
                tries.users.begin(keys.user, at: now)
                tries.addresses.begin(keys.address, at: now)
            }
            return wait
        }
        if let wait {
            throw RoostError.tooMany(
                "Too many wrong codes. Try again in \(wait) \(wait == 1 ? "second" : "seconds").",
                retryAfter: wait)
        }
    }

    /// Rejects a code that was made while the clock was ahead.
    private func isValid(_ record: DisplayPairingStore.Record) -> Bool {
        let now = clock.now()
        return record.expiresAt >= now && !ClockSkew.isAhead(record.expiresAt, of: now + Self.lifetime)
    }

    private static func pairing(_ record: DisplayPairingStore.Record) -> DisplayPairing {
        DisplayPairing(
            code: record.code, expiresAt: record.expiresAt, isClaimed: record.display != nil,
            topic: topic(record.secretHash))
    }

    private static func topic(_ secretHash: [UInt8]) -> String {
        Topic.displayPairing(Base64URL.encode(Data(secretHash)))
    }

    /// 32 bytes as base64url.
    private static let secretLength = 43
}
