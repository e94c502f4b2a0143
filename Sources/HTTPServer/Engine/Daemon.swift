import CMicroHTTPD
import Glibc

/// libmicrohttpd's daemon for an engine, with the watchdog beside it.
///
/// Unchecked: the pointers are constant, and libmicrohttpd takes `stop` from any thread.
final class Daemon: @unchecked Sendable {
    let engine: Engine
    let address: String
    private let pointer: OpaquePointer
    private let log: UnsafeMutablePointer<mhdshim_log>
    private let watchdog: Watchdog

    /// Binds, listens and serves; throws `ServerError`.
    init(_ engine: Engine) throws {
        let listening = try ListenSocket(engine.configuration.address)
        self.engine = engine
        address = listening.address
        log = .allocate(capacity: 1)
        // The +1 ends in `stop`, or below.
        let retained = Unmanaged.passRetained(engine)
        log.initialize(to: mhdshim_log(line: messageLogged, cls: retained.toOpaque()))
        var settings = Self.settings(engine, socket: listening.socket)
        settings.log = log
        settings.cls = retained.toOpaque()
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
        let most = engine.limits.connections + engine.limits.reserve + 16
        var settings = mhdshim_settings()
        settings.flags =
            MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
            | MHD_USE_ERROR_LOG.rawValue | MHD_USE_ITC.rawValue
        settings.listen_fd = socket
        settings.threads = UInt32(threads)
        // Divided among the threads, which accept unevenly: each must be able to hold all of them.
        settings.connection_limit = UInt32(most * threads)
        settings.idle_seconds = UInt32(max(1, (engine.limits.idleTimeout + 999) / 1_000))
        settings.connection_memory = engine.configuration.connectionMemory
        settings.accept = accept
        settings.access = requestAdvanced
        settings.completed = requestCompleted
        settings.connection = connectionChanged
        settings.uri = requestBegan
        return settings
    }

    /// Closes new connections at once from now on. Not `MHD_quiesce_daemon`: of version 0.9.75 it and a thread that is
    /// just awake both take the listening socket out of the same epoll set, and the second one aborts the process.
    func quiesce() { engine.isStopping = true }

    /// Blocks until libmicrohttpd's threads have ended. No connection may be suspended. Once only.
    func stop() {
        // Closes the listening socket as well.
        MHD_stop_daemon(pointer)
        watchdog.stop()
        log.deallocate()
        Unmanaged.passUnretained(engine).release()
    }
}
