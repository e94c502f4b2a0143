import Glibc

/// A thread of our own, for C that blocks: Swift's pool is as small as the machine has cores.
enum DedicatedThread {
    final class Work: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Nil if the system gives no thread. Joined or detached by the caller.
    static func start(_ run: @escaping @Sendable () -> Void) -> pthread_t? {
        // The +1 ends in `threadStarted`.
        let work = Unmanaged.passRetained(Work(run))
        var thread = pthread_t()
        guard pthread_create(&thread, nil, threadStarted, work.toOpaque()) == 0 else {
            work.release()
            return nil
        }
        return thread
    }
}
