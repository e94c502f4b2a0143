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

/// The configuration's limits in the units that the engine uses; times in milliseconds.
struct EngineLimits {
    let connections: Int
    /// Connections beyond our limit that may be open to be told so.
    let reserve: Int
    let idleTimeout: UInt64
    let receiveTimeout: UInt64
    let sendTimeout: UInt64
    /// How long a refused connection may take to send the request that is answered 503.
    let refusedTimeout: UInt64 = 5_000

    /// What an answer's head takes with the headers that all answers have; a handler adds a few, cookies among them.
    let answerHead: Int

    /// The body bytes of a refused request that are read and dropped so that the connection can go on.
    static let drainLimit = 262_144
    static let bodyWithoutExtraTime = 65_536
    /// Reading a larger body (an upload, an import) takes its time: libmicrohttpd's thread has other clients.
    static let bodyHandledAtOnce = 65_536
    /// Larger bodies get a second more for each so many bytes: 30 s are short for a photo over a slow line.
    static let slowestUpload = 32_768

    /// Raises the soft limit of open files, and lowers the connection limit to what it then allows.
    init(_ configuration: ServerConfiguration) {
        let wanted = max(1, configuration.connectionLimit)
        reserve = 64 + wanted / 32
        let files = Self.raiseOpenFiles(to: wanted + reserve + Self.otherFiles)
        connections = max(1, min(wanted, files - reserve - Self.otherFiles))
        answerHead = configuration.headers.reduce(512) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        idleTimeout = configuration.idleTimeout.milliseconds
        receiveTimeout = configuration.receiveTimeout.milliseconds
        sendTimeout = configuration.sendTimeout.milliseconds
    }

    /// For the database, upstream connections, log files and all else that the process opens.
    private static let otherFiles = 256

    private static func raiseOpenFiles(to wanted: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return wanted }
        if limit.rlim_cur < UInt(wanted) {
            let before = limit.rlim_cur
            limit.rlim_cur = min(UInt(wanted), limit.rlim_max)
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 { limit.rlim_cur = before }
        }
        return Int(clamping: limit.rlim_cur)
    }

    func receiveTimeout(forBodyOf bytes: Int) -> UInt64 {
        receiveTimeout + UInt64(max(0, bytes - Self.bodyWithoutExtraTime) / Self.slowestUpload) * 1_000
    }
}
