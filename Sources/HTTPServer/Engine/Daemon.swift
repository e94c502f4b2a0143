import CMicroHTTPD
import Glibc

/// libmicrohttpd's daemon for an engine, and the watchdog.
///
/// `@unchecked Sendable` is safe: all properties are constants. Only `stop` reads `pointer` and `log`, and only
/// `quiesce` reads `listening`. `Server` runs at most one `Shutdown`, which calls each of them once, `quiesce` first.
/// `MHD_stop_daemon` may be called from any thread except libmicrohttpd's own (StopTests: stopping twice, and under load).
final class Daemon: @unchecked Sendable {
    let engine: Engine
    let address: String
    private let listening: Int32
    private let pointer: OpaquePointer
    private let log: UnsafeMutablePointer<mhdshim_log>
    private let watchdog: Watchdog

    init(_ engine: Engine) throws {
        let listening = try ListenSocket(engine.configuration.address)
        self.engine = engine
        address = listening.address
        self.listening = listening.socket
        log = .allocate(capacity: 1)
        // Released in `stop`, or below.
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
        // The limit is divided among the threads, which accept unevenly: each must be able to hold all connections.
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
    /// Replaces the listening socket with an unbound one: the kernel removes the old one from the threads' epoll sets
    /// and frees the port. `MHD_quiesce_daemon` has a race (0.9.75): it aborts the process if one of its threads
    /// removes the socket from its set first.
    func quiesce() {
        engine.isStopping = true
        let unbound = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard unbound >= 0 else { return }
        dup2(unbound, self.listening)
        close(unbound)
    }

    /// Blocks until libmicrohttpd's threads have ended. No connection may be suspended. Call it only once.
    func stop() {
        MHD_stop_daemon(pointer)
        watchdog.stop()
        log.deallocate()
        Unmanaged.passUnretained(engine).release()
    }
}

/// The configured limits in the engine's units. Times are in milliseconds.
struct EngineLimits {
    let connections: Int
    /// The connections beyond the limit that are accepted, only to be refused with an answer.
    let reserve: Int
    let idleTimeout: UInt64
    let receiveTimeout: UInt64
    let sendTimeout: UInt64
    let crowdedTimeout: UInt64
    /// In bytes: the headers that all answers have, and 512 for those of a handler, such as cookies.
    let answerHead: Int

    /// In bytes: larger bodies of refused requests close the connection instead of being read and dropped.
    static let drainLimit = 262_144
    static let bodyWithoutExtraTime = 65_536
    /// In bytes. Larger bodies are handled in a task, because parsing them would block libmicrohttpd's thread.
    static let bodyHandledAtOnce = 65_536
    /// In bytes per second. Larger bodies get extra time at this rate, because 30 s are short for a photo over a slow
    /// line.
    static let minimumUploadRate = 32_768

    init(_ configuration: ServerConfiguration) {
        let requested = max(1, configuration.connectionLimit)
        reserve = 64 + requested / 32
        let files = Self.raiseOpenFiles(to: requested + reserve + Self.otherFiles)
        connections = max(1, min(requested, files - reserve - Self.otherFiles))
        answerHead = configuration.headers.reduce(512) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        idleTimeout = configuration.idleTimeout.milliseconds
        receiveTimeout = configuration.receiveTimeout.milliseconds
        sendTimeout = configuration.sendTimeout.milliseconds
        crowdedTimeout = min(configuration.crowdedTimeout.milliseconds, idleTimeout)
    }

    /// For the database, upstream connections, log files and everything else that the process opens.
    private static let otherFiles = 256

    private static func raiseOpenFiles(to requested: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return requested }
        if limit.rlim_cur < UInt(requested) {
            let before = limit.rlim_cur
            limit.rlim_cur = min(UInt(requested), limit.rlim_max)
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 { limit.rlim_cur = before }
        }
        return Int(clamping: limit.rlim_cur)
    }

    func receiveTimeout(forBodyOf bytes: Int) -> UInt64 {
        receiveTimeout + UInt64(max(0, bytes - Self.bodyWithoutExtraTime) / Self.minimumUploadRate) * 1_000
    }
}
