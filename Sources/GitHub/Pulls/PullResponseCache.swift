import Foundation
import RoostSupport
import Synchronization

/// GitHub's last answers with their ETags, in memory, for conditional requests.
///
/// Entries belong to one account. The least recently used ones are removed when the limit is reached.
final class PullResponseCache<Value: Sendable>: Sendable {
    struct Entry: Sendable {
        let value: Value
        let etag: String?
        fileprivate(set) var at: ContinuousClock.Instant
        fileprivate let bytes: Int
        fileprivate var lastUse: Int
    }

    private struct Key: Hashable {
        let account: GitHubAccountID
        let path: String
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var bytes = 0
        var uses = 0

        mutating func remove(_ key: Key) {
            if let entry = entries.removeValue(forKey: key) { bytes -= entry.bytes }
        }
    }

    private let maximumBytes: Int
    private let clock: WallClock
    private let state = Mutex(State())

    init(maximumBytes: Int, clock: WallClock) {
        self.maximumBytes = maximumBytes
        self.clock = clock
    }

    func entry(_ path: String, of account: GitHubAccountID) -> Entry? {
        state.withLock { state in
            let key = Key(account: account, path: path)
            state.uses += 1
            state.entries[key]?.lastUse = state.uses
            return state.entries[key]
        }
    }

    func contains(of account: GitHubAccountID, _ isWanted: (_ path: String, Value) -> Bool) -> Bool {
        state.withLock { state in
            state.entries.contains { $0.key.account == account && isWanted($0.key.path, $0.value.value) }
        }
    }

    /// Notes that GitHub has confirmed the entry.
    func confirm(_ path: String, of account: GitHubAccountID) {
        let now = clock.steady()
        state.withLock { $0.entries[Key(account: account, path: path)]?.at = now }
    }

    /// - Parameter bytes: the size in memory. An entry of more than a quarter of the limit is not kept.
    func put(_ value: Value, _ path: String, of account: GitHubAccountID, etag: String?, bytes: Int) {
        let now = clock.steady()
        let size = bytes + path.utf8.count + 200
        state.withLock { state in
            let key = Key(account: account, path: path)
            state.remove(key)
            guard size <= maximumBytes / 4 else { return }
            state.uses += 1
            state.entries[key] = Entry(value: value, etag: etag, at: now, bytes: size, lastUse: state.uses)
            state.bytes += size
            guard state.bytes > maximumBytes else { return }
            for (key, _) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse })
            where state.bytes > maximumBytes / 4 * 3 {
                state.remove(key)
            }
        }
    }

    func forget(_ account: GitHubAccountID) {
        state.withLock { state in
            for key in state.entries.keys.filter({ $0.account == account }) { state.remove(key) }
        }
    }
}
