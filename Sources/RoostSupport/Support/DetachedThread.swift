import Glibc

/// A thread of our own.
enum DetachedThread {
    private final class Life: Sendable {
        let niceness: Int32
        let body: @Sendable () -> Void

        init(_ niceness: Int32, _ body: @escaping @Sendable () -> Void) {
            self.niceness = niceness
            self.body = body
        }
    }

    /// Runs the body on a new thread; false if the system gives none.
    ///
    /// - Parameter niceness: from 0, as the program's threads have it, to 19, which is the least right to a core
    static func start(niceness: Int32, _ body: @escaping @Sendable () -> Void) -> Bool {
        // The +1 ends on the thread, or below where there is none.
        let life = Unmanaged.passRetained(Life(niceness, body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                if let context {
                    DetachedThread.live(Unmanaged<Life>.fromOpaque(context).takeRetainedValue())
                }
                return nil
            }, life.toOpaque())
        guard code == 0 else {
            life.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    private static func live(_ life: Life) {
        // Signals are for the program's own threads.
        var signals = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        // On Linux this is the calling thread alone (setpriority(2), C library/kernel differences).
        setpriority(Int32(PRIO_PROCESS.rawValue), 0, life.niceness)
        life.body()
    }
}
