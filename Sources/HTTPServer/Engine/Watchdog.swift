import CMicroHTTPD
import Glibc
import Synchronization

/// A thread that ends what libmicrohttpd would wait for: requests that drip, clients that do not read,
/// pollers that have left. libmicrohttpd's own timeout starts anew with every byte.
final class Watchdog: Sendable {
    private let engine: Engine
    private let isStopped = Atomic<Bool>(false)
    private let thread = Mutex<pthread_t?>(nil)
    /// When freed memory is given back to the system next.
    private let nextGiving = Atomic<UInt64>(0)
    /// Milliseconds between two looks.
    private let interval: Int32

    init(_ engine: Engine) {
        self.engine = engine
        let limits = engine.limits
        let shortest = min(limits.idleTimeout, limits.receiveTimeout, limits.sendTimeout)
        interval = Int32(max(20, min(1_000, shortest / 4)))
    }

    func start() { thread.withLock { $0 = DedicatedThread.start(run) } }

    /// Waits for the thread's end; blocks for at most one look.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        engine.lingering.wake()
        thread.withLock { thread in
            if let thread { pthread_join(thread, nil) }
            thread = nil
        }
    }

    private func run() {
        var nextLook = MonotonicTime.now
        while !isStopped.load(ordering: .relaxed) {
            waitForNews()
            engine.lingering.drain()
            guard MonotonicTime.now >= nextLook else { continue }
            look()
            nextLook = MonotonicTime.now + UInt64(interval)
        }
        engine.lingering.closeAll()
    }

    private func waitForNews() {
        let lingering = engine.lingering
        var polled = ([lingering.wakeUp] + lingering.sockets).map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        poll(&polled, UInt(polled.count), interval)
        var count: eventfd_t = 0
        eventfd_read(lingering.wakeUp, &count)
    }

    private func look() {
        let now = MonotonicTime.now
        let seen = engine.clients.map { (client: $0, phase: $0.phase) }
        for (client, phase) in seen {
            switch phase.kind {
            case .waiting: break
            case .fresh, .idle:
                client.noticeArrival(seen: phase, receiveTimeout: engine.limits.receiveTimeout)
                fallthrough
            case .receiving, .sending:
                if now > phase.deadline { client.cutOffNow() }
            }
        }
        lookForTheGone(seen)
        giveMemoryBack()
    }

    /// libmicrohttpd does not watch a suspended connection, and misses an end that comes together with data.
    private func lookForTheGone(_ seen: [(client: ClientConnection, phase: ConnectionPhase)]) {
        guard !seen.isEmpty else { return }
        let farewell = engine.configuration.tls == nil ? 0 : TLSSession.maximumFarewell
        var polled = seen.map {
            pollfd(fd: $0.client.socketToPoll, events: Int16(mhdshim_peer_closed), revents: 0)
        }
        poll(&polled, UInt(polled.count), 0)
        for (entry, result) in zip(seen, polled) where result.revents != 0 {
            switch entry.phase.kind {
            case .waiting: entry.client.waiting?.clientLeft()
            case .fresh, .idle, .receiving: entry.client.noticeEnd(seen: entry.phase, farewell: farewell)
            // Perhaps only the sending half is closed, and the answer still read.
            case .sending: break
            }
        }
    }

    /// Once a minute: the allocator keeps what answers and closed connections freed (`FreedMemory`).
    private func giveMemoryBack() {
        let now = MonotonicTime.now
        guard now >= nextGiving.load(ordering: .relaxed) else { return }
        FreedMemory.giveBack()
        nextGiving.store(now + 60_000, ordering: .relaxed)
    }
}
