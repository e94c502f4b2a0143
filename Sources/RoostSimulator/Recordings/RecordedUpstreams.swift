/// The upstreams replayed from a recordings folder. One without recordings only returns errors.
struct RecordedUpstreams {
    let coinGecko: any CoinGeckoSource
    let gitHub: RecordedGitHub

    /// - Throws: `RecordingsError.noUpstream` when the folder has neither upstream.
    init(_ recordings: Recordings, clock: SimulatorClock) throws {
        gitHub = RecordedGitHub(directory: recordings.directory, clock: clock)
        do {
            coinGecko = try RecordedCoinGecko(recordings)
        } catch RecordingsError.noCoinGecko {
            guard !gitHub.isEmpty else { throw RecordingsError.noUpstream(recordings.directory) }
            coinGecko = NoCoinGecko()
        }
    }

    private struct NoCoinGecko: CoinGeckoSource {
        let errors = CoinGeckoErrors()

        func answer(_ request: SimulatedRequest) -> SimulatedResponse {
            .failure(404, #"{"error":"nothing of CoinGecko was recorded"}"#)
        }
    }
}
