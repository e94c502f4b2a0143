import Dispatch
import Foundation

/// Waits for SIGTERM (from a supervisor) or SIGINT (from a keyboard). No signal after `init()` is lost.
struct StopSignals {
    private let readEnd: Int32

    init() {
        Self.ignoreOtherSignals()
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0, "cannot create the pipe for stop signals")
        (readEnd, stopSignalWriteEnd) = (ends[0], ends[1])
        _ = fcntl(stopSignalWriteEnd, F_SETFL, O_NONBLOCK)
        for number in [SIGTERM, SIGINT] {
            // Only async-signal-safe calls. The interrupted code may be about to read `errno`.
            signal(number) { _ in
                let savedErrno = errno
                write(stopSignalWriteEnd, "!", 1)
                errno = savedErrno
            }
        }
    }

    /// Ignores signals that would kill the program without a clean stop: a closed terminal, a supervisor's
    /// reload, a client that disconnects, a limit on file sizes (the write then fails).
    static func ignoreOtherSignals() {
        for number in [SIGHUP, SIGUSR1, SIGUSR2, SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    }

    /// Returns when a signal arrives, or immediately if one already has.
    func wait() async {
        let (stopRequests, continuation) = AsyncStream.makeStream(of: Void.self)
        let source = DispatchSource.makeReadSource(fileDescriptor: readEnd, queue: .global())
        source.setEventHandler { continuation.yield() }
        source.resume()
        for await _ in stopRequests { break }
        source.cancel()
    }
}

/// The write end of the signal handlers' pipe.
///
/// Unchecked but safe: the program's only `init()` sets it once, before it installs the handlers, and it is
/// never closed.
nonisolated(unsafe) private var stopSignalWriteEnd: Int32 = -1
