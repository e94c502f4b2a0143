import Glibc

package enum DetachedThread {
    private final class Work: Sendable {
        let niceness: Int32
        let body: @Sendable () -> Void

        init(_ niceness: Int32, _ body: @escaping @Sendable () -> Void) {
            self.niceness = niceness
            self.body = body
        }
    }

    /// Runs the body on a new thread, for work that blocks for minutes. Throws `RoostError.unavailable` if the system
    /// cannot create one.
    package static func run<Value: Sendable>(
        niceness: Int32 = 10, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { answer in
            let isStarted = start(niceness: niceness) { answer.resume(with: Result { try body() }) }
            if !isStarted {
                answer.resume(
                    throwing: RoostError.unavailable("Roost is busy. Please try again in a moment."))
            }
        }
    }

    /// Runs the body on a new thread; returns false if the system cannot create one.
    ///
    /// - Parameter niceness: from 0 (normal) to 19 (lowest priority)
    static func start(niceness: Int32, _ body: @escaping @Sendable () -> Void) -> Bool {
        // The thread releases this reference, or the code below if there is no thread.
        let work = Unmanaged.passRetained(Work(niceness, body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                if let context {
                    DetachedThread.run(Unmanaged<Work>.fromOpaque(context).takeRetainedValue())
                }
                return nil
            }, work.toOpaque())
        guard code == 0 else {
            work.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    private static func run(_ work: Work) {
        // Signals are handled by the program's other threads.
        var signals = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        // On Linux this affects only the calling thread (setpriority(2), C library/kernel differences).
        setpriority(Int32(PRIO_PROCESS.rawValue), 0, work.niceness)
        work.body()
    }
}
