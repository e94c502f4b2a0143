import Crypto
import Foundation
import Synchronization

/// Makes guessing passwords slow, by account and by address, with delays that grow.
///
/// From loopback an account has a count of its own with a short delay, and the address none: whoever guesses
/// from elsewhere, or through the same machine, cannot keep the owner out there.
package final class SignInThrottle: Sendable {
    /// By the steady clock: setting the machine's neither ends a wait nor makes it longer.
    private struct State {
        var accounts = FailureCounts(free: 5, longest: 60)
        var nearAccounts = FailureCounts(free: 5, longest: 5)
        var addresses = FailureCounts(free: 10, longest: 900)
        /// Mild, since at home everybody is in the same one.
        var networks = FailureCounts(free: 100, longest: 10)

        /// Every count that a try from there touches.
        func tallies(_ address: NetworkAddress, _ account: Data) -> [(
            WritableKeyPath<State, FailureCounts>, Data
        )] {
            guard !address.isLoopback else { return [(\.nearAccounts, account)] }
            return [(\.accounts, account), (\.addresses, Data(address.neighbour.utf8))]
                + (address.network.map { [(\.networks, Data($0.utf8))] } ?? [])
        }
    }

    private let clock: WallClock
    private let state = Mutex(State())
    /// Of no use to anybody who reads the hashes of what was typed into the wrong field.
    private let salt = SymmetricKey(size: .bits256)

    package init(clock: WallClock) {
        self.clock = clock
    }

    /// Whole seconds until the next try is allowed, nil when it is now. Asking does not count.
    package func wait(account: String, address: String) -> Int? {
        let (account, address, now) = (key(account), NetworkAddress(address), clock.steady())
        return state.withLock { state in
            state.tallies(address, account).compactMap { state[keyPath: $0].wait($1, at: now) }.max()
        }
    }

    /// Like `wait`; where the answer is nil the try is begun, and until it has `failed` or `succeeded` (30 s
    /// at most) it counts as a failure: many tries at once have no more luck than one after the other.
    package func begin(account: String, address: String) -> Int? {
        let (account, address, now) = (key(account), NetworkAddress(address), clock.steady())
        return state.withLock { state in
            let tallies = state.tallies(address, account)
            let wait = tallies.compactMap { state[keyPath: $0].wait($1, at: now) }.max()
            if wait == nil { for (counts, key) in tallies { state[keyPath: counts].begin(key, at: now) } }
            return wait
        }
    }

    package func failed(account: String, address: String) {
        let (account, address, now) = (key(account), NetworkAddress(address), clock.steady())
        state.withLock { state in
            for (counts, key) in state.tallies(address, account) {
                state[keyPath: counts].failed(key, at: now)
            }
        }
    }

    /// The account's count begins anew, the address's does not: else a member could guess at others for ever.
    ///
    /// - Parameter address: Where the try had begun.
    package func succeeded(account: String, address: String? = nil) {
        if let address { gaveUp(account: account, address: address) }
        let account = key(account)
        state.withLock { state in
            state.accounts.forget(account)
            state.nearAccounts.forget(account)
        }
    }

    /// What was begun has neither failed nor succeeded: the password could not be compared.
    package func gaveUp(account: String, address: String) {
        let (account, address, now) = (key(account), NetworkAddress(address), clock.steady())
        state.withLock { state in
            for (counts, key) in state.tallies(address, account) {
                state[keyPath: counts].gaveUp(key, at: now)
            }
        }
    }

    /// Case and surrounding space do not make another account.
    private func key(_ account: String) -> Data {
        let name = account.precomposedStringWithCompatibilityMapping.lowercased().trimmed
        return Data(HMAC<SHA256>.authenticationCode(for: Data(name.utf8), using: salt))
    }
}
