import RoostWeb
import Synchronization

/// The access log: off, standard output, or a file that can be opened again while requests are served.
final class AccessLogWriter: Sendable {
    private struct State {
        var path: String?
        var output: LineOutput?
        var isJSON = false
    }

    private let state = Mutex(State())
    /// Requests need no lock while the log is off.
    private let isOn = Atomic<Bool>(false)

    /// Throws `SettingsError` if the file cannot be written.
    init(_ path: String?, isJSON: Bool) throws {
        try open(path, isJSON: isJSON)
    }

    /// Continues with this file, which may have been moved by logrotate in the meantime. If it cannot be written, the
    /// log stays as it was, and this throws `SettingsError`.
    ///
    /// - Parameter path: nil for no log, "-" for standard output
    func open(_ path: String?, isJSON: Bool) throws {
        let output = try path.map(Self.output)
        let previous = state.withLock { state in
            defer { state = State(path: path, output: output, isJSON: isJSON) }
            return state.output
        }
        isOn.store(output != nil, ordering: .relaxed)
        previous?.flush()
    }

    func write(_ line: AccessLine) {
        guard isOn.load(ordering: .relaxed) else { return }
        let (output, isJSON) = state.withLock { ($0.output, $0.isJSON) }
        output?.write(isJSON ? line.json : line.text)
    }

    func flush() { state.withLock(\.output)?.flush() }

    private static func output(_ path: String) throws -> LineOutput {
        if path == "-" { return LineOutput(descriptor: 1, isBuffered: true) }
        guard let output = LineOutput(path: path) else {
            throw SettingsError("--access-log \(path) cannot be written.")
        }
        return output
    }
}
