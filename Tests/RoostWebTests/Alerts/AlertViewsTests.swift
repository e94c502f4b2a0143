import Testing

@testable import Market
@testable import RoostWeb

/// What alerts say of themselves.
@Suite struct AlertViewsTests {
    private static let list = rendered(AlertsListView.sample)

    @Test(arguments: [
        "waits until the price is 0.5 % below it again", "<span class=\"alert-state\">armed</span>",
        "waits until the change is smaller again", "above 90,000 USD · posted to Crew",
        "changes by 5 % within 24 hours", "below 0.005 EUR",
        "Not posted: There is no such conversation.",
    ])
    func `an alert says what it waits for, and what became of its text`(words: String) {
        #expect(Self.list.contains(words))
    }

    @Test func `an alert that is armed cannot be armed again`() {
        #expect(Self.list.contains("action=\"/alerts/1/arm\""))
        #expect(!Self.list.contains("action=\"/alerts/2/arm\""))
    }

    @Test func `strangers' names are text`() {
        #expect(Self.list.contains("Boring &lt;b&gt;DAO&lt;/b&gt; &amp; others"))
        #expect(!Self.list.contains("<b>DAO"))
    }

    @Test func `a coin without a symbol shows its id`() {
        #expect(Self.list.contains("<span class=\"symbol\">BORINGDAO-[OLD]</span>"))
    }

    @Test(arguments: [
        (AlertService.Count(all: 1), "1 alert"), (AlertService.Count(all: 3), "3 alerts"),
        (AlertService.Count(all: 3, new: 2), "3 alerts, 2 new"),
    ])
    func `a bell says how many alerts a coin has`(count: AlertService.Count, words: String) throws {
        let bell = rendered(try #require(AlertBell(count, coinId: "bitcoin")))
        #expect(bell.contains("aria-label=\"\(words)\""))
        #expect(bell.contains("href=\"/alerts?coin=bitcoin\""))
        #expect(bell.contains("class=\"bell new\"") == (count.new > 0))
    }

    @Test func `a coin without alerts has no bell`() {
        #expect(AlertBell(nil, coinId: "bitcoin") == nil)
        #expect(AlertBell(AlertService.Count(), coinId: "bitcoin") == nil)
    }

    @Test func `the tile shows the latest that fired, and offers to mark what is new as seen`() {
        let tile = rendered(AlertsTileView.sample)
        let texts = tile.matches(of: /href="\/coins\/([a-z]+)"/).map { String($0.output.1) }
        #expect(texts == ["bitcoin", "solana"])
        #expect(tile.contains("action=\"/alerts/seen\""))
    }

    @Test func `the list on a coin's page is fetched again for that coin alone`() {
        let text = rendered(AlertsOfCoinView.sample)
        #expect(text.contains("data-live=\"/alerts/list?coin=bitcoin\" data-topics=\"alerts\""))
    }
}
