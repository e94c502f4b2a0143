import TextFormats

package struct SimulatorConfiguration: Sendable {
    /// Loopback only; port 0 picks a free one.
    var address: String
    /// Loopback only.
    var gitHubAddress: String
    /// Where faults can be changed while the simulator refuses connections; loopback only.
    var controlAddress: String
    var seed: UInt64
    var step: Duration
    var clock: SimulatorClock
    var listedCoins: Int
    var recordings: Recordings?
    var keys: SimulatorKeys

    package init(
        address: String = "127.0.0.1:0", gitHubAddress: String = "127.0.0.1:0",
        controlAddress: String = "127.0.0.1:0", seed: UInt64 = 1,
        step: Duration = .seconds(20), clock: SimulatorClock = .system, listedCoins: Int = 17_000,
        recordings: Recordings? = nil, keys: SimulatorKeys = SimulatorKeys()
    ) {
        self.address = address
        self.gitHubAddress = gitHubAddress
        self.controlAddress = controlAddress
        self.seed = seed
        self.step = step
        self.clock = clock
        self.listedCoins = listedCoins
        self.recordings = recordings
        self.keys = keys
    }

    var stepLength: Int {
        let parts = step.components
        return max(1, Int(parts.seconds) * 1000 + Int(parts.attoseconds / 1_000_000_000_000_000))
    }
}

enum SimulatorError: Error, Equatable, CustomStringConvertible {
    case notLoopback(String)

    var description: String {
        switch self {
        case .notLoopback(let address):
            "The simulator answers this machine only: \(address) is not a loopback address. "
                + "Use 127.0.0.1:PORT or [::1]:PORT."
        }
    }

    /// - Throws: `notLoopback` unless the address is 127.x.x.x, ::1 or localhost.
    static func requireLoopback(_ address: String) throws {
        let host =
            address.hasPrefix("[")
            ? address.prefix { $0 != "]" }.dropFirst() : address.prefix { $0 != ":" }
        guard IPAddress.isLoopback(host: String(host)) else { throw notLoopback(address) }
    }
}
