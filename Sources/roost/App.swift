import Foundation
import HTTPClient
import Logging
import RoostServices
import RoostSupport
import RoostWeb

/// The running program: starts and stops the services and the server.
struct App: Sendable {
    let services: Services
    let server: WebServer
    private let client: HTTPClient
    private let access: LineOutput?
    private let flushing: Task<Void, Never>?
    /// Held while the server runs.
    private let lock: DataFolderLock

    /// Opens the database and starts the server.
    ///
    /// - Parameters:
    ///   - opensToThisMachine: whether every visitor on this machine is the owner, as in the demo
    ///   - runsServices: false for a drill, which must ask no other server
    static func start(
        _ settings: Settings, services configuration: Services.Configuration,
        opensToThisMachine: Bool = false, runsServices: Bool = true, log: Logger
    ) async throws -> App {
        try await SettingsError.convertingErrors(of: settings) {
            try await launch(
                settings, configuration, opensToThisMachine: opensToThisMachine, runsServices: runsServices,
                log: log)
        }
    }

    private static func launch(
        _ settings: Settings, _ configuration: Services.Configuration, opensToThisMachine: Bool,
        runsServices: Bool, log: Logger
    ) async throws -> App {
        try DataFolder.prepare(configuration.dataFolder, log: log)
        let lock = try DataFolderLock(folder: configuration.dataFolder)
        var hosts = ClientConfiguration()
        hosts.hostMap = settings.articleHosts
        let client = HTTPClient(userAgent: "Roost/\(Roost.version)", configuration: hosts)
        let services = try Services(configuration, client: client, log: log)
        if let warning = services.market.prices.warning { log.warning("\(warning)") }
        let access = try settings.accessLog.map(Self.output)
        var options = WebServer.Options()
        options.listen = settings.listen
        options.tls = settings.tls
        options.connectionLimit = settings.connectionLimit
        options.threads = settings.threads
        options.runsServices = runsServices
        options.probeSecret = lock.secret
        options.recentErrors = settings.recentErrors
        options.accessLogFile = settings.accessLog.flatMap { $0 == "-" ? nil : $0 }
        if let access { options.access = { access.write($0) } }
        var site = site(settings)
        site.opensToThisMachine = opensToThisMachine
        let server: WebServer
        do {
            server = try await WebServer(site, services: services, options: options, log: log)
        } catch {
            // The original error matters more than a failure to close the database.
            try? services.close()
            throw error
        }
        let flushing = access.map { access in
            Task {
                while !Task.isCancelled {
                    try? await Task.sleep(for: .seconds(1))
                    access.flush()
                }
            }
        }
        return App(
            services: services, server: server, client: client, access: access, flushing: flushing,
            lock: lock)
    }

    /// Finishes running requests, ends long polls and closes the database.
    func stop() async throws {
        try await server.stop()
        client.shutdown()
        flushing?.cancel()
        access?.flush()
    }

    static func log(_ settings: Settings) -> Logger {
        var log = Logger(label: "roost") { _ in
            RecentErrorLog(
                LineLog(
                    level: settings.logLevel, isJSON: settings.logsJSON, output: LineOutput(descriptor: 2),
                    secrets: settings.secrets),
                errors: settings.recentErrors)
        }
        log.logLevel = settings.logLevel
        return log
    }

    private static func site(_ settings: Settings) -> WebContext.Configuration {
        var site = WebContext.Configuration(
            publicFolder: settings.assetsFolder + "/Public", version: Roost.version)
        site.publicURL = settings.publicURL
        site.hostNames = settings.hostNames
        site.trustedProxies = settings.trustedProxies
        return site
    }

    private static func output(_ path: String) throws -> LineOutput {
        if path == "-" { return LineOutput(descriptor: 1, isBuffered: true) }
        guard let output = LineOutput(path: path) else {
            throw SettingsError("--access-log \(path) cannot be written.")
        }
        return output
    }
}
