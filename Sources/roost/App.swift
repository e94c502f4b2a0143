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
    let accessLog: AccessLogWriter
    private let flushing: Task<Void, Never>
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
        let accessLog = try AccessLogWriter(settings.accessLog, isJSON: settings.logsJSON)
        var options = WebServer.Options()
        options.listen = settings.listen
        options.tls = settings.tls
        options.connectionLimit = settings.connectionLimit
        options.threads = settings.threads
        options.runsServices = runsServices
        options.probeSecret = lock.secret
        options.recentErrors = settings.recentErrors
        options.accessLogFile = settings.accessLog.flatMap { $0 == "-" ? nil : $0 }
        options.access = { accessLog.write($0) }
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
        let flushing = Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(1))
                accessLog.flush()
            }
        }
        return App(
            services: services, server: server, client: client, accessLog: accessLog, flushing: flushing,
            lock: lock)
    }

    /// Finishes running requests, ends long polls and closes the database.
    func stop() async throws {
        try await server.stop()
        client.shutdown()
        flushing.cancel()
        accessLog.flush()
    }

    /// - Parameter style: for a log whose level and format change later; nil uses those of the settings
    static func log(_ settings: Settings, _ style: LogStyle? = nil) -> Logger {
        let style =
            style ?? LogStyle(level: settings.logLevel, format: settings.logsJSON ? .json : .text)
        return Logger(label: "roost") { _ in
            RecentErrorLog(
                LineLog(style, output: LineOutput(descriptor: 2), secrets: settings.secrets),
                errors: settings.recentErrors)
        }
    }

    private static func site(_ settings: Settings) -> WebContext.Configuration {
        var site = WebContext.Configuration(
            publicFolder: settings.assetsFolder + "/Public", version: Roost.version)
        site.publicURL = settings.publicURL
        site.hostNames = settings.hostNames
        site.trustedProxies = settings.trustedProxies
        return site
    }
}
