import Foundation
import Logging
import RoostSupport

/// Writes the log, and remembers its warnings and errors for the status page, whatever level is written.
struct RecentErrorLog: LogHandler {
    private var log: LineLog
    private let errors: RecentErrors

    init(_ log: LineLog, errors: RecentErrors) {
        self.log = log
        self.errors = errors
    }

    /// At most `warning`, because events below a handler's level never reach it.
    var logLevel: Logger.Level {
        get { min(log.logLevel, .warning) }
        set { log.logLevel = newValue }
    }

    var metadata: Logger.Metadata {
        get { log.metadata }
        set { log.metadata = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { log[metadataKey: key] }
        set { log[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        if event.level >= log.logLevel { log.log(event: event) }
        guard event.level >= .warning else { return }
        let details = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
            .map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
        errors.note(
            redacted("\(event.message)"), details: redacted(details), isError: event.level >= .error,
            at: Date())
    }

    private func redacted(_ text: String) -> String {
        LogStyle.oneLine(log.secrets.redacted(inLine: text))
    }
}
