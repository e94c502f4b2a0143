import Foundation
import Testing

@testable import Market
@testable import MarketWeb
@testable import RoostSupport
@testable import RoostWeb
@testable import TextFormats

@Suite struct WatchlistViewTests {
    let now = Date.sample

    @Test func `a row has logo, name, symbol and price with its full number`() {
        let text = rows([row(price: "0.0000081994")])
        #expect(text.contains(/<span class="avatar tone-\d" aria-hidden="true">P<\/span>/))
        #expect(text.contains("<a class=\"name\" href=\"/coins/pepe\">Pepe</a>"))
        #expect(text.contains("<span class=\"symbol\">PEPE</span>"))
        #expect(text.contains("value=\"0.0000081994\" title=\"$0.0000081994\""))
        #expect(text.contains("$0.0<sub>5</sub>8199</span><span class=\"sr-only\">$0.0000081994</span>"))
    }

    @Test(arguments: [
        ([], "fits-360"), ([.change24h, .marketCap, .sparkline], "fits-680"),
        (WatchlistColumn.allCases, "fits-1160"),
    ])
    func `the more columns a table has, the earlier it scrolls sideways`(
        columns: [WatchlistColumn], fit: String
    ) {
        let list = WatchlistRowsView(
            freshness: .sample, sort: .mine, rows: [row()],
            preferences: WatchlistPreferences.with { $0.columns = columns })
        #expect(rendered(list).contains("<div class=\"table \(fit)\">"))
    }

    @Test func `ids with spaces, brackets and slashes are encoded in addresses`() {
        let view = coin("a b[c]/d?é").row()
        #expect(rows([view]).contains("action=\"/watchlist/a%20b%5Bc%5D%2Fd%3F%C3%A9/move\""))
        #expect(rows([view]).contains("formaction=\"/watchlist/a%20b%5Bc%5D%2Fd%3F%C3%A9/remove\""))
        #expect(PathSegment("..").description == "%2E%2E")
        #expect(PathSegment("wrapped.bitcoin-2_x~").description == "wrapped.bitcoin-2_x~")
    }

    @Test func `a coin's notes are next to its symbol`() {
        let text = rows([
            row(price: nil, notes: [.noPrice, .delisted, .renamed(from: "Polygon")]),
            row(notes: [.asOf(.sample - 3 * 86_400)]), row(notes: [.loading]),
        ])
        for phrase in ["no price", "no longer listed on CoinGecko", "renamed, was Polygon", "loading"] {
            #expect(text.contains("· \(phrase)</span>"), "\(phrase)")
        }
        #expect(text.contains("· as of <time data-age datetime=\"2025-11-17T09:41:00Z\">3 days ago</time>"))
        #expect(text.contains("<span class=\"price none\">–</span>"))
    }

    @Test func `rows can be moved only in custom order, and not past the ends`() {
        let ends = [row(at: 0), row(at: 2)]
        let own = rows(ends, sort: .mine)
        #expect(own.contains("value=\"up\" aria-label=\"Move Pepe up\" title=\"Move up\" disabled"))
        #expect(own.contains("value=\"down\" aria-label=\"Move Pepe down\" title=\"Move down\" disabled"))
        #expect(own.components(separatedBy: " disabled").count == 3)
        #expect(own.contains("data-reorder"))
        let byPrice = rows([row(at: 0, isMyOrder: false)], sort: .price)
        #expect(!byPrice.contains("name=\"direction\"") && !byPrice.contains("data-reorder"))
        #expect(byPrice.contains("aria-label=\"Remove Pepe\""))
    }

