import Glibc

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
