import Foundation
import RoostServices
import RoostSimulator
import Testing

/// The recorded answers, replayed over HTTP: what they say must come out of the services to the last digit.
@Suite(.recordings, .timeLimit(.minutes(2))) struct ReplayedRecordingsTests {
    @Test func `recorded prices come out of the watchlist to the last digit`() async throws {
        let recordings = try Recordings(directory: RecordedFiles.folder.path)
        try await withSimulator(recordings) { fixture in
            let owner = try await fixture.owner(watching: "bitcoin", "ethereum", "safemoon", "baby-doge-coin")
            #expect(fixture.services.catalog.count > 17_000)
            let list = try await fixture.services.watchlist.list(of: owner)
            #expect(list.prices.status.error == nil)
            let text = try RecordedFiles.text("coins_markets_250_2022-08-29.json")
            let recorded = try JSONDecoder().decode(LossyArray<Coin>.self, from: Data(text.utf8)).items
            for id in ["safemoon", "baby-doge-coin", "ethereum"] {
                let entry = try #require(list.entries.first { $0.item.coinId == id })
                #expect(entry.currentPrice == recorded.first { $0.id == id }?.currentPrice)
                #expect(entry.currentPrice != nil && entry.isCoinOld)
            }
        }
    }
}
