import Foundation
import HTTPServer
import Logging
import RoostServices
import RoostSupport
import RoostWeb
import Synchronization

/// The running server: the site's routes and the services' background work.
///
/// Both the program and the tests use it.
final class WebServer: Sendable {
    struct Options: Sendable {
        /// "127.0.0.1:8080"; port 0 picks a free port.
        var listen = "127.0.0.1:0"
        /// Serves HTTPS with these two PEM files instead of HTTP.
        var tls: TLSFiles?
        var connectionLimit = 12_000
        var threads = 2
        /// Whether background work takes place.
        var runsServices = true
        /// The file of the access log, for the status page; nil without one.
        var accessLogFile: String?
        /// The secret in the data folder's lock, with which `roost doctor` asks; nil lets no one ask.
        var probeSecret: String?
        /// The latest warnings and errors of the log, for the status page.
        var recentErrors = RecentErrors()
        /// Called with the log line of each request, without secrets and queries.
        var access: (@Sendable (AccessLine) -> Void)?

        init() {}
    }

    struct TLSFiles: Sendable, Equatable {
        let certificate: String
        let key: String
    }

    let routes: [SiteRoute]
    private let services: Services
    private let scheme: String
    private let site: WebContext
    private let server: Server
    private let tls: Mutex<TLSIdentity?>
    private let status: ServerStatus
    private let work: Task<Void, Never>
    /// Requests read SQLite on these threads.
    private let threads = TaskThreads(count: WebServer.requestThreads)
    /// Half of the database's readers; the rest are for background work.
    private static let requestThreads = 4

    /// Throws `TLSError`, `ServerError`, or errors of the file system and database.
    init(
        _ configuration: WebContext.Configuration, services: Services, options: Options, log: Logger
    ) async throws {
        try await services.load()
        var configuration = configuration
        configuration.isTLS = options.tls != nil
        let status = ServerStatus(services, options, log: log)
        self.status = status
        let site = try WebContext(configuration, services, status: status, log: log)
        var settings = Self.settings(for: site, options, log)
        let identity = try options.tls.map { try Self.identity($0, log: log) }
        settings.tls = identity
        tls = Mutex(identity)
        settings.executor = threads
        let routes = site.routes
        server = Server(settings, router: try Router(routes.map(\.route)))
        self.routes = routes
        self.services = services
        scheme = configuration.isTLS ? "https://" : "http://"
        self.site = site
        threads.start()
        do { try server.start() } catch {
            threads.stop()
            throw error
        }
        site.links.setListeningAddress(server.address)
        work = Task {
            guard options.runsServices else { return }
            async let watching: Void = status.run()
            await services.run()
            await watching
        }
        site.health.program.add { [weak self] in self?.metrics ?? [] }
    }

    private static func identity(_ files: TLSFiles, log: Logger) throws(TLSError) -> TLSIdentity {
        let identity = try TLSIdentity.load(certificate: files.certificate, key: files.key)
        for warning in identity.warnings { log.warning("\(warning)") }
        return identity
    }

    /// Uses the certificate in these files for new connections. Throws `TLSError` and keeps the previous one if they are
    /// invalid. Only for a server that was started with TLS.
    func use(_ files: TLSFiles, log: Logger) throws(TLSError) {
        let identity = try Self.identity(files, log: log)
        server.use(identity)
        tls.withLock { $0 = identity }
        status.noteCertificate(identity.expiry)
    }

    private var metrics: [MetricFamily] {
        var expiry = MetricFamily.gauge(
            "roost_certificate_expiry_timestamp_seconds", "When the certificate in use expires, since 1970.")
        if let identity = tls.withLock(\.self) {
            expiry = expiry.with(Int(identity.expiry.date.timeIntervalSince1970))
        }
        return [.gauge("roost_connections", "Open connections.", server.connections), expiry]
    }

    var address: String { server.address }

    /// Bytes of request bodies read into memory since the start.
    var bodyBytes: Int { server.bodyBytes }

    /// "http://127.0.0.1:8080/".
    var url: String { "\(scheme)\(address)/" }

    /// The URLs for other machines, "http://192.168.1.20:8080/" and so on; empty on loopback.
    var urlsOnTheLAN: [String] { site.links.lanURLs.map { $0 + "/" } }

    func link(to path: String) -> SharedLink { site.links.link(to: path) }

    /// Finishes running requests, ends polls, stops the background work and closes the database, within 5 s.
    func stop() async throws {
        services.feed.stop()
        await server.stop(within: .seconds(3))
        await site.stop()
        await services.gitHub.pullActions.stop()
        work.cancel()
        await work.value
        threads.stop()
        try services.close()
    }

    private static func settings(for site: WebContext, _ options: Options, _ log: Logger)
        -> ServerConfiguration
    {
        var settings = ServerConfiguration()
        settings.address = options.listen
        settings.connectionLimit = options.connectionLimit
        settings.threads = options.threads
        settings.isExemptPeer = { $0.isLoopback || site.visitors.isTrustedProxy($0) }
        settings.headers = RequestFilter.headers(publicURL: site.visitors.filter.publicURL)
        settings.filter = { request in
            site.visitors.filter.rejection(of: request).map { site.answer($0, to: request) }
        }
        settings.fault = { site.answer($0, to: $1) }
        settings.notFound = .async { .response(await site.answerWithCounts(.noPage, to: $0)) }
        // libmicrohttpd logs every client that disconnects early, which is not an error.
        settings.log = { log.debug("\($0)") }
        let (access, secretPathPrefixes) = (options.access, site.features.secretPathPrefixes)
        settings.accessLog = { entry in
            site.health.requests.add(entry)
            access?(AccessLine(entry, secretPathPrefixes: secretPathPrefixes))
        }
        return settings
    }
}
