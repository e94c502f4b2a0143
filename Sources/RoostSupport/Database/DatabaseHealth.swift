package import Logging
import Synchronization

/// Remembers whether the database file is damaged, as found by its own background check or by a request.
///
/// It stays damaged until Roost restarts with a sound file.
package final class DatabaseHealth: Service {
    private let path: String
    private let log: Logger
    private let damaged = Mutex(false)

    package init(path: String, log: Logger) {
        self.path = path
        self.log = log
    }

    package var isDamaged: Bool { damaged.withLock { $0 } }

    package func noteDamage(_ detail: String) {
        let wasDamaged = damaged.withLock { damaged in
            defer { damaged = true }
            return damaged
        }
        guard !wasDamaged else { return }
        log.error(
            """
            The database is damaged: \(path). Stop Roost and restore the last good backup: \
            roost restore FILE --force
            """,
            metadata: ["problem": "\(detail)"])
    }

    /// Checks the whole file. The log cannot be reset in the meantime.
    package func check() async throws {
        if let problem = try await DatabaseCheck.damage(at: path).first { noteDamage(problem) }
    }

    /// Checks at the start and then every five minutes. A large file is checked less often, but at least once a day.
    package func run() async {
        while !isDamaged, !Task.isCancelled {
            let duration = await ContinuousClock().measure {
                do { try await check() } catch {
                    if !Task.isCancelled {
                        log.warning("The database could not be checked", metadata: ["error": "\(error)"])
                    }
                }
            }
            try? await Task.sleep(for: min(max(duration * 500, .seconds(300)), .seconds(86_400)))
        }
    }
}
