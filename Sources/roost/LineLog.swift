import Foundation
import Logging
import RoostSupport
import TextFormats

/// Writes log events as single lines of text or JSON.
struct LineLog: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    let isJSON: Bool
    let output: LineOutput
    /// Values to redact from every line.
    let secrets: SecretRedactor

    init(
        level: Logger.Level, isJSON: Bool, output: LineOutput, secrets: SecretRedactor = SecretRedactor()
    ) {
        logLevel = level
        self.isJSON = isJSON
        self.output = output
        self.secrets = secrets
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let time = ISO8601.seconds(Date())
        let details = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        if isJSON {
            // Redacted first, because JSON escaping would change a secret's characters.
            var object = ["time": time, "level": event.level.rawValue]
            object["message"] = secrets.redacted(inLine: "\(event.message)")
            for (key, value) in details { object[key] = secrets.redacted(inLine: "\(value)") }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let line = (try? encoder.encode(object)).map { String(decoding: $0, as: UTF8.self) }
            output.write(line ?? "{}")
        } else {
            let tail = details.map { " \($0.key)=\(Self.oneLine("\($0.value)"))" }.joined()
            let line = "\(time) \(event.level) \(Self.oneLine("\(event.message)"))\(tail)"
            output.write(secrets.redacted(inLine: line))
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
