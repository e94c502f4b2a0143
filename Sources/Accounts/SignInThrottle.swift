import Crypto
import Foundation
import RoostSupport
import Synchronization
import TextFormats

/// Slows down password guessing, with growing delays for each account, address and network.
///
/// Guesses from other machines do not slow down loopback, and strangers' guesses do not slow down a known device or
/// link.
final class SignInThrottle: Sendable {
    enum Guesser: Sendable {
        case anonymous(account: String, address: String)
        /// A device or session that the user has signed in with, or a link that an owner made. It has a count of its
        /// own.
        case identified(String)
    }

    private struct State {
        var accounts = BackoffTable(free: 5, maximumDelay: 60)
        /// Sign-ins from loopback: just as slow, but counted separately.
        var loopbackAccounts = BackoffTable(free: 5, maximumDelay: 60)
        var identified = BackoffTable(free: 5, maximumDelay: 60)
        var addresses = BackoffTable(free: 10, maximumDelay: 900)
        /// Lenient, since everyone at home shares a network.
        var networks = BackoffTable(free: 100, maximumDelay: 10)
    }

    private typealias AttemptCounter = (counts: WritableKeyPath<State, BackoffTable>, key: Data)

    private let clock: WallClock
    private let state = Mutex(State())
    /// Keys are hashed, since a typed name may be a password in the wrong field.
    private let salt = SymmetricKey(size: .bits256)

    package init(clock: WallClock) {
        self.clock = clock
    }

    /// Whole seconds until the next try is allowed, or nil if it is allowed now. Does not count as a try.
    package func wait(_ guesser: Guesser) -> Int? {
        let (attemptCounts, now) = (self.attemptCounts(of: guesser), clock.steady())
        return state.withLock { state in
            attemptCounts.compactMap { state[keyPath: $0.counts].wait($0.key, at: now) }.max()
        }
    }

    /// Like `wait`, but also begins a try if it returns nil. Until it has `failed` or `succeeded` (30 s at most), the
    /// try counts as a failure, so parallel tries have no advantage.
    package func begin(_ guesser: Guesser) -> Int? {
        let (attemptCounts, now) = (self.attemptCounts(of: guesser), clock.steady())
        return state.withLock { state in
            let wait = attemptCounts.compactMap { state[keyPath: $0.counts].wait($0.key, at: now) }.max()
            if wait == nil {
                for (counts, key) in attemptCounts { state[keyPath: counts].begin(key, at: now) }
            }
            return wait
        }
    }

    package func failed(_ guesser: Guesser) {
        let (attemptCounts, now) = (self.attemptCounts(of: guesser), clock.steady())
        state.withLock { state in
            for (counts, key) in attemptCounts { state[keyPath: counts].failed(key, at: now) }
        }
    }

    /// Resets the count of the account or device, but not of the address: otherwise a member could keep guessing at
    /// other accounts.
    package func succeeded(_ guesser: Guesser) {
        gaveUp(guesser)
        state.withLock { state in
            switch guesser {
            case .anonymous(let account, _):
                state.accounts.forget(key(account))
                state.loopbackAccounts.forget(key(account))
            case .identified(let name): state.identified.forget(key(name))
            }
        }
    }

    /// Ends a try without a result, because the password could not be compared.
    package func gaveUp(_ guesser: Guesser) {
        let (attemptCounts, now) = (self.attemptCounts(of: guesser), clock.steady())
        state.withLock { state in
            for (counts, key) in attemptCounts { state[keyPath: counts].gaveUp(key, at: now) }
        }
    }

    private func attemptCounts(of guesser: Guesser) -> [AttemptCounter] {
        switch guesser {
        case .identified(let name): return [(\.identified, key(name))]
        case .anonymous(let account, let text):
            let address = IPAddress(client: text)
            // One client can use any number of the addresses of its /64, the first 16 digits, but at home all devices
            // share it.
            let host = Data((address?.hexadecimal ?? text).utf8)
            return [
                (address?.isLoopback == true ? \State.loopbackAccounts : \State.accounts, key(account)),
                (\.addresses, host),
            ] + (address?.isIPv4 == false ? [(\.networks, Data(host.prefix(16)))] : [])
        }
    }

    private func key(_ account: String) -> Data {
        let name = account.precomposedStringWithCompatibilityMapping.lowercased().trimmed
        return Data(HMAC<SHA256>.authenticationCode(for: Data(name.utf8), using: salt))
    }
}
