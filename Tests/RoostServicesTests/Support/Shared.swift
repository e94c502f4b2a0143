import Synchronization

/// A value that several tasks of a test read and write.
final class Shared<Value: Sendable>: Sendable {
    private let kept: Mutex<Value>

    init(_ value: Value) {
        kept = Mutex(value)
    }

    var value: Value { kept.withLock { $0 } }

    func set(_ value: Value) { kept.withLock { $0 = value } }
}
