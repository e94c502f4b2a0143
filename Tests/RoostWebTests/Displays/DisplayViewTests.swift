import Foundation
import Testing

@testable import Market
@testable import MarketWeb
@testable import RoostWeb

@Suite struct DisplayViewTests {
    @Test(arguments: [
        (1, [1]), (8, [8]), (9, [5, 4]), (16, [8, 8]), (17, [6, 6, 5]), (20, [7, 7, 6]), (25, [7, 6, 6, 6]),
        (0, []),
    ])
    func `coins are spread evenly over as few pages as possible`(count: Int, sizes: [Int]) {
        let text = screen(count)
        let pages = text.components(separatedBy: "<section ").dropFirst()
        #expect(pages.map { $0.components(separatedBy: "<article ").count - 1 } == sizes)
    }

    @Test func `only the requested page is shown, and dots mark it`() {
        let text = screen(20, page: 2)
        #expect(text.components(separatedBy: " hidden>").count == 3)
        #expect(text.contains("aria-label=\"Page 2\">"))
        #expect(text.contains("<li></li><li class=\"shown\"></li><li></li>"))
        #expect(!screen(8).contains("class=\"dots\""))
    }

    @Test(arguments: [(20, 1, 2), (20, 3, 1), (20, 99, 2), (20, -1, 2), (8, 1, 1), (0, 1, 1)])
    func `without scripts the pages cycle automatically`(count: Int, page: Int, next: Int) {
        let view = DisplayView(
            assets: "/static/x", version: "1", cursor: "c", address: "/display/tok",
            screen: DisplayScreenView(freshness: .sample, cells: cells(count), page: page)
        )
        #expect(rendered(view).contains("content=\"20; url=/display/tok?page=\(next)\""))
    }

    @Test func `a wall shows the time, the day and the age of its prices`() {
        let text = screen(1)
        #expect(text.contains("data-clock>09:41</p>"))
        #expect(text.contains("data-today lang=\"en\">Thursday 20 November</p>"))
        #expect(text.contains(">12 s ago</time>"))
        #expect(text.contains("data-seconds=\"20\""))
    }

