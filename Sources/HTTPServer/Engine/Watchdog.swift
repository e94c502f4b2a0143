import CMicroHTTPD
import Glibc
import Synchronization

/// A thread that ends connections which libmicrohttpd would keep: slow requests, clients that do not read, and long
/// polls whose clients have left. libmicrohttpd's own timeout restarts with every byte.
final class Watchdog: Sendable {
    private let engine: Engine
    private let isStopped = Atomic<Bool>(false)
    private let thread = Mutex<pthread_t?>(nil)
    private let nextRelease = Atomic<UInt64>(0)
    /// In milliseconds, between two checks.
    private let interval: Int32

    init(_ engine: Engine) {
        self.engine = engine
        let limits = engine.limits
        let shortest = min(limits.crowdedTimeout, limits.receiveTimeout, limits.sendTimeout)
        interval = Int32(max(20, min(1_000, shortest / 4)))
    }

    func start() { thread.withLock { $0 = DedicatedThread.start(run) } }

    /// Waits for the thread to end, for at most one interval.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        engine.lingering.wake()
        thread.withLock { thread in
            if let thread { pthread_join(thread, nil) }
            thread = nil
        }
    }

    private func run() {
        var nextCheck = MonotonicTime.now
        while !isStopped.load(ordering: .relaxed) {
            waitForEvents()
            engine.lingering.drain()
            guard MonotonicTime.now >= nextCheck else { continue }
            checkConnections()
            nextCheck = MonotonicTime.now + UInt64(interval)
        }
        engine.lingering.closeAll()
    }

    private func waitForEvents() {
        let lingering = engine.lingering
        var polled = ([lingering.wakeUp] + lingering.sockets).map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        poll(&polled, UInt(polled.count), interval)
        var count: eventfd_t = 0
        eventfd_read(lingering.wakeUp, &count)
    }

    private func checkConnections() {
        let now = MonotonicTime.now
        let seen = engine.clients.map { (client: $0, phase: $0.phase) }
        for (client, phase) in seen {
            switch phase.kind {
            case .waiting: break
            case .fresh, .idle:
                client.noticeArrival(seen: phase, receiveTimeout: engine.limits.receiveTimeout)
                fallthrough
            case .receiving, .sending:
                // Unless something has arrived or been sent since.
                if now > phase.deadline, client.phase == phase { client.cutOffNow() }
            }
        }
        detectClosedClients(seen)
        releaseMemory()
    }

    /// libmicrohttpd does not watch a suspended connection, and misses a close that arrives together with data.
    private func detectClosedClients(_ seen: [(client: ClientConnection, phase: ConnectionPhase)]) {
        guard !seen.isEmpty else { return }
        let maximumUnread = engine.configuration.tls == nil ? 0 : TLSSession.maximumClosingAlertBytes
        var polled = seen.map {
            pollfd(fd: $0.client.socketToPoll, events: Int16(mhdshim_peer_closed), revents: 0)
        }
        poll(&polled, UInt(polled.count), 0)
        for (entry, result) in zip(seen, polled) where result.revents != 0 {
            switch entry.phase.kind {
            case .waiting: entry.client.waiting?.clientLeft()
            case .fresh, .idle, .receiving:
                entry.client.noticeEnd(seen: entry.phase, maximumUnread: maximumUnread)
            // The client may have closed only its sending half and still read the answer.
            case .sending: break
            }
        }
    }

    private func releaseMemory() {
        let now = MonotonicTime.now
        guard now >= nextRelease.load(ordering: .relaxed) else { return }
        FreedMemory.release()
        nextRelease.store(now + 60_000, ordering: .relaxed)
    }
}
