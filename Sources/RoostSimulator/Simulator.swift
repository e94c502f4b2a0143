import Foundation
import HTTPServer
import Synchronization

/// Simulated upstreams behind real HTTP on loopback, for `roost demo`, `roost simulate` and the tests.
///
/// CoinGecko lives under `/api/v3` and under the bare root; web sites with articles answer at the same address under
/// their own names; GitHub has a port of its own, with its pages at
/// the root and its API under `/api/v3` as well, as an Enterprise server. `/_simulator` switches faults and
/// the rest.
package final class Simulator: Sendable {
    /// The simulated market; `nil` when recordings are replayed.
    let coinGecko: CoinGeckoSimulation?
    /// The simulated GitHub; `nil` when recordings are replayed.
    package let gitHub: GitHubSimulation?
    /// GitHub as it was recorded; `nil` when it is simulated.
    let recordedGitHub: RecordedGitHub?
    /// The web sites whose articles can be saved.
    let sites = SiteSimulation()
    private let siteEndpoint: SiteEndpoint
    private let coinGeckoEndpoint: CoinGeckoEndpoint
    private let gitHubEndpoint: GitHubEndpoint
    private let listener: Listener
    private let gitHubListener: Listener
    private let control: Listener

    /// - Throws: `SimulatorError.notLoopback`, or `RecordingsError` when the recordings hold nothing of
    /// CoinGecko and nothing of GitHub.
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

    /// Listens; the simulated world itself is made with the first question.
    ///
    /// - Throws: `ServerError` in words.
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

    /// GitHub's pages, its sign-in and its pictures.
    package var gitHubURL: String { "http://\(gitHubListener.address)" }

    package var gitHubAPIURL: String { "\(gitHubURL)/api/v3" }

    /// What the setting `article-hosts` must say so that Roost finds the sites here.
    package var articleHosts: String { SimulatedSite.places(at: address) }

    /// Answers `/_simulator/...` even while the simulator refuses connections.
    var controlURL: String { "http://\(control.address)" }

    private static func server(_ address: String, _ routes: [Route]) throws -> Server {
        var configuration = ServerConfiguration()
        configuration.address = address
        // 250 ids of up to 70 letters make long addresses; CoinGecko takes them.
        configuration.uriLimit = 32_768
        configuration.headerLimit = 65_536
        configuration.connectionMemory = 131_072
        return Server(configuration, router: try Router(routes))
    }
}

extension Simulator {
    /// Switches a fault on: for paths that begin with `path`, for `count` requests or until cleared.
    ///
    /// `refused` knows neither: nobody listens from this call's return until its seconds are over.
    ///
    /// - Parameter upstream: nil: whose fault it is by its name or its path, CoinGecko's otherwise
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

    /// Ends all faults: hanging requests are answered, a refusing simulator listens again.
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

    /// The last 10,000 requests, faults' victims included.
    var requests: [LoggedRequest] { coinGeckoEndpoint.log.requests }

    func requests(to path: String) -> [LoggedRequest] {
        coinGeckoEndpoint.log.requests.filter { $0.path == path }
    }

    func forgetRequests() {
        coinGeckoEndpoint.log.clear()
    }
}

/// What time the simulated world has: milliseconds since 1970 in UTC.
package struct SimulatorClock: Sendable {
    let now: @Sendable () -> Int

    init(_ now: @escaping @Sendable () -> Int) {
        self.now = now
    }

    /// The machine's own clock.
    static let system = SimulatorClock { Int(Date().timeIntervalSince1970 * 1000) }

    /// A stopped clock, for tests that compare bytes.
    static func fixed(_ milliseconds: Int) -> SimulatorClock {
        SimulatorClock { milliseconds }
    }
}
