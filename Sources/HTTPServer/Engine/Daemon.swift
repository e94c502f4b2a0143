import CMicroHTTPD
import Glibc

/// libmicrohttpd's daemon for an engine, with the watchdog beside it.
///
/// Unchecked, and safe: every property is a constant; `pointer` and `log` are read by `stop` alone, `listening` by
/// `quiesce` alone, and `Server` runs one `Shutdown` at most, which calls each of the two once, `quiesce` first.
/// `MHD_stop_daemon` may be called from any thread that is not libmicrohttpd's own.
final class Daemon: @unchecked Sendable {
    let engine: Engine
    let address: String
    private let listening: Int32
    private let pointer: OpaquePointer
    private let log: UnsafeMutablePointer<mhdshim_log>
    private let watchdog: Watchdog

    /// Binds, listens and serves; throws `ServerError`.
    init(_ engine: Engine) throws {
        let listening = try ListenSocket(engine.configuration.address)
        self.engine = engine
        address = listening.address
        self.listening = listening.socket
        log = .allocate(capacity: 1)
        // The +1 ends in `stop`, or below.
        let retained = Unmanaged.passRetained(engine)
        log.initialize(to: mhdshim_log(line: messageLogged, cls: retained.toOpaque()))
        var settings = Self.settings(engine, socket: listening.socket)
        settings.log = log
        settings.cls = retained.toOpaque()
        FreedMemory.keep()
        guard let daemon = Self.start(&settings, engine.configuration.tls) else {
            retained.release()
            log.deallocate()
            close(listening.socket)
            throw ServerError.system("libmicrohttpd did not start; the log may say why.")
        }
        pointer = daemon
        watchdog = Watchdog(engine)
        watchdog.start()
    }

    /// The texts need not outlive the start.
    private static func start(_ settings: inout mhdshim_settings, _ tls: TLSIdentity?) -> OpaquePointer? {
        guard let tls else { return mhdshim_start(&settings) }
        settings.flags |= MHD_USE_TLS.rawValue
        return tls.certificate.withCString { certificate in
            tls.key.withCString { key in
                settings.certificate = certificate
                settings.key = key
                defer { (settings.certificate, settings.key) = (nil, nil) }
                return mhdshim_start(&settings)
            }
        }
    }

    private static func settings(_ engine: Engine, socket: Int32) -> mhdshim_settings {
        let threads = max(1, engine.configuration.threads)
        let maximum = engine.limits.connections + engine.limits.reserve + 16
        var settings = mhdshim_settings()
        settings.flags =
            MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
            | MHD_USE_ERROR_LOG.rawValue | MHD_USE_ITC.rawValue
        settings.listen_fd = socket
        settings.threads = UInt32(threads)
        // Divided among the threads, which accept unevenly: each must be able to hold all of them.
        settings.connection_limit = UInt32(maximum * threads)
        settings.idle_seconds = UInt32(max(1, (engine.limits.idleTimeout + 999) / 1_000))
        settings.connection_memory = engine.configuration.connectionMemory
        settings.accept = accept
        settings.access = requestAdvanced
        settings.completed = requestCompleted
        settings.connection = connectionChanged
        settings.uri = requestBegan
        return settings
    }

    /// Refuses new connections from now on.
    ///
    /// The listening socket is exchanged for one that is not bound: the kernel takes the old one out of the threads'
    /// epoll sets and frees the port. `MHD_quiesce_daemon` would do it with a race in it (0.9.75): a thread of its own
    /// that is quicker to take the socket out of its set makes it abort the process.
    func quiesce() {
        engine.isStopping = true
        let unbound = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard unbound >= 0 else { return }
        dup2(unbound, self.listening)
        close(unbound)
    }

    /// Blocks until libmicrohttpd's threads have ended, and closes the socket. No connection may be suspended. Once
    /// only.
    func stop() {
        // Closes the listening socket as well.
        MHD_stop_daemon(pointer)
        watchdog.stop()
        log.deallocate()
        Unmanaged.passUnretained(engine).release()
    }
}
