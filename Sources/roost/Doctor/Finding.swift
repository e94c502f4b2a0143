/// The result of one check, on the status page and in the doctor's report.
struct Finding: Equatable, Sendable {
    enum Level: String, CaseIterable, Codable, Comparable, Sendable {
        case ok, warning, problem

        static func < (first: Level, second: Level) -> Bool { first.order < second.order }

        private var order: Int {
            switch self {
            case .ok: 0
            case .warning: 1
            case .problem: 2
            }
        }
    }

    let level: Level
    /// What was checked: "Disk".
    let subject: String
    /// A sentence without secrets. Times in it are ISO 8601 in UTC.
    let text: String
    /// What the operator should do, in one sentence; nil if all is well.
    let remedy: String?

    static func ok(_ subject: String, _ text: String) -> Finding {
        Finding(level: .ok, subject: subject, text: text, remedy: nil)
    }

    static func warning(_ subject: String, _ text: String, remedy: String) -> Finding {
        Finding(level: .warning, subject: subject, text: text, remedy: remedy)
    }

    static func problem(_ subject: String, _ text: String, remedy: String) -> Finding {
        Finding(level: .problem, subject: subject, text: text, remedy: remedy)
    }

    /// "problem  Disk: Only 12.0 MB of 40.0 GB are free in /data. Free space on this disk."
    var line: String {
        let padding = String(repeating: " ", count: max(0, 9 - level.rawValue.utf8.count))
        return LogStyle.oneLine(
            "\(level.rawValue)\(padding)\(subject): \(([text, remedy].compactMap(\.self)).joined(separator: " "))"
        )
    }
}
