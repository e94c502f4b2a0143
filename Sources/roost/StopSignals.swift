import Dispatch
import Foundation

/// The wish to stop: SIGTERM from a supervisor, SIGINT from a keyboard. From `init()` on none is lost, however soon it comes.
struct StopSignals {
    private let heard: Int32

    init() {
        Self.ignoreOthers()
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0, "there is no pipe for the wish to stop")
        (heard, told) = (ends[0], ends[1])
        _ = fcntl(told, F_SETFL, O_NONBLOCK)
        for number in [SIGTERM, SIGINT] {
            // Of the little that a signal's handler may do; what it interrupts may be about to read `errno`.
            signal(number) { _ in
                let before = errno
                write(told, "!", 1)
                errno = before
            }
        }
    }

    /// Ignores the signals that would end the program although no one asked it to stop: a closed terminal, a supervisor's reload, a
    /// client that leaves, a limit on file sizes (the write fails then). Stopping at such a moment would skip the clean stop.
    static func ignoreOthers() {
        for number in [SIGHUP, SIGUSR1, SIGUSR2, SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    }

    /// Returns when one of them has come, or came before.
    func wait() async {
        let (stopRequests, continuation) = AsyncStream.makeStream(of: Void.self)
        let source = DispatchSource.makeReadSource(fileDescriptor: heard, queue: .global())
        source.setEventHandler { continuation.yield() }
        source.resume()
        for await _ in stopRequests { break }
        source.cancel()
    }
}

/// The end of the pipe into which the handlers write.
///
/// Unchecked, and safe: written once, by the only `init()` of a program and before the handlers that read it are set;
/// never closed.
nonisolated(unsafe) private var told: Int32 = -1
