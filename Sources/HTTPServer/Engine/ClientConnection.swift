import CGnuTLS
import CMicroHTTPD
import Glibc
import Synchronization
import TextFormats

final class ClientConnection: Sendable {
    let peer: IPAddress
    /// True beyond the connection limit: the first request is answered 503.
    let isRefused: Bool
    /// The request whose end libmicrohttpd has not reported yet.
    ///
    /// `nonisolated(unsafe)` is safe: only libmicrohttpd's callbacks for this connection use it, which run one after
    /// the other on one thread.
    nonisolated(unsafe) var unfinished: Unmanaged<Exchange>?
    private let socket: Int32
    /// Keeps them alive for the TLS session.
    private let credentials: TLSCredentials?
    private let phaseWord: Atomic<UInt64>
    private let cutOff = Atomic<Bool>(false)
    private let lingers = Atomic<Bool>(false)
    /// The bytes received when the watchdog first saw the current pause, or `unknown`.
    private let bytesAtPause = Atomic<UInt64>(unknown)
    private let state = Mutex(State())

    private static let unknown = UInt64.max

    private struct State {
        /// libmicrohttpd closes the socket after notifying us; then another file may get its number.
        var isClosed = false
        var waiting: (any SuspendedWork)?
        /// True while libmicrohttpd is being stopped: nothing may be suspended any more.
        var isEnding = false
        var end: End?
    }

    private struct End: Equatable {
        let phase: ConnectionPhase
        let unread: Int32
    }

    init(
        socket: Int32, peer: IPAddress, isRefused: Bool, deadline: UInt64, credentials: TLSCredentials? = nil
    ) {
        self.socket = socket
        self.credentials = credentials
        self.peer = peer
        self.isRefused = isRefused
        phaseWord = Atomic(ConnectionPhase(.fresh, deadline: deadline).word)
        bytesAtPause.store(0, ordering: .relaxed)
    }

    var phase: ConnectionPhase { ConnectionPhase(word: phaseWord.load(ordering: .relaxed)) }

    var wasCutOff: Bool { cutOff.load(ordering: .relaxed) }

    func enter(_ phase: ConnectionPhase) { phaseWord.store(phase.word, ordering: .relaxed) }

    func enter(_ kind: ConnectionPhase.Kind, for duration: UInt64) {
        enter(ConnectionPhase(kind, deadline: MonotonicTime.now + duration))
    }

    /// Called after the request line; the watchdog may have set the deadline before, at the first bytes.
    func beginReceiving(for duration: UInt64) {
        if phase.kind != .receiving { enter(.receiving, for: duration) }
    }

    func becomeIdle(for duration: UInt64) {
        bytesAtPause.store(Self.unknown, ordering: .relaxed)
        enter(.idle, for: duration)
    }

    /// Starts the timeout for receiving when bytes arrive although no request line is complete.
    func noticeArrival(seen phase: ConnectionPhase, receiveTimeout: UInt64) {
        state.withLock { state in
            guard !state.isClosed else { return }
            let bytes = mhdshim_bytes_received(socket)
            let before = bytesAtPause.load(ordering: .relaxed)
            if before == Self.unknown { return bytesAtPause.store(bytes, ordering: .relaxed) }
            guard bytes > before else { return }
            let receiving = ConnectionPhase(.receiving, deadline: MonotonicTime.now + receiveTimeout)
            _ = phaseWord.compareExchange(
                expected: phase.word, desired: receiving.word, ordering: .relaxed)
        }
    }

    /// Closes the connection if the client has ended it and everything sent is read, except for a TLS closing alert of
    /// at most `maximumUnread` bytes. Acts only when two checks in a row find the same, because libmicrohttpd may be about to
    /// answer.
    func noticeEnd(seen phase: ConnectionPhase, maximumUnread: Int) {
        state.withLock { state in
            guard !state.isClosed else { return }
            let unread = mhdshim_bytes_unread(socket)
            guard unread <= maximumUnread else { return }
            let end = End(phase: phase, unread: unread)
            if state.end == end { shutdown(socket, Int32(SHUT_RDWR)) }
            state.end = end
        }
    }

    func cutOffNow() {
        state.withLock { state in
            guard !state.isClosed else { return }
            cutOff.store(true, ordering: .relaxed)
            shutdown(socket, Int32(SHUT_RDWR))
        }
    }

