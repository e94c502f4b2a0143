import ArgumentParser
import Foundation
import Logging
import RoostServices
import RoostWeb

/// `roost`: serves until stopped by a signal.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Serves Roost (the default command).")

    @OptionGroup var options: SettingsOptions

    func run() async throws {
        StopSignals.ignoreOtherSignals()
        do { try await serve() } catch {
            // Otherwise the error is printed as text.
            guard await options.logsJSON else { throw error }
            Terminal.printLine(LogStyle.json(.critical, "\(error)", []))
            throw ExitCode.failure
        }
    }

    private func serve() async throws {
        let environment = ProcessInfo.processInfo.environment
        let source = try await options.source()
        let settings = try Settings(source)
        let style = LogStyle(
            level: settings.logLevel, format: .init(isJSON: settings.logsJSON, environment: environment))
        let log = App.log(settings, style)
        try await SettingsError.convertingErrors { try Services.makeDataFolder(settings.dataFolder) }
        let app = try await App.start(settings, services: settings.services, log: log)
        // Until here a signal ends the program immediately, for instance during a long migration.
        let stopSignals = StopSignals(canReload: true)
        announce(app) { Terminal.printLine(style.announcement($0)) }
        let notifier = ServiceNotifier(environment: environment)
        notifier?.ready(at: app.server.url)
        let check = SelfCheck(address: app.server.address, database: app.services.database)
        let watchdog = notifier.flatMap {
            ServiceWatchdog($0, environment: environment, check: check, log: log)
        }
        let watching = Task { await watchdog?.run() }
        var reloader = Reloader(app, source, settings, style, log)
        await stopSignals.wait {
            notifier?.reloading()
            await reloader.reload(options)
            notifier?.ready(at: app.server.url)
        }
        notifier?.stopping()
        watching.cancel()
        try await app.stop()
    }

    private func announce(_ app: App, _ printLine: (String) -> Void) {
        printLine("Roost is ready at \(app.server.url)")
        let lanURLs = app.server.urlsOnTheLAN
        if !lanURLs.isEmpty { printLine("On the LAN: \(lanURLs.joined(separator: " "))") }
        if let code = app.services.identity.invitations.setupCode {
            let link = app.server.link(to: "/setup?code=\(code)")
            printLine("Set it up at \(([link.address] + link.alternatives).joined(separator: " "))")
        }
    }
}

extension SettingsOptions {
    /// Combines flags, environment and file.
    func settings() async throws -> Settings { try Settings(await source()) }

    func source() async throws -> SettingsSource {
        try await SettingsSource(flags: flags, environment: ProcessInfo.processInfo.environment)
    }

    /// Whether the log is JSON, also if another setting or the file is invalid.
    fileprivate var logsJSON: Bool {
        get async {
            let environment = ProcessInfo.processInfo.environment
            let chosen = flags[Setting.logFormat.name] ?? environment[Setting.logFormat.variable]
            if let chosen, !chosen.isEmpty { return chosen == "json" }
            return (try? await source())?.text(.logFormat) == "json"
        }
    }
}
