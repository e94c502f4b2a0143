import CGnuTLS
import CMicroHTTPD
import Glibc
import Synchronization

/// One socket with a client at its other end, from accept to close.
final class ClientConnection: Sendable {
    let peer: PeerAddress
    /// Beyond the connection limit: its first request is answered 503.
    let isRefused: Bool
    /// The request whose end has not been told.
    ///
    /// Unchecked, and safe: used in libmicrohttpd's callbacks for this connection alone, one after the other on one thread.
    nonisolated(unsafe) var unfinished: Unmanaged<Exchange>?
    private let socket: Int32
    private let phaseWord: Atomic<UInt64>
    private let cutOff = Atomic<Bool>(false)
    private let lingers = Atomic<Bool>(false)
    /// Bytes that had arrived when the watchdog first saw the present pause; `unknown` before that.
    private let bytesAtPause = Atomic<UInt64>(unknown)
    private let state = Mutex(State())

    private static let unknown = UInt64.max

    private struct State {
        /// libmicrohttpd closes the socket after it has told us; from then on its number may be another's.
        var isClosed = false
        var waiting: (any SuspendedWork)?
        /// Nothing is suspended any more: libmicrohttpd is being stopped.
        var isEnding = false
        /// How the watchdog found that the client had ended the connection.
        var end: End?
    }

    private struct End: Equatable {
        let phase: ConnectionPhase
        let unread: Int32
    }

    init(socket: Int32, peer: PeerAddress, isRefused: Bool, deadline: UInt64) {
        self.socket = socket
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

    /// A request line has come; the watchdog may have seen its first bytes before, and set the deadline then.
    func beginReceiving(for duration: UInt64) {
        if phase.kind != .receiving { enter(.receiving, for: duration) }
    }

    func becomeIdle(for duration: UInt64) {
        bytesAtPause.store(Self.unknown, ordering: .relaxed)
        enter(.idle, for: duration)
    }

    /// Bytes come although no request line is complete: from now on the clock for receiving runs.
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

    /// The client has ended the connection, and what it sent is read, but for TLS's own farewell of so many bytes at
    /// most. Acts at the second look that finds the same, since libmicrohttpd may just be about to answer what came last.
    func noticeEnd(seen phase: ConnectionPhase, farewell: Int) {
        state.withLock { state in
            guard !state.isClosed else { return }
            let unread = mhdshim_bytes_unread(socket)
            guard unread <= farewell else { return }
            let end = End(phase: phase, unread: unread)
            if state.end == end { shutdown(socket, Int32(SHUT_RDWR)) }
            state.end = end
        }
    }

    /// Ends a connection that takes too long: libmicrohttpd then finds it closed.
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

    /// After the last answer, what the client still sends is read and dropped: closing at once would reset
    /// the connection, and the client would lose the answer.
    func lingerAtClose() { lingers.store(true, ordering: .relaxed) }

    /// Returns a copy of the socket if it must linger. Nothing touches the socket's own number afterwards.
    func close() -> Int32? {
        state.withLock { state in
            state.isClosed = true
            state.waiting = nil
        }
        guard lingers.load(ordering: .relaxed), !wasCutOff else { return nil }
        let copy = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        return copy < 0 ? nil : copy
    }

    /// Writes past libmicrohttpd, which cannot answer in the middle of a body; true if all of it went out.
    ///
    /// - Parameter session: the connection's TLS session, which is used in the connection's callbacks only
    func sendDirectly(_ bytes: [UInt8], over session: UnsafeMutableRawPointer?) -> Bool {
        if let session { return TLSSession(session).send(bytes) }
        return state.withLock { state in
            !state.isClosed
                && send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) == bytes.count
        }
    }

    /// Nothing more is sent, not even by libmicrohttpd.
    ///
    /// - Parameter session: as for `sendDirectly`
    func endSending(over session: UnsafeMutableRawPointer?) {
        if let session { TLSSession(session).endSending() }
        state.withLock { state in
            if !state.isClosed { shutdown(socket, Int32(SHUT_WR)) }
        }
    }

    /// What the suspended connection waits for.
    var waiting: (any SuspendedWork)? { state.withLock { $0.waiting } }

    /// Suspends the connection until the work is done; false, and not suspended, after `endWaiting`.
    func wait(for work: any SuspendedWork, suspend: () -> Void) -> Bool {
        state.withLock { state in
            guard !state.isEnding else { return false }
            state.waiting = work
            suspend()
            return true
        }
    }

    /// The connection has been resumed.
    func stopWaiting() { state.withLock { $0.waiting = nil } }

    /// Has the connection not be suspended any more, and returns what it waits for still.
    func endWaiting() -> (any SuspendedWork)? {
        state.withLock { state in
            state.isEnding = true
            return state.waiting
        }
    }

    /// For the watchdog's poll, which only looks: at worst at a number that was closed since, whose waiting
    /// work is then over and ignores the news.
    var socketToPoll: Int32 { socket }
}

/// What a connection is doing, and until when it may: packed into one word so that libmicrohttpd's threads
/// write it and the watchdog reads it without a lock.
struct ConnectionPhase: Equatable {
    enum Kind: UInt64 {
        /// Accepted; nothing has come yet.
        case fresh
        /// Between two requests.
        case idle
        case receiving
        /// The server's turn: a handler runs, or a long poll waits.
        case waiting
        case sending
    }

    let word: UInt64

    init(word: UInt64) { self.word = word }

    /// `deadline` in milliseconds of `MonotonicTime`.
    init(_ kind: Kind, deadline: UInt64) { word = min(deadline, UInt64.max >> 3) << 3 | kind.rawValue }

    static let waiting = ConnectionPhase(.waiting, deadline: .max)

    var kind: Kind { Kind(rawValue: word & 7) ?? .waiting }
    var deadline: UInt64 { word >> 3 }
}

/// Resumes a continuation once, however many say that it is time.
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

/// libmicrohttpd's GnuTLS session of one connection, lent for the length of a callback.
struct TLSSession {
    private let pointer: gnutls_session_t

    /// What a client may leave unread at its end: a closing alert is a record of 5 bytes and at most this with them in
    /// any cipher suite (RFC 8446 section 5.2, RFC 5246 section 6.2.3).
    static let maximumFarewell = 128

    init(_ session: UnsafeMutableRawPointer) { pointer = gnutls_session_t(session) }

    /// True if all of it went to the socket, without waiting.
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { gnutls_record_send(pointer, $0.baseAddress, $0.count) }
            guard sent > 0 else { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }

    /// Says that nothing more is sent.
    func endSending() { _ = gnutls_bye(pointer, GNUTLS_SHUT_WR) }
}
