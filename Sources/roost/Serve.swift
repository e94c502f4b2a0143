import ArgumentParser
import Foundation
import RoostServices
import RoostWeb

/// `roost`: serves until stopped by a signal.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Serves Roost (the default command).")

    @OptionGroup var options: SettingsOptions

    func run() async throws {
        StopSignals.ignoreOtherSignals()
        let settings = try await options.settings()
        try await SettingsError.convertingErrors { try Services.makeDataFolder(settings.dataFolder) }
        let app = try await App.start(settings, services: settings.services, log: App.log(settings))
        // Until here a signal ends the program immediately, for instance during a long migration.
        let stopSignals = StopSignals()
        Terminal.printLine("Roost is ready at \(app.server.url)")
        let lanURLs = app.server.urlsOnTheLAN
        if !lanURLs.isEmpty { Terminal.printLine("On the LAN: \(lanURLs.joined(separator: " "))") }
        if let code = app.services.identity.invitations.setupCode {
            let link = app.server.link(to: "/setup?code=\(code)")
            Terminal.printLine("Set it up at \(([link.address] + link.alternatives).joined(separator: " "))")
        }
        await stopSignals.wait()
        try await app.stop()
    }
}

extension SettingsOptions {
    /// Combines flags, environment and file.
    func settings() async throws -> Settings {
        try Settings(
            await SettingsSource(flags: flags, environment: ProcessInfo.processInfo.environment))
    }
}
