import Glibc
import Synchronization

/// Stops a server in steps, each with a share of the time.
struct Shutdown {
    private let daemon: Daemon
    private let limit: Duration
    private let start = ContinuousClock.now

    init(_ daemon: Daemon, within limit: Duration) {
        self.daemon = daemon
        self.limit = limit
    }

    func run() async {
        daemon.quiesce()
        await wait(until: 0.6) { work in if work.isDeferred { _ = work.fail(.stopping) } }
        await wait(until: 0.8) { work in work.cancel() }
        await wait(until: 0.9) { work in _ = work.fail(.stopping) }
        await stopDaemon()
    }

    /// Waits until no work is pending and nothing is being sent, or the time is up. Calls `notify` repeatedly for all
    /// suspended work, because new work may begin.
    private func wait(until share: Double, _ notify: (any SuspendedWork) -> Void) async {
        repeat {
            let clients = daemon.engine.clients
            for client in clients { client.waiting.map(notify) }
            let isBusy = clients.contains { $0.phase.kind == .waiting || $0.phase.kind == .sending }
            guard isBusy else { return }
            try? await Task.sleep(for: .milliseconds(5))
        } while .now - start < limit * share
    }

    /// Runs on a separate thread, because it blocks until libmicrohttpd's threads have ended, and a handler may hold
    /// one.
    private func stopDaemon() async {
        // libmicrohttpd aborts the process if it is stopped with a suspended connection, or suspends one afterwards.
        while case let waiting = daemon.engine.clients.compactMap({ $0.endWaiting() }), !waiting.isEmpty {
            for work in waiting { _ = work.fail(.stopping) }
            try? await Task.sleep(for: .milliseconds(2))
        }
        let ended = ConnectionOutcome()
        await withCheckedContinuation { continuation in
            ended.wait(continuation)
            let thread = DedicatedThread.start {
                daemon.stop()
                ended.signal()
            }
            if let thread { pthread_detach(thread) }
            Task {
                try? await Task.sleep(for: max(limit - (.now - start), .milliseconds(500)))
                ended.signal()
            }
        }
    }
}
