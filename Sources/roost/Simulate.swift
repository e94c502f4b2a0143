import ArgumentParser
import Foundation
import HTTPServer
import RoostSimulator

/// `roost simulate`: serves only the simulated upstreams, for trying Roost and for other projects' tests.
struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serves simulated or recorded answers of CoinGecko and GitHub, and web sites, on loopback.",
        discussion: """
            Point Roost at it with --coingecko-api-url http://ADDRESS/api/v3, and with
            --github-api-url http://GITHUB-ADDRESS/api/v3 --github-url http://GITHUB-ADDRESS. Everyone
            there has a token: GET /_simulator/github shows them. Faults can be switched while it runs:
            POST /_simulator/faults with {"fault": "429"} or {"fault": "github-secondary:30"},
            DELETE /_simulator/faults to end them; POST /_simulator/github with {"request": {"login": "ada"}}
            asks for a review.

            Web sites with articles answer at the same address under their own names; it says how to point
            Roost's --article-hosts at them. GET /_simulator/sites lists their pages, and POST
            /_simulator/sites with {"site": {"url": URL, "slow": 3}} changes one.
            """)

    @Option(help: "Address and port on loopback; port 0 takes a free one.") var listen = "127.0.0.1:8090"
    @Option(help: "The same for GitHub (default: 127.0.0.1:8093, or a free port where --listen takes one).")
    var githubListen: String?
    @Option(help: "Replays the recorded answers in this folder instead of simulating.") var recordings:
        String?
    @Option(help: "Seconds between two price changes.") var step = 20
    @Option(help: "Seed of the simulation: the same seed at the same time gives the same answers.") var seed:
        UInt64 = 1
    @Option(help: "How many coins are listed; a short list loads faster.") var coins = 17_000
    @Option(help: "A fault to begin with: \(Self.faults).") var fault: String?

    private static let faults = (Fault.names + Fault.gitHubNames).joined(separator: ", ")

    func validate() throws {
        guard (1...3_600).contains(step) else { throw ValidationError("--step takes 1 to 3,600 seconds.") }
        guard (1_000...17_000).contains(coins) else {
            throw ValidationError("--coins takes 1,000 to 17,000.")
        }
        if let fault, Fault(name: fault) == nil {
            throw ValidationError("There is no fault “\(fault)”: \(Self.faults).")
        }
    }

    func run() async throws {
        let stopSignals = StopSignals()
        let listen = ListenAddress.completed(listen)
        let recorded = try recordings.map { try Recordings(directory: $0) }
        let simulator = try Simulator(
            SimulatorConfiguration(
                address: listen,
                gitHubAddress: githubListen.map(ListenAddress.completed)
                    ?? (listen.hasSuffix(":0") ? "127.0.0.1:0" : "127.0.0.1:8093"),
                seed: seed, step: .seconds(step), listedCoins: coins,
                recordings: recorded))
        try await SettingsError.convertingErrors { try simulator.start() }
        if let fault = fault.flatMap({ Fault(name: $0) }) { await simulator.inject(fault) }
        Terminal.printLine("Web sites with articles: --article-hosts \(simulator.articleHosts)")
        Terminal.printLine(
            "Simulated upstreams are ready: CoinGecko at \(simulator.coinGeckoURL), GitHub at "
                + "\(simulator.gitHubURL)"
        )
        await stopSignals.wait()
        await simulator.stop()
    }
}
