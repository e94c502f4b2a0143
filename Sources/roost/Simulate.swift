import ArgumentParser
import Foundation
import RoostSimulator

/// `roost simulate`: only the simulated upstreams, for trying Roost and for other people's tests.
struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serves simulated or recorded answers of CoinGecko on loopback.",
        discussion: """
            Point Roost at it with --coingecko-api-url http://ADDRESS/api/v3. Faults can be switched while it runs:
            POST /_simulator/faults with {"fault": "429"}, DELETE /_simulator/faults to end them.
            """)

    @Option(help: "Address and port on loopback; port 0 takes a free one.") var listen = "127.0.0.1:8090"
    @Option(help: "Replays the recorded answers in this folder instead of simulating.") var recordings:
        String?
    @Option(help: "Seconds between two steps of the prices' walk.") var step = 20
    @Option(help: "Seed of the simulation: the same seed at the same time gives the same prices.") var seed:
        UInt64 = 1
    @Option(help: "A fault to begin with: \(Fault.names.joined(separator: ", ")).") var fault: String?

    func validate() throws {
        guard (1...3_600).contains(step) else { throw ValidationError("--step takes 1 to 3,600 seconds.") }
        if let fault, Fault(name: fault) == nil {
            throw ValidationError("There is no fault “\(fault)”: \(Fault.names.joined(separator: ", ")).")
        }
    }

    func run() async throws {
        let recorded = try recordings.map { try Recordings(directory: $0) }
        let simulator = try Simulator(
            SimulatorConfiguration(address: listen, seed: seed, step: .seconds(step), recordings: recorded))
        try simulator.start()
        if let fault = fault.flatMap({ Fault(name: $0) }) { await simulator.inject(fault) }
        Terminal.say("Simulated upstreams are ready: CoinGecko at \(simulator.coinGeckoURL)")
        await Signals.untilStopped()
        await simulator.stop()
    }
}
