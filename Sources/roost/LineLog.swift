import Logging
import RoostSupport

/// Writes log events as single lines of text or JSON.
struct LineLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    private let style: LogStyle
    private let output: LineOutput
    /// Values to redact from every line.
    let secrets: SecretRedactor
    /// Overrides the style's level.
    private var ownLevel: Logger.Level?

    init(_ style: LogStyle, output: LineOutput, secrets: SecretRedactor = SecretRedactor()) {
        self.style = style
        self.output = output
        self.secrets = secrets
    }

    var logLevel: Logger.Level {
        get { ownLevel ?? style.level }
        set { ownLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let details = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        output.write(
            style.line(
                event.level, "\(event.message)", details.map { ($0.key, "\($0.value)") }, hiding: secrets))
    }
}
