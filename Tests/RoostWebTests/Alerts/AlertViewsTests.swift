import Testing

@testable import Market
@testable import MarketWeb

@Suite struct AlertViewsTests {
    private static let list = rendered(AlertsListView.sample)

    @Test(arguments: [
        "Paused until the price falls below 89,550 USD", "<span class=\"alert-state\">Armed</span>",
        "Paused until the change falls below 4.5 %", "above 90,000 USD · posted to Crew",
        "changes by 5 % within 24 hours", "below 0.005 EUR",
        "Not posted: There is no such conversation.",
    ])
    func `an alert shows its condition and the state of its message`(text: String) {
        #expect(Self.list.contains(text))
    }

    @Test func `an armed alert has no button to arm it`() {
        #expect(Self.list.contains("action=\"/alerts/1/arm\""))
        #expect(!Self.list.contains("action=\"/alerts/2/arm\""))
    }

    @Test func `a coin without a symbol shows its id`() {
        #expect(Self.list.contains("<span class=\"symbol\">BORINGDAO-[OLD]</span>"))
    }

    @Test(arguments: [
        (AlertService.Count(all: 1), "1 alert"), (AlertService.Count(all: 3), "3 alerts"),
        (AlertService.Count(all: 3, new: 2), "3 alerts, 2 new"),
    ])
    func `a bell shows how many alerts a coin has`(count: AlertService.Count, text: String) throws {
        let bell = rendered(try #require(AlertBell(count, coinId: "bitcoin")))
        #expect(bell.contains("aria-label=\"\(text)\""))
        #expect(bell.contains("href=\"/alerts?coin=bitcoin\""))
        #expect(bell.contains("class=\"bell new\"") == (count.new > 0))
    }

    @Test func `a coin without alerts has no bell`() {
        #expect(AlertBell(nil, coinId: "bitcoin") == nil)
        #expect(AlertBell(AlertService.Count(), coinId: "bitcoin") == nil)
    }

    @Test func `the tile shows the latest fired alerts, and offers to mark them as seen`() {
        let tile = rendered(AlertsTileView.sample)
        let texts = tile.matches(of: /href="\/coins\/([a-z]+)"/).map { String($0.output.1) }
        #expect(texts == ["bitcoin", "solana"])
        #expect(tile.contains("action=\"/alerts/seen\""))
    }

    @Test func `the list on a coin's page is fetched for that coin only`() {
        let text = rendered(AlertsOfCoinView.sample)
        #expect(text.contains("data-live=\"/alerts/list?coin=bitcoin\" data-topics=\"alerts\""))
    }
}
