import Foundation
import TestSupport
import Testing

@testable import Market
@testable import RoostSimulator
@testable import RoostSupport

/// The recorded answers, replayed over HTTP, must appear in the services to the last digit.
@Suite(.recordings, .timeLimit(.minutes(2))) struct ReplayedRecordingsTests {
    @Test func `recorded prices appear in the watchlist to the last digit`() async throws {
        let recordings = try Recordings(directory: RecordedFiles.folder.path)
        try await withSimulator(recordings) { fixture in
            let owner = try await fixture.owner(watching: "bitcoin", "ethereum", "safemoon", "baby-doge-coin")
            #expect(fixture.services.market.catalog.count > 17_000)
            let list = try await fixture.services.market.watchlist.list(of: owner)
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

    @Test(arguments: [(ChartRange.week, "7"), (.year, "365")])
    func `the service returns a recorded chart to the last digit`(range: ChartRange, days: String)
        async throws
    {
        let recordings = try Recordings(directory: RecordedFiles.folder.path)
        try await withSimulator(recordings) { fixture in
            fixture.services.market.charts.watch("bitcoin", range, in: "usd")
            await fixture.services.market.charts.runUntilIdle()
            let chart = fixture.services.market.charts.chart(of: "bitcoin", range: range, in: "usd")
            struct Recorded: Decodable {
                let prices: [[Decimal]]
            }
            let data = try RecordedFiles.read("market_chart_1_7_30_365_max_2023-11-29.json")
            let recorded = try #require(try JSONDecoder().decode([String: Recorded].self, from: data)[days])
            #expect(chart.error == nil)
            #expect(chart.points.map(\.exactPrice) == recorded.prices.map { $0[1] })
            #expect(
                chart.points.map { Decimal(Int64(($0.time.timeIntervalSince1970 * 1_000).rounded())) }
                    == recorded.prices.map { $0[0] })
            #expect(chart.points.count > 7)
        }
    }

    @Test func `the service returns the recorded hour and week of 2026 to the last digit`() async throws {
        let files = RecordedFiles.folder.appending(path: "oas_2026").path
        try await withSimulator(try Recordings(directory: files)) { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            let quote = try #require(fixture.services.market.prices.snapshot.table["bitcoin"]).quote
            #expect(quote.change1h?.description == "0.5823392426906319")
            #expect(quote.change7d?.description == "-4.042267423689584")
            #expect(quote.marketCap == 1_555_886_872_303)
        }
    }
}
