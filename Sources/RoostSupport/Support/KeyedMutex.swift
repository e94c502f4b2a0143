import Synchronization

/// Lets one work at a time go ahead for each name; a name that nobody waits for is forgotten.
package final class KeyedMutex: Sendable {

    package init() {
    }
    private struct Place {
        let turns = PrioritySemaphore()
        var users = 0
    }

    private let places = Mutex<[String: Place]>([:])

    /// Throws `CancellationError`, without having done anything, when the task is cancelled while it waits.
    package func take<Value>(_ name: String, _ work: () async throws -> Value) async throws -> Value {
        let turns = places.withLock { places in
            places[name, default: Place()].users += 1
            return places[name]?.turns
        }
        defer {
            places.withLock { places in
                places[name]?.users -= 1
                if places[name]?.users == 0 { places[name] = nil }
            }
        }
        guard let turns else { return try await work() }
        return try await turns.take(work)
    }
}
