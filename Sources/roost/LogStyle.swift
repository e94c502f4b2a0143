import Foundation
import Logging
import RoostSupport
import Synchronization
import TextFormats

/// The level and format of the log, which can change while the program runs.
final class LogStyle: Sendable {
    enum Format: Sendable {
        case text, json
        /// Text whose lines begin with their level, as `<3>`, for systemd's journal (sd-daemon(3)).
        case journal
    }

    private let state: Mutex<(level: Logger.Level, format: Format)>

    init(level: Logger.Level = .info, format: Format) {
        state = Mutex((level, format))
    }

    var level: Logger.Level { state.withLock { $0.level } }

    func change(level: Logger.Level, format: Format) {
        state.withLock { $0 = (level, format) }
    }

    /// Returns the line for an event.
    func line(
        _ level: Logger.Level, _ message: String, _ details: [(key: String, value: String)],
        hiding secrets: SecretRedactor
    ) -> String {
        let format = state.withLock { $0.format }
        if format == .json {
            // Redacted first, because JSON escaping would change a secret's characters.
            return Self.json(
                level, secrets.redacted(inLine: message),
                details.map { ($0.key, secrets.redacted(inLine: $0.value)) })
        }
        let tail = details.map { " \($0.key)=\(Self.oneLine($0.value))" }.joined()
        // The journal has its own time.
        let start = format == .journal ? Self.prefix(level) : ISO8601.seconds(Date()) + " "
        return start + secrets.redacted(inLine: "\(level) \(Self.oneLine(message))\(tail)")
    }

    /// Returns a line that is written at every level, as it is: the program's address and its setup link.
    func announcement(_ text: String) -> String {
        let format = state.withLock { $0.format }
        return switch format {
        case .text: text
        case .journal: Self.prefix(.notice) + text
        case .json: Self.json(.notice, text, [])
        }
    }

    static func json(
        _ level: Logger.Level, _ message: String, _ details: [(key: String, value: String)]
    ) -> String {
        var object = Dictionary(details.map { ($0.key, $0.value) }) { $1 }
        (object["time"], object["level"], object["message"]) = (
            ISO8601.seconds(Date()), level.rawValue, message
        )
        return (try? StableJSON.text(of: object)) ?? "{}"
    }

    private static func prefix(_ level: Logger.Level) -> String {
        switch level {
        case .trace, .debug: "<7>"
        case .info: "<6>"
        case .notice: "<5>"
        case .warning: "<4>"
        case .error: "<3>"
        case .critical: "<2>"
        }
    }

    /// Replaces control characters, so that foreign text cannot start a line of its own.
    static func oneLine(_ text: String) -> String {
        String(
            text.unicodeScalars.map { scalar in
                scalar.isControl ? " " : Character(scalar)
            })
    }
}

extension LogStyle.Format {
    /// - Parameter environment: with `JOURNAL_STREAM` if systemd connected standard error to its journal
    init(isJSON: Bool, environment: [String: String]) {
        self = isJSON ? .json : Self.isJournal(environment["JOURNAL_STREAM"]) ? .journal : .text
    }

    /// Returns true if standard error is the stream with this device and inode (systemd.exec(5)). A child process may
    /// have the variable and write elsewhere.
    private static func isJournal(_ stream: String?) -> Bool {
        var status = stat()
        guard let stream, fstat(2, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }
}
