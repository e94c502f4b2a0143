package import Logging
import Synchronization

/// Collects log lines for tests.
package final class LogCapture: Sendable {
    private let kept = Mutex<[String]>([])

    package init() {}

    /// Level, message and metadata of each line.
    package var lines: [String] { kept.withLock { $0 } }

    package var logger: Logger { Logger(label: "test") { _ in Handler(capture: self) } }

    fileprivate func keep(_ line: String) { kept.withLock { $0.append(line) } }

    private struct Handler: LogHandler {
        let capture: LogCapture
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            capture.keep("\(event.level): \(event.message) \(event.metadata ?? [:])")
        }
    }
}