    func reset() {
        state.withLock { state in
            if !state.isClosed { mhdshim_reset(socket) }
        }
    }

    /// Lets the connection linger: after the last answer, remaining input is read and dropped. Closing immediately
    /// would reset the connection, and the client would lose the answer.
    func lingerAtClose() { lingers.store(true, ordering: .relaxed) }

    /// Returns a copy of the socket if it must linger. The original number must not be used afterwards.
    func close() -> Int32? {
        state.withLock { state in
            state.isClosed = true
            state.waiting = nil
        }
        guard lingers.load(ordering: .relaxed), !wasCutOff else { return nil }
        let copy = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        return copy < 0 ? nil : copy
    }

    /// Writes directly to the socket, because libmicrohttpd cannot answer in the middle of a body. Returns true if
    /// everything was sent.
    ///
    /// - Parameter session: the TLS session, which is valid only in the connection's callbacks
    func sendDirectly(_ bytes: [UInt8], over session: UnsafeMutableRawPointer?) -> Bool {
        if let session { return TLSSession(session).send(bytes) }
        return state.withLock { state in
            !state.isClosed
                && send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) == bytes.count
        }
    }

    /// Shuts down sending, also for libmicrohttpd.
    ///
    /// - Parameter session: as in `sendDirectly`
    func endSending(over session: UnsafeMutableRawPointer?) {
        if let session { TLSSession(session).endSending() }
        state.withLock { state in
            if !state.isClosed { shutdown(socket, Int32(SHUT_WR)) }
        }
    }

    var waiting: (any SuspendedWork)? { state.withLock { $0.waiting } }

    /// Suspends the connection until the work is done. After `endWaiting`, returns false without suspending.
    func wait(for work: any SuspendedWork, suspend: () -> Void) -> Bool {
        state.withLock { state in
            guard !state.isEnding else { return false }
            state.waiting = work
            suspend()
            return true
        }
    }

    func stopWaiting() { state.withLock { $0.waiting = nil } }

    /// Prevents further suspensions and returns the current one.
    func endWaiting() -> (any SuspendedWork)? {
        state.withLock { state in
            state.isEnding = true
            return state.waiting
        }
    }

    /// For the watchdog's poll. The socket may have been closed and its number reused; then the poll's result is
    /// harmless, because the waiting work is over and ignores it.
    var socketToPoll: Int32 { socket }
}

/// The activity of a connection and its deadline, packed into one word so that libmicrohttpd's threads write it and the
/// watchdog reads it without a lock.
struct ConnectionPhase: Equatable {
    enum Kind: UInt64 {
        case fresh
        case idle
        case receiving
        /// A handler runs or a long poll waits.
        case waiting
        case sending
    }

    let word: UInt64

    init(word: UInt64) { self.word = word }

    /// - Parameter deadline: in milliseconds of `MonotonicTime`
    init(_ kind: Kind, deadline: UInt64) { word = min(deadline, UInt64.max >> 3) << 3 | kind.rawValue }

    static let waiting = ConnectionPhase(.waiting, deadline: .max)

    var kind: Kind { Kind(rawValue: word & 7) ?? .waiting }
    var deadline: UInt64 { word >> 3 }
}

/// Resumes a continuation once, even if signalled more often.
final class ConnectionOutcome: Sendable {
    private let continuation = Mutex<CheckedContinuation<Void, Never>?>(nil)

    func wait(_ waiting: CheckedContinuation<Void, Never>) { continuation.withLock { $0 = waiting } }

    func signal() {
        let waiting = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        waiting?.resume()
    }
}

/// libmicrohttpd's GnuTLS session of a connection, valid only during a callback.
struct TLSSession {
    private let pointer: gnutls_session_t

    /// In bytes, for a client's unread closing alert: a record of 5 bytes plus at most this much in any cipher suite
    /// (RFC 8446 section 5.2, RFC 5246 section 6.2.3).
    static let maximumClosingAlertBytes = 128

    init(_ session: UnsafeMutableRawPointer) { pointer = gnutls_session_t(session) }

    /// Sends without waiting; returns true if everything was sent.
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { gnutls_record_send(pointer, $0.baseAddress, $0.count) }
            guard sent > 0 else { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }

    func endSending() { _ = gnutls_bye(pointer, GNUTLS_SHUT_WR) }
}
