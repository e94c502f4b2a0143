/// Something that answers as CoinGecko: the simulation, or a folder of recordings.
protocol CoinGeckoSource: Sendable {
    func answer(_ request: SimulatedRequest) -> SimulatedResponse
    /// Bodies for refusals and faults.
    var errors: CoinGeckoErrors { get }
}
