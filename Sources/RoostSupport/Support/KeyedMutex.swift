import Synchronization

/// Runs one piece of work at a time for each name. Unused names are removed.
package final class KeyedMutex: Sendable {

    package init() {
    }
    private struct Entry {
        let turns = PrioritySemaphore()
        var users = 0
    }

    private let entries = Mutex<[String: Entry]>([:])

    /// Throws `CancellationError`, without running the work, if the task is cancelled while waiting.
    package func withLock<Value>(_ name: String, _ work: () async throws -> Value) async throws -> Value {
        let turns = entries.withLock { entries in
            entries[name, default: Entry()].users += 1
            return entries[name]?.turns
        }
        defer {
            entries.withLock { entries in
                entries[name]?.users -= 1
                if entries[name]?.users == 0 { entries[name] = nil }
            }
        }
        guard let turns else { return try await work() }
        return try await turns.run(work)
    }
}
