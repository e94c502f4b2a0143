import ArgumentParser
import Foundation
import RoostServices
import RoostWeb

/// `roost`: serves until told to stop.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Serves Roost (the default command).")

    @OptionGroup var options: SettingsOptions

    func run() async throws {
        StopSignals.ignoreOthers()
        let settings = try await options.settings()
        try await SettingsError.inWords { try Services.makeDataFolder(settings.dataFolder) }
        let app = try await App.start(settings, services: settings.services, log: App.log(settings))
        // Until here a signal ends the program at once, as where a long migration is to be given up.
        let stopSignals = StopSignals()
        Terminal.say("Roost is ready at \(app.server.url)")
        let others = app.server.urlsOnTheLAN
        if !others.isEmpty { Terminal.say("On the LAN: \(others.joined(separator: " "))") }
        if let code = app.services.invitations.setupCode {
            let link = app.server.link(to: "/setup?code=\(code)")
            Terminal.say("Set it up at \(([link.address] + link.others).joined(separator: " "))")
        }
        await stopSignals.wait()
        try await app.stop()
    }
}

extension SettingsOptions {
    /// Flags, environment and file together.
    func settings() async throws -> Settings {
        try Settings(
            await SettingsSource(flags: given, environment: ProcessInfo.processInfo.environment))
    }
}

/// Words for the person at the terminal.
enum Terminal {
    /// A line on standard error, whatever the log is set to.
    static func say(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }

    /// Says who can open a link that was printed, where its address does not say it.
    static func sayReach(of link: SharedLink) {
        if let obstacle = link.obstacle { say(obstacle) }
        for other in link.others { say("Also at \(other)") }
    }
}