    @Test func `the four sort orders show their full names, and the selected one is pressed`() {
        let text = rows([row()], sort: .change)
        for sort in [WatchlistOrder.mine, .name, .price, .change] {
            let pressed = sort == .change
            #expect(
                text.contains(
                    "value=\"\(sort.rawValue)\" aria-pressed=\"\(pressed)\" aria-label=\"\(sort.option.text)\""
                ))
        }
    }

    @Test(arguments: [
        (WatchlistOrder.price, "descending", "-price"),
        (WatchlistOrder(.price, isReversed: true), "ascending", "price"),
        (WatchlistOrder.name, "ascending", "-name"),
        (WatchlistOrder(.name, isReversed: true), "descending", "name"),
        (WatchlistOrder(.cap), "descending", "-cap"),
    ])
    func `the sorted column's header shows its direction and reverses it`(
        sort: WatchlistOrder, direction: String, next: String
    ) {
        let text = rows(
            [row()], sort: sort, preferences: WatchlistPreferences.with { $0.columns = [.marketCap] })
        let heads = text.components(separatedBy: "<th class=").dropFirst()
        let sorted = heads.filter { $0.contains("aria-sort=") }
        #expect(sorted.count == 1)
        #expect(sorted.first?.contains("aria-sort=\"\(direction)\"") == true)
        #expect(sorted.first?.contains("name=\"sort\" value=\"\(next)\"") == true)
    }

    @Test func `custom order marks no column, and another header sorts best first`() {
        let text = rows(
            [row()], sort: .mine,
            preferences: WatchlistPreferences.with { $0.columns = [.change1h, .sparkline] })
        #expect(!text.contains("aria-sort"))
        #expect(text.contains("name=\"sort\" value=\"change1h\" title=\"Sort by 1h Change (Best-Worst)\""))
        #expect(text.contains(">Last 7 days</th>"), "a line cannot be sorted by")
    }

    @Test func `every row and the header have the columns that the user chose`() {
        for columns in [[], [WatchlistColumn.volume], WatchlistColumn.allCases] {
            let text = rows(
                WatchlistRow.samples, preferences: WatchlistPreferences.with { $0.columns = columns })
            for column in WatchlistColumn.allCases {
                let head = column == .volume ? ">Volume<" : ">\(column.text)<"
                #expect(text.contains(head) == columns.contains(column), "\(column)")
            }
        }
    }

    @Test func `density and reversed colours follow the user's choices`() {
        let plain = rows([row()])
        #expect(!plain.contains("compact") && !plain.contains("red-is-up"))
        let chosen = rows(
            [row()],
            preferences: WatchlistPreferences.with {
                $0.density = .compact
                $0.redIsUp = true
            })
        #expect(chosen.contains("<section class=\"panel list compact red-is-up\""))
    }

    @Test func `a single list has no tabs, and of several the shown one is marked`() {
        #expect(!rows([row()]).contains("list-tabs"))
        let lists = [
            Watchlist(id: 3, userId: 1, name: "Mine"),
            Watchlist(id: 4, userId: 1, name: "Long <b>", position: 1),
        ]
        let text = rendered(
            WatchlistRowsView(
                freshness: .sample, sort: .mine, rows: [row()], query: .init(list: 4), lists: lists,
                current: 4))
        #expect(text.contains("<a href=\"/watchlist?list=3\">Mine</a>"))
        #expect(text.contains("<a href=\"/watchlist?list=4\" aria-current=\"page\">Long &lt;b&gt;</a>"))
        #expect(text.components(separatedBy: "<input type=\"hidden\" name=\"list\" value=\"4\">").count == 3)
    }

    @Test func `coins are grouped by category, those without one last, and cannot be dragged`()
        throws
    {
        let grouped = try rendered(
            WatchlistRowsView(
                freshness: .sample, sort: .mine,
                rows: [
                    row(coinId: "a"), row(coinId: "b", category: "Layer 1"),
                    row(coinId: "c", category: "DeFi"),
                ],
                query: .init(isGrouped: true), categories: [("DeFi", 1), ("Layer 1", 1)]))
        let positions = try [
            "DeFi</th>", "data-key=\"c\"", "Layer 1</th>", "data-key=\"b\"", "No category",
        ]
        .map { try #require(grouped.range(of: $0)).lowerBound }
        #expect(positions == positions.sorted())
        #expect(!grouped.contains("data-reorder"))
        #expect(grouped.contains("href=\"/watchlist?category=Layer%201\""))
    }

    @Test func `a list's value is shown with its change, and with the coins it leaves out`() throws {
        let held = try NewHolding(coinId: "pepe", amount: 2, price: 100, currency: "usd")
        let coin = try #require(
            CoinTotals([Holding(id: 1, details: held)], price: 150, change: nil, currency: "usd"))
        let text = rendered(
            WatchlistRowsView(
                freshness: .sample, sort: .mine, rows: [row()], totals: ListTotals([coin])))
        #expect(text.contains("Holdings <strong>$300.00</strong>"))
        #expect(text.contains("<span class=\"change up\">+$100.00 (+50.0 %)</span>"))
        #expect(text.contains("today without 1 coin that has no 24 h change"))
    }

    @Test func `an empty list explains what to do, and fetches nothing else`() {
        let text = rows([])
        #expect(text.contains("Your watchlist is empty."))
        #expect(!text.contains("<table") && !text.contains("name=\"sort\""))
    }

    @Test func `every form has the form token if there is one`() {
        let view = WatchlistRowsView(freshness: .staleSample, sort: .mine, rows: [row()])
        let text = rendered(view, formToken: "secret")
        let forms = text.components(separatedBy: "method=\"post\"").count
        #expect(forms == 4, "one each for retrying, sorting and all rows")
        #expect(text.components(separatedBy: "name=\"token\" value=\"secret\"").count == forms)
    }

    @Test func `what was typed stays in the box next to the reason`() {
        let search = CoinSearchView(query: "bitcoin", error: "This coin is already in your watchlist")
        let text = rendered(WatchlistView(layout: .sample, list: .sample, search: search))
        #expect(text.contains("value=\"bitcoin\""))
        #expect(text.contains("aria-invalid=\"true\" aria-describedby=\"search-error\""))
        #expect(text.contains("id=\"search-error\">This coin is already in your watchlist</p>"))
    }

    @Test func `coins of the same name are told apart by rank and id, and listed ones cannot be added again`()
    {
        let search = CoinSearchView(query: "bitcoin", results: CoinResult.samples)
        let text = rendered(WatchlistView(layout: .sample, list: .sample, search: search))
        #expect(text.contains("#17 · <code>bitcoin-cash</code>"))
        #expect(text.contains("<code>batcat</code>"))
        #expect(text.contains("<a class=\"listed\" href=\"#listed-bitcoin\">"))
        #expect(text.contains("<tr class=\"row\" data-key=\"bitcoin\" id=\"listed-bitcoin\">"))
        #expect(!text.contains("name=\"coinId\" value=\"bitcoin\""))
        #expect(text.contains("name=\"coinId\" value=\"bitcoin-cash\""))
    }

    @Test func `a search without a match says so only once everything is loaded`() {
        let nothing = search(CoinSearchView(query: "xyzzy"))
        #expect(nothing.contains("No coin matches “xyzzy”") && !nothing.contains("Loading the coin list"))
        let early = search(CoinSearchView(query: "xyzzy", missingList: missing(nil)))
        #expect(early.contains("Loading the coin list.") && !early.contains("No coin matches"))
        let asking = search(CoinSearchView(query: "xyzzy", isPending: true))
        #expect(asking.contains("Asking CoinGecko too.") && !asking.contains("No coin matches"))
    }

    @Test func `a coin list that failed to load says why and when it is retried, and has a button`() {
        let text = search(CoinSearchView(missingList: missing(.networkUnavailable, next: now + 12)))
        #expect(
            text.contains("Couldn’t load the coin list: No internet connection. Please check your network."))
        #expect(
            text.contains(
                "Next try <time data-until datetime=\"\(ISO8601.seconds(now + 12))\">in 12 s</time>"))
        #expect(text.contains("action=\"/watchlist/coins/refresh\""))
        #expect(
            coinList(missing(.networkUnavailable)).contains("<button class=\"subtle\">Try again</button>"))
        let trying = coinList(missing(.networkUnavailable, isTrying: true, next: now + 12))
        #expect(trying.contains("<button class=\"subtle\" aria-disabled=\"true\">Trying…</button>"))
        #expect(!trying.contains("Next try"))
        #expect(!coinList(missing(nil)).contains("<button"))
        #expect(!coinList(nil).contains("<"))
    }

    private func missing(_ error: APIError?, isTrying: Bool = false, next: Date? = nil)
        -> CoinCatalog.ListStatus
    {
        CoinCatalog.ListStatus(error: error, isTrying: isTrying, nextTryAt: next, now: now)
    }

    private func coinList(_ status: CoinCatalog.ListStatus?) -> String { rendered(CoinListView(status)) }

    @Test func `the tile shows the first five coins and how many more there are`() {
        let text = rendered(
            WatchlistTileView(rows: WatchlistRow.samples, count: 13, freshness: .sample))
        #expect(text.components(separatedBy: "<li ").count == 6)
        #expect(text.contains("8 more"))
        let few = rendered(WatchlistTileView(rows: [row()], count: 1, freshness: .sample))
        #expect(!few.contains("more</a>"))
    }

    private func search(_ view: CoinSearchView) -> String {
        rendered(WatchlistView(layout: .sample, list: .sample, search: view))
    }

    private func rows(
        _ rows: [WatchlistRow], sort: WatchlistOrder = .mine, preferences: WatchlistPreferences = .init()
    ) -> String {
        rendered(WatchlistRowsView(freshness: .sample, sort: sort, rows: rows, preferences: preferences))
    }

    private func row(coinId: String, category: String = "") throws -> WatchlistRow {
        coin(coinId).row(note: try CoinNote(category: category))
    }

    private func row(
        price: String? = "1", notes: [WatchlistRow.Note] = [], at index: Int = 1, isMyOrder: Bool = true
    ) -> WatchlistRow {
        coin("pepe", price: price, notes: notes).row(at: index, isMyOrder: isMyOrder)
    }

    private func coin(
        _ id: String, price: String? = "1", notes: [WatchlistRow.Note] = []
    ) -> WatchlistRow.SampleCoin {
        WatchlistRow.SampleCoin(
            id: id, name: id.capitalized, symbol: id, price: price.flatMap { Decimal(string: $0) },
            change: 1, week: [], notes: notes)
    }
}
