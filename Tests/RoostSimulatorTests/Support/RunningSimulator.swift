import Foundation

@testable import RoostSimulator

/// A simulator that runs during a test.
struct RunningSimulator {
    let simulator: Simulator

    var client: RawClient { RawClient(address: simulator.address) }

    var control: RawClient { RawClient(address: String(simulator.controlURL.dropFirst("http://".count))) }

    var gitHub: RawClient { RawClient(address: String(simulator.gitHubURL.dropFirst("http://".count))) }

    /// Starts a small market, runs the test, and always stops.
    static func run(
        _ configuration: SimulatorConfiguration = Self.small, _ test: (RunningSimulator) async throws -> Void
    ) async throws {
        let simulator = try Simulator(configuration)
        try simulator.start()
        do {
            try await test(RunningSimulator(simulator: simulator))
        } catch {
            await simulator.stop()
            throw error
        }
        await simulator.stop()
    }

    static let small = SimulatorConfiguration(seed: 7, clock: .fixed(TestMarket.moment), listedCoins: 300)

    func post(_ path: String, _ json: String, to client: RawClient? = nil) async -> RawClient.Result {
        await (client ?? control).get(
            path, headers: ["Content-Type: application/json"], method: "POST", body: json)
    }

    /// Repeats the request until the answer satisfies the condition, until the deadline.
    func eventually(
        within deadline: Duration = .seconds(10), _ condition: (RawClient.Result) -> Bool
    ) async -> Bool {
        let end = ContinuousClock.now + deadline
        while ContinuousClock.now < end {
            if condition(await client.get("/ping")) { return true }
            try? await Task.sleep(for: .milliseconds(30))
        }
        return false
    }
}
