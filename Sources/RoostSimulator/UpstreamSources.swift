struct UpstreamSources {
    let coinGeckoSource: any CoinGeckoSource
    let gitHubSource: any GitHubSource
    /// Nil when recordings are replayed.
    let coinGecko: CoinGeckoSimulation?
    let gitHub: GitHubSimulation?
    let recordedGitHub: RecordedGitHub?

    /// - Throws: `RecordingsError` when the recordings contain neither upstream.
    init(_ configuration: SimulatorConfiguration) throws {
        if let recordings = configuration.recordings {
            let recorded = try RecordedUpstreams(recordings, clock: configuration.clock)
            (coinGeckoSource, gitHubSource) = (recorded.coinGecko, recorded.gitHub)
            (coinGecko, gitHub, recordedGitHub) = (nil, nil, recorded.gitHub)
            return
        }
        let simulated = CoinGeckoSimulation(
            seed: configuration.seed, step: configuration.stepLength, clock: configuration.clock,
            listedCoins: configuration.listedCoins)
        let gitHub = GitHubSimulation(seed: configuration.seed, clock: configuration.clock)
        (coinGeckoSource, coinGecko) = (simulated, simulated)
        (gitHubSource, self.gitHub, recordedGitHub) = (gitHub, gitHub, nil)
    }
}
