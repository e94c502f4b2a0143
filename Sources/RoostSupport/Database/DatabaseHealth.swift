package import Logging
import Synchronization

/// Knows whether the database file is damaged: from a check in the background, or from a request that met the damage.
///
/// Damage is reported until Roost starts with a sound file.
package final class DatabaseHealth: Service {
    private let path: String
    private let log: Logger
    private let damaged = Mutex(false)

    package init(path: String, log: Logger) {
        self.path = path
        self.log = log
    }

    package var isDamaged: Bool { damaged.withLock { $0 } }

    /// - Parameter detail: for the log
    package func noteDamage(_ detail: String) {
        let wasDamaged = damaged.withLock { damaged in
            defer { damaged = true }
            return damaged
        }
        guard !wasDamaged else { return }
        log.error(
            "The database is damaged. Stop Roost and restore the last good backup.",
            metadata: ["problem": "\(detail)"])
    }

    /// Reads the whole file and notes what is damaged. A checkpoint cannot reset the log in the meantime.
    package func check() async throws {
        if let problem = try await DatabaseCheck.damage(at: path).first { noteDamage(problem) }
    }

    /// Checks at the start and then every five minutes; a large file is checked less often, at least once a day.
    package func run() async {
        while !isDamaged, !Task.isCancelled {
            let duration = await ContinuousClock().measure {
                do { try await check() } catch {
                    if !Task.isCancelled {
                        log.warning("The database could not be checked", metadata: ["error": "\(error)"])
                    }
                }
            }
            // At most a 500th of the time is spent on checks.
            try? await Task.sleep(for: min(max(duration * 500, .seconds(300)), .seconds(86_400)))
        }
    }
}
