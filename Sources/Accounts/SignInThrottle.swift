import Crypto
import Foundation
import RoostSupport
import Synchronization

/// Makes guessing passwords slow, by account and by address, with delays that grow.
///
/// Guesses from elsewhere do not count on loopback, and strangers' guesses do not count for a known device or link.
final class SignInThrottle: Sendable {
    /// Who tries a password, which decides the counts that a failure adds to.
    enum Guesser: Sendable {
        /// Somebody of whom nothing is known but the name that was typed and the address.
        case stranger(account: String, address: String)
        /// A device or a session that a user has signed in with, or a link that an owner made: it counts for itself.
        case known(String)
    }

    /// By the steady clock: setting the machine's neither ends a wait nor makes it longer.
    private struct State {
        var accounts = BackoffTable(free: 5, maximumDelay: 60)
        /// On loopback: as slow as elsewhere, and a count apart.
        var nearAccounts = BackoffTable(free: 5, maximumDelay: 60)
        var known = BackoffTable(free: 5, maximumDelay: 60)
        var addresses = BackoffTable(free: 10, maximumDelay: 900)
        /// Mild, since at home everybody is in the same one.
        var networks = BackoffTable(free: 100, maximumDelay: 10)
    }

    /// A count, and the key in it.
    private typealias AttemptCount = (counts: WritableKeyPath<State, BackoffTable>, key: Data)

    private let clock: WallClock
    private let state = Mutex(State())
    /// Of no use to anybody who reads the hashes of what was typed into the wrong field.
    private let salt = SymmetricKey(size: .bits256)

    package init(clock: WallClock) {
        self.clock = clock
    }

    /// Whole seconds until the next try is allowed, nil when it is now. Asking does not count.
    package func wait(_ guesser: Guesser) -> Int? {
        let (tallies, now) = (self.tallies(of: guesser), clock.steady())
        return state.withLock { state in
            tallies.compactMap { state[keyPath: $0.counts].wait($0.key, at: now) }.max()
        }
    }

    /// Like `wait`; where the answer is nil the try is begun, and until it has `failed` or `succeeded` (30 s
    /// at most) it counts as a failure: many tries at once have no more luck than one after the other.
    package func begin(_ guesser: Guesser) -> Int? {
        let (tallies, now) = (self.tallies(of: guesser), clock.steady())
        return state.withLock { state in
            let wait = tallies.compactMap { state[keyPath: $0.counts].wait($0.key, at: now) }.max()
            if wait == nil { for (counts, key) in tallies { state[keyPath: counts].begin(key, at: now) } }
            return wait
        }
    }

    package func failed(_ guesser: Guesser) {
        let (tallies, now) = (self.tallies(of: guesser), clock.steady())
        state.withLock { state in
            for (counts, key) in tallies { state[keyPath: counts].failed(key, at: now) }
        }
    }

    /// The account's or the device's count begins anew, the address's does not: else a member could guess at others
    /// for ever.
    package func succeeded(_ guesser: Guesser) {
        gaveUp(guesser)
        state.withLock { state in
            switch guesser {
            case .stranger(let account, _):
                state.accounts.forget(key(account))
                state.nearAccounts.forget(key(account))
            case .known(let name): state.known.forget(key(name))
            }
        }
    }

    /// What was begun has neither failed nor succeeded: the password could not be compared.
    package func gaveUp(_ guesser: Guesser) {
        let (tallies, now) = (self.tallies(of: guesser), clock.steady())
        state.withLock { state in
            for (counts, key) in tallies { state[keyPath: counts].gaveUp(key, at: now) }
        }
    }

    /// Every count that a try touches.
    private func tallies(of guesser: Guesser) -> [AttemptCount] {
        switch guesser {
        case .known(let name): return [(\.known, key(name))]
        case .stranger(let account, let text):
            let address = ClientNetwork(text)
            return [
                (address.isLoopback ? \State.nearAccounts : \State.accounts, key(account)),
                (\.addresses, Data(address.neighbour.utf8)),
            ] + (address.network.map { [(\.networks, Data($0.utf8))] } ?? [])
        }
    }

    /// Case and surrounding space do not make another account.
    private func key(_ account: String) -> Data {
        let name = account.precomposedStringWithCompatibilityMapping.lowercased().trimmed
        return Data(HMAC<SHA256>.authenticationCode(for: Data(name.utf8), using: salt))
    }
}
