import Foundation
import HTTPServer
package import Logging
package import RoostServices
import RoostSupport

/// Roost as it serves: the site's routes behind the server, the services' background work beside it.
///
/// The program and the tests make the same one.
package final class WebServer: Sendable {
    /// How the web server itself runs.
    package struct Options: Sendable {
        /// "127.0.0.1:8080"; port 0 takes a free one.
        package var listen = "127.0.0.1:0"
        /// HTTPS in place of HTTP, with these two PEM files.
        package var tls: TLSFiles?
        package var connectionLimit = 12_000
        package var threads = 2
        /// Called for each request; secrets and queries are already gone.
        package var access: (@Sendable (String) -> Void)?

        package init() {}
    }

    /// Where a certificate and its key lie.
    package struct TLSFiles: Sendable, Equatable {
        let certificate: String
        let key: String

        package init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// Every address with who may use it.
    let routes: [SiteRoute]
    private let services: Services
    private let scheme: String
    private let links: BaseURL
    private let server: Server
    private let work: Task<Void, Never>
    /// Requests read SQLite where they run.
    private let threads = TaskThreads(count: WebServer.requestThreads)
    /// Half of the database's readers: the others serve background work.
    private static let requestThreads = 4

    /// Throws `TLSError`, `ServerError` and what the disk has to say, in words.
    package init(
        _ configuration: WebContext.Configuration, services: Services, options: Options, log: Logger
    ) async throws {
        try await services.prepare()
        var configuration = configuration
        configuration.isTLS = options.tls != nil
        let site = try WebContext(
            configuration, services: services, features: Features.all, log: log)
        var settings = Self.settings(for: site, options, log)
        settings.tls = try options.tls.map { try TLSIdentity.load(certificate: $0.certificate, key: $0.key) }
        for warning in settings.tls?.warnings ?? [] { log.warning("\(warning)") }
        settings.executor = threads
        let routes = site.routes
        server = Server(settings, router: try Router(routes.map(\.route)))
        self.routes = routes
        self.services = services
        scheme = configuration.isTLS ? "https://" : "http://"
        links = site.links
        threads.start()
        do { try server.start() } catch {
            threads.stop()
            throw error
        }
        links.listens(at: server.address)
        work = Task { await services.run() }
    }

    /// "127.0.0.1:8080": where it listens.
    var address: String { server.address }

    /// Bytes of requests' bodies that were taken into memory since the start.
    var bodyBytes: Int { server.bodyBytes }

    /// "http://127.0.0.1:8080/".
    package var url: String { "\(scheme)\(address)/" }

    /// "http://192.168.1.20:8080/" and so on: where other machines reach it; none on loopback.
    package var urlsOnTheLAN: [String] { links.onTheLAN.map { $0 + "/" } }

    /// A link to this server that other machines can open, where it listens for them.
    package func link(to path: String) -> SharedLink { links.link(to: path) }

    /// Lets requests finish, ends the polls, stops the background work and closes the database, within 5 s.
    package func stop() async throws {
        services.feed.stop()
        await server.stop(within: .seconds(3))
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
        settings.isExemptPeer = { $0.isLoopback || site.forwarding.isTrusted($0) }
        settings.headers = RequestFilter.headers
        settings.filter = { request in
            site.filter.rejection(of: request).map { site.answer($0, to: request) }
        }
        settings.fault = { site.answer($0, to: $1) }
        settings.notFound = .async { .response(await site.answerWithCounts(.noPage, to: $0)) }
        // libmicrohttpd speaks up for every client that leaves in the middle: no news.
        settings.log = { log.debug("\($0)") }
        let (access, secretWords) = (options.access, Set(site.features.flatMap(\.secretWords)))
        settings.accessLog = { entry in
            site.metrics.count(status: entry.status)
            access?(AccessLine(entry, secretWords: secretWords).text)
        }
        return settings
    }
}
