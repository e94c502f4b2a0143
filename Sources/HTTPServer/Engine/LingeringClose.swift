import CMicroHTTPD
import Glibc
import Synchronization

/// Keeps sockets open after the last answer, and reads and drops what the client still sends.
///
/// Closing them immediately would reset them, and the client would lose the answer (RFC 9112 section 9.6).
final class LingeringClose: Sendable {
    private struct Entry {
        let socket: Int32
        let deadline: UInt64
    }

    private static let maximumDuration: UInt64 = 3_000
    private static let maximum = 256
    private static let readsPerTurn = 64

    private let entries = Mutex<[Entry]>([])
    let wakeUp = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))

    deinit {
        closeAll()
        Glibc.close(wakeUp)
    }

    /// Takes ownership of the socket.
    func add(_ socket: Int32) {
        shutdown(socket, Int32(SHUT_WR))
        let isAccepted = entries.withLock { entries in
            guard entries.count < Self.maximum else { return false }
            entries.append(Entry(socket: socket, deadline: MonotonicTime.now + Self.maximumDuration))
            return true
        }
        if isAccepted { wake() } else { Glibc.close(socket) }
    }

    func wake() { eventfd_write(wakeUp, 1) }

    var sockets: [Int32] { entries.withLock { $0.map(\.socket) } }

    func drain() {
        let now = MonotonicTime.now
        entries.withLock { entries in
            entries.removeAll { entry in
                let isOver = now > entry.deadline || Self.isAtEnd(entry.socket)
                if isOver { Glibc.close(entry.socket) }
                return isOver
            }
        }
    }

    func closeAll() {
        entries.withLock { entries in
            for entry in entries { Glibc.close(entry.socket) }
            entries = []
        }
    }

    private static func isAtEnd(_ socket: Int32) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
            for _ in 0..<readsPerTurn {
                let count = recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                if count <= 0 { return count == 0 || (errno != EAGAIN && errno != EINTR) }
            }
            return false
        }
    }
}
