import Foundation
import Testing

@testable import RoostSimulator

/// Recorded answers, if they are next to the project; CI requires them.
@Suite(.enabled(if: SharedRecordings.mustRun, "no recordings next to the project (../shared/recordings)"))
struct SharedRecordingsTests {
    private func source(_ folder: String = "coingecko") throws -> RecordedCoinGecko {
        try RecordedCoinGecko(Recordings(directory: "\(SharedRecordings.directory)/\(folder)"))
    }

    @Test func `the longest list is used, followed by coins without an entry`() throws {
        let list = try source().ask("/coins/list")
        #expect(try list.items.count >= 17_185)
        #expect(
            try Set(list.ids).isSuperset(of: ["_", "1move token", "boringdao-[old]", "bitcoin", "ftx-token"]))
    }

    @Test func `a watchlist gets every recorded coin, digit for digit`() throws {
        let answer = try source().ask(
            "/coins/markets?vs_currency=usd&ids=bitcoin,shiba-inu,tron,prometeus,no-such&sparkline=true"
        )
        #expect(try Set(answer.ids) == ["bitcoin", "shiba-inu", "tron", "prometeus"])
        #expect(answer.text.contains(#""current_price": 1.248e-05"#))
    }

    @Test func `each item is in a recorded file byte for byte`() throws {
        let file = "\(SharedRecordings.directory)/coingecko/coins_markets_250_2022-08-29.json"
        let recorded = try String(contentsOfFile: file, encoding: .utf8)
        let answer = try source().ask(
            "/coins/markets?vs_currency=usd&ids=ethereum,dogecoin,ardor,nano&page=1")
        let items = try #require(RawJSON(answer.body[...])?.elements)
        #expect(items.count == 4)
        #expect(items.allSatisfy { recorded.contains($0.text) })
    }

    @Test func `the newest recording of bitcoin wins`() throws {
        let answer = try source().ask("/coins/markets?vs_currency=usd&ids=bitcoin&sparkline=true")
        let item = try #require(try answer.items.first)
        #expect((item.text("last_updated") ?? "") >= "2026-02-17")
        #expect((item.number("current_price") ?? 0) > 60_000)
    }

    @Test func `recorded requests are answered as recorded`() throws {
        let source = try source()
        let exact = source.ask("/coins/markets?ids=bitcoin,%20ethereum&vs_currency=eth")
        #expect(exact.header("ETag") == "W/\"14e4fb42bcf2e7c52b5d481734de7a97\"")
        #expect(source.ask("/simple/price?ids=bitcoin&vs_currencies=ethereum").text == #"{"bitcoin":{}}"#)
        #expect(source.ask("/coins/markets").status == 422)
        #expect(source.ask("/search/trending").status == 200)
    }

    @Test func `the whole folder of recordings works like CoinGecko's part of it`() throws {
        let target = "/coins/markets?vs_currency=usd&per_page=250"
        #expect(try source("").ask(target).body == source().ask(target).body)
    }

    @Test func `errors are the recorded ones`() throws {
        let errors = try source().errors
        #expect(errors.missingUserAgent.contains("forms.gle"))
        #expect(errors.throttled == "Throttled" && errors.blocked == "error code: 1015")
    }
}

enum SharedRecordings {
    /// `shared/recordings` next to the project's folder.
    static let directory: String = {
        var url = URL(fileURLWithPath: #filePath)
        // File, Recordings, RoostSimulatorTests, Tests, the project.
        for _ in 0..<5 { url.deleteLastPathComponent() }
        return url.appendingPathComponent("shared/recordings").standardizedFileURL.path
    }()

    static var mustRun: Bool {
        FileManager.default.fileExists(atPath: "\(directory)/coingecko")
            || ProcessInfo.processInfo.environment["CI"] == "true"
    }
}