    @Test func `old prices are grey, with the reason next to their age`() {
        let view = DisplayScreenView(freshness: .staleSample, cells: cells(2))
        let text = rendered(view)
        #expect(text.contains(" with-line old\" data-key=\"page-1\""))
        #expect(
            text.contains(
                "14 min ago</time> · <span class=\"reason\">CoinGecko is temporarily unavailable.</span>"))
    }

    @Test func `red can mean rising prices`() {
        let view = DisplayScreenView(
            freshness: .sample, cells: cells(1), settings: DisplaySettings(redIsUp: true))
        #expect(rendered(view).contains(" with-line red-up\" data-key=\"page-1\""))
    }

    @Test func `a line has the colour of seven days, and the change that of one day`() {
        let cell = DisplayCell(coinId: "a", name: "A", symbol: "a", price: 3, change: -1, week: [1, 2, 3])
        let text = rendered(DisplayScreenView(freshness: .sample, cells: [cell]))
        #expect(text.contains("class=\"spark up\"") && text.contains("class=\"change down\""))
    }

    @Test func `the periods of the change and the line are named once`() {
        #expect(screen(20).components(separatedBy: "24 h change · 7-day line").count == 2)
        #expect(!screen(0).contains("24 h change"))
    }

    @Test func `a coin without its first price says that it is loading`() {
        let cell = DisplayCell(coinId: "a", name: "A", symbol: "a", price: nil, change: nil, isWaiting: true)
        let text = rendered(DisplayScreenView(freshness: .sample, cells: [cell]))
        #expect(text.contains("<p class=\"note waiting\">loading</p>") && !text.contains("no price"))
    }

    @Test func `a coin without a price says so`() {
        let cell = DisplayCell(coinId: "a", name: "A", symbol: "a", price: 0, change: nil)
        let text = rendered(DisplayScreenView(freshness: .sample, cells: [cell]))
        #expect(text.contains("<p class=\"note\">no price</p>"))
    }

    @Test func `an empty wall says how to fill it`() {
        #expect(screen(0).contains("Coins appear here as soon as they are added."))
    }

    @Test func `a new link is shown in full, ready to be selected`() {
        let link = DisplayLinkView(
            displayId: "1", displayName: "Hall <1>",
            sharedLink: SharedLink(address: "http://10.0.0.2:8080/display/abc"))
        let text = rendered(DisplaysView(layout: .sample, list: DisplaysListView(rows: []), newLink: link))
        #expect(text.contains("readonly value=\"http://10.0.0.2:8080/display/abc\""))
        #expect(text.contains("Link for Hall &lt;1&gt;"))
        #expect(
            !rendered(DisplaysView(layout: .sample, list: DisplaysListView(rows: []))).contains("readonly"))
    }

    @Test func `a display shows whether it was ever opened`() {
        let text = rendered(DisplaysView(layout: .sample, list: .sample))
        #expect(text.contains("showing now") && text.contains("never opened"))
        #expect(text.contains("last seen <time data-age datetime=\"2025-11-18T09:41:00Z\">2 days ago</time>"))
    }

    @Test func `the list of displays shows changes made elsewhere, even from an empty list`() {
        let list = "data-live=\"/displays/list\" data-topics=\"displays\""
        #expect(rendered(DisplaysView(layout: .sample, list: DisplaysListView(rows: []))).contains(list))
        #expect(rendered(DisplaysView.sample).contains(list))
    }

    @Test func `a refused name stays in the form next to the reason`() {
        let text = rendered(
            DisplaysView(
                layout: .sample, list: DisplaysListView(rows: []), typedName: "Wall \"1\"",
                error: "There is one of that name."))
        #expect(text.contains("value=\"Wall &quot;1&quot;\""))
        #expect(text.contains("id=\"create-error\">There is one of that name.</p>"))
    }

    @Test func `pages of pull requests follow the pages of coins`() {
        let text = rendered(
            DisplayScreenView(
                freshness: .sample, cells: cells(2), pulls: waiting(7),
                settings: DisplaySettings(pages: [.coins, .pulls]), page: 2, zone: .gmt))
        let pages = text.components(separatedBy: "<section ").dropFirst()
        #expect(pages.map { $0.components(separatedBy: "<article ").count - 1 } == [2, 4, 3])
        #expect(text.contains("7 waiting pull requests · updated <time data-age"))
        #expect(text.contains("owner/&lt;b&gt;#6</span> by mira · waits for ada and grace"))
        #expect(text.contains("<p class=\"pull-age red\">"))
        #expect(text.contains("aria-label=\"Page 2\">"))
        #expect(text.components(separatedBy: " hidden>").count == 3)
    }

    @Test func `a wall of pull requests says why it shows none`() {
        func text(_ list: WallPullList) -> String {
            rendered(
                DisplayScreenView(
                    freshness: list.freshness(at: .sample), cells: [], pulls: list,
                    settings: DisplaySettings(pages: [.pulls]), zone: .gmt))
        }
        #expect(text(WallPullList(pulls: [], updatedAt: nil, isAllowed: false)).contains("No one allows"))
        #expect(text(WallPullList(pulls: [], updatedAt: nil)).contains("Loading from GitHub"))
        #expect(text(WallPullList(pulls: [], updatedAt: .sample)).contains("No pull request is waiting."))
    }

    @Test func `pages of changes and the headline follow the others`() {
        let lines = (0..<7).map {
            TodayLine("Change <\($0)>.", from: "Alerts", at: "/coins/\($0)", summary: "Why <b>")
        }
        let text = rendered(
            DisplayScreenView(
                freshness: .sample, cells: cells(2), changes: lines,
                settings: DisplaySettings(pages: [.coins, .today, .headline], headline: "Moving <day>"),
                page: 3, zone: .gmt))
        let pages = text.components(separatedBy: "<section ").dropFirst()
        #expect(pages.map { $0.components(separatedBy: "<article ").count - 1 } == [2, 4, 3, 0])
        #expect(text.contains(">7 changes since yesterday<"))
        #expect(text.contains("<h3>Change &lt;6&gt;.</h3>"))
        #expect(text.contains("Alerts · Why &lt;b&gt;</p>"))
        #expect(text.contains("<p>Moving &lt;day&gt;</p>"))
        // Not above the pages too.
        #expect(!text.contains("class=\"headline\""))
        #expect(text.contains("aria-label=\"Page 3\">"))
    }

    @Test(arguments: [(40, "short"), (41, "medium"), (100, "medium"), (101, "long"), (200, "long")])
    func `a longer headline is smaller`(length: Int, size: String) {
        let view = DisplayScreenView(
            freshness: nil, cells: [],
            settings: DisplaySettings(
                pages: [.headline], headline: String(repeating: "x", count: length)), now: .sample)
        #expect(rendered(view).contains("class=\"page announcement \(size) "))
        // Nothing on it grows old.
        #expect(!rendered(view).contains("class=\"age"))
    }

    @Test func `a wall of changes says that there are none`() {
        let view = DisplayScreenView(
            freshness: .sample, cells: [], changes: [], settings: DisplaySettings(pages: [.today]))
        #expect(rendered(view).contains("Nothing has changed since yesterday."))
    }

    @Test func `of the team's pull requests only the new ones are changes, newest first`() {
        func pull(_ name: String, hours: Double, for people: [String]) -> WallPullList.Pull {
            WallPullList.Pull(
                name: name, title: "Fix \(name)", author: "mira", people: people,
                waitingSince: .sample - hours * 3_600, pressure: .calm)
        }
        let list = WallPullList(
            pulls: [
                pull("a/b#1", hours: 25, for: ["ada"]), pull("a/b#2", hours: 20, for: ["ada", "grace"]),
                pull("a/b#3", hours: 1, for: []),
            ], updatedAt: .sample)
        let changes = list.changes(since: .sample - TodayLine.period)
        #expect(changes.map(\.text) == ["Fix a/b#3", "Fix a/b#2"])
        #expect(changes.map(\.summary) == ["a/b#3 waits", "a/b#2 waits for ada and grace"])
    }

    @Test(arguments: [
        (-5.0, "0 min"), (30, "0 min"), (7_200, "2 h"), (86_400, "1 day"), (800_000, "9 days"),
    ])
    func `a wait on a wall is counted in its largest unit`(seconds: Double, text: String) {
        let pull = WallPullList.Pull(
            name: "a/b#1", title: "Fix", author: "mira", people: [], waitingSince: .sample - seconds,
            pressure: .calm)
        #expect(WallPullRow(pull: pull, now: .sample).waited == text)
    }

    private func waiting(_ count: Int) -> WallPullList {
        WallPullList(
            pulls: (0..<count).map {
                WallPullList.Pull(
                    name: "owner/<b>#\($0)", title: "Fix <b>", author: "mira", people: ["ada", "grace"],
                    waitingSince: .sample - 86_400, pressure: .red)
            }, updatedAt: .sample - 12)
    }

    private func cells(_ count: Int) -> [DisplayCell] {
        (0..<count).map { DisplayCell(coinId: "c\($0)", name: "Coin", symbol: "c\($0)", price: 1, change: 1) }
    }

    private func screen(_ count: Int, page: Int = 1) -> String {
        rendered(DisplayScreenView(freshness: .sample, cells: cells(count), page: page, zone: .gmt))
    }
}
