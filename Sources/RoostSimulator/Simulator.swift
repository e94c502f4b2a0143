import Foundation
import HTTPServer
import Synchronization

/// Simulated upstreams behind real HTTP on loopback, for `roost demo`, `roost simulate` and the tests.
///
/// CoinGecko is at both `/api/v3` and `/`. Web sites with articles share that address and are selected by
/// host name. GitHub has its own port, with pages at `/` and the API at `/api/v3`, like an Enterprise server.
/// `/_simulator` controls faults and data.
package final class Simulator: Sendable {
    /// Nil when recordings are replayed.
    let coinGecko: CoinGeckoSimulation?
    package let gitHub: GitHubSimulation?
    /// Nil when GitHub is simulated.
    let recordedGitHub: RecordedGitHub?
    let sites = SiteSimulation()
    private let siteEndpoint: SiteEndpoint
    private let coinGeckoEndpoint: CoinGeckoEndpoint
    private let gitHubEndpoint: GitHubEndpoint
    private let listener: Listener
    private let gitHubListener: Listener
    private let control: Listener

    /// - Throws: `SimulatorError.notLoopback`, or `RecordingsError` when the recordings contain neither
    /// CoinGecko nor GitHub.
    package init(_ configuration: SimulatorConfiguration) throws {
        try SimulatorError.requireLoopback(configuration.address)
        try SimulatorError.requireLoopback(configuration.gitHubAddress)
        try SimulatorError.requireLoopback(configuration.controlAddress)
        let sources = try UpstreamSources(configuration)
        (coinGecko, gitHub, recordedGitHub) = (sources.coinGecko, sources.gitHub, sources.recordedGitHub)
        let coinGeckoEndpoint = CoinGeckoEndpoint(source: sources.coinGeckoSource, keys: configuration.keys)
        self.coinGeckoEndpoint = coinGeckoEndpoint
        let gitHubEndpoint = GitHubEndpoint(
            source: sources.gitHubSource, log: coinGeckoEndpoint.log, clock: configuration.clock)
        self.gitHubEndpoint = gitHubEndpoint
        let siteEndpoint = SiteEndpoint(sites: sites, log: coinGeckoEndpoint.log)
        self.siteEndpoint = siteEndpoint
        let controlAPI = ControlAPI(
            coinGeckoEndpoint: coinGeckoEndpoint, simulation: coinGecko, gitHubEndpoint: gitHubEndpoint,
            gitHub: GitHubControlAPI(simulation: gitHub, recorded: recordedGitHub), sites: sites,
            siteEndpoint: siteEndpoint)
        listener = Listener(address: configuration.address) { address in
            try Self.server(
                address,
                controlAPI.routes(ofListenerItself: true) + siteEndpoint.routes(before: coinGeckoEndpoint))
        }
        gitHubListener = Listener(address: configuration.gitHubAddress) { address in
            try Self.server(address, controlAPI.routes(ofListenerItself: true) + gitHubEndpoint.routes)
        }
        control = Listener(address: configuration.controlAddress) { address in
            try Self.server(address, controlAPI.routes(ofListenerItself: false))
        }
        controlAPI.attach([.coinGecko: listener, .gitHub: gitHubListener, .sites: listener])
    }

    /// Starts listening. The simulated data is generated on the first request.
    ///
    /// - Throws: `ServerError`.
    package func start() throws {
        try listener.start()
        try gitHubListener.start()
        gitHubEndpoint.setBaseURL(web: gitHubURL)
        try control.start()
    }

    package func stop() async {
        coinGeckoEndpoint.plan.clear()
        gitHubEndpoint.plan.clear()
        siteEndpoint.plan.clear()
        await listener.stop()
        await gitHubListener.stop()
        await control.stop()
    }

    /// "127.0.0.1:43121"
    package var address: String { listener.address }

    var url: String { "http://\(address)" }

    package var coinGeckoURL: String { "\(url)/api/v3" }

    /// The root of GitHub's pages, sign-in and avatars.
    package var gitHubURL: String { "http://\(gitHubListener.address)" }

    package var gitHubAPIURL: String { "\(gitHubURL)/api/v3" }

    /// The value for the setting `article-hosts` that points Roost at the simulated sites.
    package var articleHosts: String { SimulatedSite.hostMappings(at: address) }

    /// Responds to `/_simulator/...` even while the simulator refuses connections.
    var controlURL: String { "http://\(control.address)" }

    private static func server(_ address: String, _ routes: [Route]) throws -> Server {
        var configuration = ServerConfiguration()
        configuration.address = address
        // A list of 250 ids with up to 70 letters each makes a long URL; CoinGecko accepts it.
        configuration.uriLimit = 32_768
        configuration.headerLimit = 65_536
        configuration.connectionMemory = 131_072
        return Server(configuration, router: try Router(routes))
    }
}

extension Simulator {
    /// Adds a fault for paths that begin with `path`, for `count` requests or until cleared.
    ///
    /// `refused` ignores both: the listener is closed when this returns, and reopens after the fault's
    /// seconds.
    ///
    /// - Parameter upstream: if nil, chosen by the fault's name or the path, with CoinGecko as the default
    package func inject(
        _ fault: Fault, path: String = "", count: Int? = nil, upstream: Upstream? = nil
    ) async {
        let upstream = upstream ?? Upstream(of: fault, path: path)
        if case .refused(let seconds) = fault {
            await (upstream == .gitHub ? gitHubListener : listener).close(for: .seconds(seconds))
        } else {
            plan(upstream).add(FaultRule(fault, path: path, count: count))
        }
    }

    func clear() async {
        coinGeckoEndpoint.plan.clear()
        gitHubEndpoint.plan.clear()
        siteEndpoint.plan.clear()
        await listener.reopen()
        await gitHubListener.reopen()
    }

    var faults: [FaultRule] { Upstream.allCases.flatMap { plan($0).rules } }

    private func plan(_ upstream: Upstream) -> FaultPlan {
        switch upstream {
        case .coinGecko: coinGeckoEndpoint.plan
        case .gitHub: gitHubEndpoint.plan
        case .sites: siteEndpoint.plan
        }
    }

    var requests: [LoggedRequest] { coinGeckoEndpoint.log.requests }

    func requests(to path: String) -> [LoggedRequest] {
        coinGeckoEndpoint.log.requests.filter { $0.path == path }
    }

    func clearRequests() {
        coinGeckoEndpoint.log.clear()
    }
}

/// The simulator's time in milliseconds since 1970 (UTC).
package struct SimulatorClock: Sendable {
    let now: @Sendable () -> Int

    package init(_ now: @escaping @Sendable () -> Int) {
        self.now = now
    }

    package static let system = SimulatorClock { Int(Date().timeIntervalSince1970 * 1000) }

    /// A stopped clock, for tests that compare bytes.
    static func fixed(_ milliseconds: Int) -> SimulatorClock {
        SimulatorClock { milliseconds }
    }
}
