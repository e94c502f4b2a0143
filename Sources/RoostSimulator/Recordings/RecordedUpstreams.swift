/// What a folder of recordings can take the place of; the upstream that it lacks knows nothing.
struct RecordedUpstreams {
    let coinGecko: any CoinGeckoSource
    let gitHub: RecordedGitHub

    /// - Throws: `RecordingsError.nothingKnown` when both are lacking.
    init(_ recordings: Recordings, clock: SimulatorClock) throws {
        gitHub = RecordedGitHub(directory: recordings.directory, clock: clock)
        do {
            coinGecko = try RecordedCoinGecko(recordings)
        } catch RecordingsError.noCoinGecko {
            guard !gitHub.isEmpty else { throw RecordingsError.nothingKnown(recordings.directory) }
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
