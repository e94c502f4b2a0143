import Glibc

/// A system call that failed, with its error message.
package struct SystemFailure: Error {
    package let message: String

    package init(code: Int32) {
        message = String(cString: strerror(code))
    }
}

/// Threads for blocking calls, which on Swift's own threads would starve the code under test.
package enum BlockingThread {
    /// Runs the body on a thread of its own.
    package static func start(_ body: @escaping @Sendable () -> Void) throws {
        // The box's +1 is released on the thread, or below if the thread could not be made.
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
