package import Foundation
package import RoostSupport
import Synchronization
import TextFormats

/// Turns a screen that shows a code into a display: somebody types the code, and the screen gets a key.
package final class DisplayPairingService: Sendable {
    /// What the screen becomes.
    package enum Target: Sendable {
        case existing(DisplayID)
        case new(name: String)
    }

    /// Wrong codes, by the steady clock.
    private struct Tries {
        var users = BackoffTable(free: 5, maximumDelay: 60)
        var addresses = BackoffTable(free: 10, maximumDelay: 900)
    }

    /// How long a code is good, and then once more how long the screen may fetch its key, in seconds.
    package static let lifetime: TimeInterval = 600

    private let store: DisplayPairingStore
    private let displays: DisplayService
    private let feed: ChangeFeed
    private let clock: WallClock
    private let tries = Mutex(Tries())

    package init(store: DisplayPairingStore, displays: DisplayService, feed: ChangeFeed, clock: WallClock) {
        self.store = store
        self.displays = displays
        self.feed = feed
        self.clock = clock
    }

    /// Makes a code for a screen. Its secret, 256 bits, is what the screen fetches its key with.
    package func begin(from address: String? = nil) async throws -> (pairing: DisplayPairing, secret: String)
    {
        let secret = Secret.make(bytes: 32)
        for _ in 1...10 {
            let now = clock.now()
            let added = try await store.add(
                code: DisplayPairing.makeCode(), secretHash: Secret.hash(secret),
                origin: address.map { ClientNetwork($0).digits }, at: now,
                until: now + Self.lifetime)
            if let added { return (Self.pairing(added), secret) }
        }
        throw RoostError.unavailable("No code is free. Try again in a moment.")
    }

    /// What a screen with this secret waits for; nil where its code has ended, or never was.
    package func pairing(secret: String) async throws -> DisplayPairing? {
        guard secret.utf8.count == Self.secretLength,
            let record = try await store.pairing(secretHash: Secret.hash(secret)), isGood(record)
        else { return nil }
        return Self.pairing(record)
    }

    /// Makes the screen that shows this code a display of the user. Answers the display.
    ///
    /// Throws `RoostError.invalid(field: "code")` where no screen shows it, `.tooMany` after wrong ones,
    /// `.invalid(field: "name")`, and `.notFound` for a display that is not the user's.
    ///
    /// - Parameter address: of who types it: wrong codes are counted by user and by address
    package func claim(
        _ text: String, for target: Target, by user: UserID, from address: String
    ) async throws -> DisplayID {
        guard let code = DisplayPairing.code(in: text) else {
            throw RoostError.invalid(
                field: "code", why: "A code has six letters and figures, such as ABC-234.")
        }
        let stored: DisplayPairingStore.Target =
            switch target {
            case .existing(let id): .existing(id)
            case .new(let name):
                .new(
                    name: name.isBlank ? nil : try DisplayService.checked(name),
                    link: try displays.makeLink(for: user).link)
            }
        let keys = (user: Data("\(user)".utf8), address: Data(ClientNetwork(address).neighbour.utf8))
        try begin(keys)
        let now = clock.now()
        let claimed: (display: DisplayID, secretHash: [UInt8])?
        do {
            claimed = try await store.claim(
                code, for: stored, of: user, at: now, until: now + Self.lifetime, limit: DisplayService.limit)
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
                field: "code", why: "No screen shows this code. Type the one that it shows now.")
        }
        tries.withLock { tries in
            tries.users.forget(keys.user)
            tries.addresses.gaveUp(keys.address, at: clock.steady())
        }
        feed.publish(Self.topic(claimed.secretHash), Topic.displays(user))
        return claimed.display
    }

    /// A new key for the screen with this secret, 256 bits; nil where its code was not typed.
    package func redeem(secret: String) async throws -> String? {
        let key = Secret.make(bytes: 32)
        let isStored = try await store.redeem(
            secretHash: Secret.hash(secret), keyHash: Secret.hash(key), at: clock.now())
        return isStored ? key : nil
    }

    /// Throws `RoostError.tooMany` while wrong codes have to be waited for.
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

    /// A code that was made by a clock that has been put back since says nothing.
    private func isGood(_ record: DisplayPairingStore.Record) -> Bool {
        (0...Self.lifetime + ClockSkew.tolerance).contains(record.expiresAt.timeIntervalSince(clock.now()))
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
