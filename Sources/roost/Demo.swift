import ArgumentParser
import Foundation
import GitHub
import HTTPClient
import Logging
import RoostServices
import RoostSimulator
import RoostSupport
import TextFormats

/// `roost demo`: serves sample data from simulated upstreams, without network or accounts.
struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serves a sample dashboard with simulated data; nothing is kept.")

    @OptionGroup var options: SettingsOptions

    func run() async throws {
        var settings = try await options.settings()
        guard Self.isLoopback(settings.listen) else {
            throw SettingsError("The demo signs every visitor in, so it listens on loopback only.")
        }
        let stopSignals = StopSignals()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "roost-demo-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let simulator = try Simulator(SimulatorConfiguration(step: .seconds(5)))
        try simulator.start()
        settings.dataFolder = folder.path
        settings.articleHosts = Self.articleHosts(simulator)
        let services = Self.services(settings, simulator)
        let style = LogStyle(level: settings.logLevel, format: settings.logsJSON ? .json : .text)
        var log = App.log(settings, style)
        log.logLevel = max(log.logLevel, .error)
        let members = try await DemoTeam.write(services, log: log)
        let app = try await App.start(settings, services: services, opensToThisMachine: true, log: log)
        let team = DemoTeam(members, services: app.services, log: log)
        let displaySecret = try await Self.fill(app.services, team, simulator, log)
        await team.readArticles()
        await team.writeLinks()
        let start = try await app.services.chat.conversations.position()
        let teamTask = Task { await team.run(from: start) }
        for line in [
            "Roost's demo is ready at \(app.server.url)",
            "A wall display: \(app.server.url)display/\(displaySecret)",
        ] { Terminal.printLine(style.announcement(line)) }
        await stopSignals.wait()
        teamTask.cancel()
        await teamTask.value
        try await app.stop()
        await simulator.stop()
    }

    /// Maps the simulated web sites to the simulator and allows no other local address.
    private static func articleHosts(_ simulator: Simulator) -> [String: HostTarget] {
        guard let target = HostTarget(simulator.address) else { return [:] }
        return Dictionary(uniqueKeysWithValues: SimulatedSite.hosts.map { ($0, target) })
    }

    private static func services(_ settings: Settings, _ simulator: Simulator) -> Services.Configuration {
        var services = settings.services
        services.coinGeckoURL = simulator.coinGeckoURL
        services.coinGeckoPlan = .keyless
        services.coinGeckoKey = nil
        services.priceInterval = settings.priceInterval ?? 5
        services.warnsOfInterval = false
        services.backups = nil
        services.gitHub.hosts = GitHubHosts(
            apiURL: simulator.gitHubAPIURL, webURL: simulator.gitHubURL)
        // The simulated GitHub accepts any app, so both ways to sign in work.
        services.gitHub.clientID = "roost-demo"
        services.gitHub.clientSecret = "roost-demo"
        return services
    }

    /// Adds an invitation, coins, displays and bookmarks, and returns a display's secret.
    private static func fill(
        _ services: Services, _ team: DemoTeam, _ simulator: Simulator, _ log: Logger
    ) async throws -> String {
        let owner = try await services.identity.accounts.user(named: DemoPerson.visitor.username)
        try await services.identity.invitations.invite(
            note: "Office", days: 7, uses: 5, by: owner, from: ClientInfo(address: "127.0.0.1"))
        let displaySecret = try await team.watchCoins()
        do {
            _ = try await services.gitHub.accounts.connect(
                token: GitHubTokens.classic(of: "ada"), host: nil, for: owner.userId)
            try await bookmark(for: owner.userId, services, simulator)
        } catch {
            log.error("The demo continues without GitHub", metadata: ["error": "\(error)"])
        }
        return displaySecret
    }

    private static func bookmark(
        for user: UserID, _ services: Services, _ simulator: Simulator
    ) async throws {
        let samples = [
            (["to read"], "Look at how it handles back-pressure."), (["tools", "work"], ""), ([], ""),
            (["work"], "Asked in the team: who knows it?"), (["tools"], ""), (["to read", "weekend"], ""),
        ]
        let names = simulator.gitHub?.repositories.showcase(samples.count) ?? []
        for (fullName, (tags, note)) in zip(names, samples) {
            guard let name = RepositoryName(fullName) else { continue }
            _ = try await services.gitHub.bookmarks.add(name, for: user)
            _ = try await services.gitHub.bookmarks.edit(name, tags: tags, note: note, of: user)
        }
    }

    private static func isLoopback(_ address: String) -> Bool {
        guard let colon = address.utf8.lastIndex(of: UInt8(ascii: ":")) else { return false }
        return IPAddress.isLoopback(host: String(address[..<colon]))
    }
}
