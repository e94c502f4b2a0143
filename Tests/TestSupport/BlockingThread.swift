import Glibc

/// A call of the operating system that failed, in its own words.
package struct SystemFailure: Error {
    package let words: String

    package init(code: Int32) {
        words = String(cString: strerror(code))
    }
}

/// Threads for what blocks: on Swift's own threads it would take those from the code under test.
package enum BlockingThread {
    /// Runs the body on a thread of its own.
    package static func start(_ body: @escaping @Sendable () -> Void) throws {
        // The box's +1 ends on the thread, or below where there is none.
        let box = Unmanaged.passRetained(Box(body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            }, box.toOpaque())
        guard code == 0 else {
            box.release()
            throw SystemFailure(code: code)
        }
        pthread_detach(thread)
    }

    private final class Box: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
