import Dispatch
import Foundation

/// Waits for SIGTERM (from a supervisor) or SIGINT (from a keyboard), and for SIGHUP if the program can reload. No
/// signal after `init()` is lost.
struct StopSignals {
    private let readEnd: Int32

    private static let reload = UInt8(ascii: "r")

    /// - Parameter canReload: if not, SIGHUP is ignored
    init(canReload: Bool = false) {
        Self.ignoreOtherSignals()
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0, "cannot create the pipe for stop signals")
        (readEnd, stopSignalWriteEnd) = (ends[0], ends[1])
        _ = fcntl(stopSignalWriteEnd, F_SETFL, O_NONBLOCK)
        for number in [SIGTERM, SIGINT] + (canReload ? [SIGHUP] : []) {
            // Only async-signal-safe calls. The interrupted code may be about to read `errno`.
            signal(number) { received in
                let savedErrno = errno
                write(stopSignalWriteEnd, received == SIGHUP ? "r" : "!", 1)
                errno = savedErrno
            }
        }
    }

    /// Ignores signals that would kill the program without a clean stop: a closed terminal, a supervisor's
    /// reload, a client that disconnects, a limit on file sizes (the write then fails).
    static func ignoreOtherSignals() {
        for number in [SIGHUP, SIGUSR1, SIGUSR2, SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    }

    /// Returns when a stop signal arrives, or immediately if one already has. Until then calls `reload` for each SIGHUP.
    func wait(reload: () async -> Void = {}) async {
        let (signals, continuation) = AsyncStream.makeStream(of: UInt8.self)
        let source = DispatchSource.makeReadSource(fileDescriptor: readEnd, queue: .global())
        source.setEventHandler { [readEnd] in
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = read(readEnd, &bytes, bytes.count)
            for byte in bytes.prefix(max(0, count)) { continuation.yield(byte) }
        }
        source.resume()
        for await signal in signals {
            guard signal == Self.reload else { break }
            await reload()
        }
        source.cancel()
    }
}

/// The write end of the signal handlers' pipe.
///
/// Unchecked but safe: the program's only `init()` sets it once, before it installs the handlers, and it is
/// never closed.
nonisolated(unsafe) private var stopSignalWriteEnd: Int32 = -1
