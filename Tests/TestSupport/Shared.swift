import Synchronization

/// A value that several tasks of a test read and write.
package final class Shared<Value: Sendable>: Sendable {
    private let kept: Mutex<Value>

    package init(_ value: Value) {
        kept = Mutex(value)
    }

    package var value: Value { kept.withLock { $0 } }

    package func set(_ value: Value) { kept.withLock { $0 = value } }
}
