package import Logging
import Synchronization

/// Remembers whether the database file is damaged, as found by its own background check or by a request, and notices
/// when its folder is moved or deleted.
///
/// It stays damaged until Roost restarts with a sound file.
package final class DatabaseHealth: Service {
    private let path: String
    private let log: Logger
    private let file: OpenedFile
    private let damaged = Mutex(false)
    private let missing = Mutex(false)

    package init(path: String, log: Logger) {
        self.path = path
        file = OpenedFile(path: path)
        self.log = log
    }

    package var isDamaged: Bool { damaged.withLock { $0 } }

    /// True while the opened file is not in its folder. Logs each change.
    package var isMissing: Bool {
        let isMissing = !file.isInPlace
        let wasMissing = missing.withLock { missing in
            defer { missing = isMissing }
            return missing
        }
        if isMissing, !wasMissing {
            log.error(
                """
                The data folder was moved or deleted. Nothing is saved until it is back; or restore a backup and \
                restart Roost.
                """, metadata: ["path": "\(path)"])
        } else if wasMissing, !isMissing {
            log.notice("The data folder is back.", metadata: ["path": "\(path)"])
        }
        return isMissing
    }

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
        guard !isMissing else { return }
        if let problem = try await DatabaseCheck.damage(at: path).first { noteDamage(problem) }
    }

    /// Checks the whole file at the start and then every five minutes, a large one less often, but at least once a day;
    /// and every five seconds whether it is there.
    package func run() async {
        async let watching: Void = watchFolder()
        await checkRepeatedly()
        await watching
    }

    private func watchFolder() async {
        while !Task.isCancelled {
            _ = isMissing
            try? await Task.sleep(for: .seconds(5))
        }
    }

    private func checkRepeatedly() async {
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
