import RoostSupport
import RoostWeb

/// The database file and its write-ahead log.
struct DatabaseFileCheck: Equatable, Sendable {
    enum State: Equatable, Sendable { case sound, missing, damaged }

    /// Far above the size at which Roost truncates the log.
    private static let maximumLogBytes = 128 << 20

    let path: String
    let state: State
    let bytes, logBytes: Int

    init(path: String, state: State, bytes: Int, logBytes: Int) {
        self.path = path
        self.state = state
        self.bytes = bytes
        self.logBytes = logBytes
    }

    /// - Parameter state: what the running server found; nil looks only whether the file is there
    init(folder: String, state: State? = nil) {
        path = folder + "/" + Database.fileName
        let size = FileFacts(path)?.bytes
        self.state = state ?? (size == nil ? .missing : .sound)
        bytes = size ?? 0
        logBytes = FileFacts(LogMark.path(ofDatabaseAt: path))?.bytes ?? 0
    }

    var finding: Finding {
        let subject = "Database"
        switch state {
        case .missing:
            return .problem(
                subject, "The database \(path) is missing.",
                remedy:
                    "Put the data folder back, or restore a backup with roost restore, and start Roost again."
            )
        case .damaged:
            return .problem(
                subject, "The database \(path) is damaged.",
                remedy: "Stop Roost and restore the last good backup: roost restore FILE --force.")
        case .sound: break
        }
        let sizes = "\(ByteCountText.of(bytes)), write-ahead log \(ByteCountText.of(logBytes))"
        guard logBytes <= Self.maximumLogBytes else {
            return .warning(
                subject, "The write-ahead log of \(path) has grown to \(ByteCountText.of(logBytes)).",
                remedy: "End other programs that read the database, or restart Roost.")
        }
        return .ok(subject, "\(path): \(sizes).")
    }
}
