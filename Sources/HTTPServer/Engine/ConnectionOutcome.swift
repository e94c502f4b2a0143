import Synchronization

/// Resumes a continuation once, however many say that it is time.
final class ConnectionOutcome: Sendable {
    private let continuation = Mutex<CheckedContinuation<Void, Never>?>(nil)

    func wait(_ waiting: CheckedContinuation<Void, Never>) { continuation.withLock { $0 = waiting } }

    func signal() {
        let waiting = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        waiting?.resume()
    }
}
