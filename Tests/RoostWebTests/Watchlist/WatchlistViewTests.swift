import Foundation
import Testing

@testable import Market
@testable import RoostSupport
@testable import RoostWeb
@testable import TextFormats

@Suite struct WatchlistViewTests {
    let now = Date(timeIntervalSince1970: 1_763_631_660)

    @Test func `a row has mark, name, symbol and price with its full number`() {
        let text = rows([row(price: "0.0000081994")])
        #expect(text.contains(/<span class="avatar tone-\d" aria-hidden="true">P<\/span>/))
        #expect(text.contains("<a class=\"name\" href=\"/coins/pepe\">Pepe</a>"))
        #expect(text.contains("<span class=\"symbol\">PEPE</span>"))
        #expect(text.contains("value=\"0.0000081994\" title=\"$0.0000081994\""))
        #expect(text.contains("$0.0<sub>5</sub>8199</span><span class=\"sr-only\">$0.0000081994</span>"))
    }

    @Test func `others' text is escaped wherever it stands`() {
        let evil = "<script>alert('1')</script>\""
        let view = WatchlistRow(
            coinId: evil, name: evil, symbol: evil, price: nil, change: nil, notes: [.renamed(from: evil)],
            now: now)
        let search = CoinSearchView(
            query: evil, results: [CoinResult(coinId: evil, name: evil, symbol: evil)], error: evil)
        let list = WatchlistRowsView(freshness: .sample, sort: .mine, rows: [view])
        let text = rendered(WatchlistView(layout: .sample, list: list, search: search))
        #expect(!text.contains("<script>"))
        #expect(!text.contains("alert('1')"))
        #expect(text.contains("&lt;script&gt;"))
    }

    @Test func `ids with blanks, brackets and slashes make addresses that lead back to them`() {
        let view = WatchlistRow(
            coinId: "a b[c]/d?é", name: "A", symbol: "a", price: nil, change: nil, now: now)
        #expect(rows([view]).contains("action=\"/watchlist/a%20b%5Bc%5D%2Fd%3F%C3%A9/move\""))
        #expect(rows([view]).contains("formaction=\"/watchlist/a%20b%5Bc%5D%2Fd%3F%C3%A9/remove\""))
        #expect(PathSegment("..").description == "%2E%2E")
        #expect(PathSegment("wrapped.bitcoin-2_x~").description == "wrapped.bitcoin-2_x~")
    }

    @Test func `what is to be said of a coin stands beside its symbol`() {
        let notes: [WatchlistRow.Note] = [
            .noPrice, .delisted, .renamed(from: "Polygon"), .asOf(now - 3 * 86_400), .trouble("It failed."),
            .loading,
        ]
        let text = rows([row(price: nil, change: nil, notes: notes)])
        for words in [
            "no price", "no longer listed on CoinGecko", "renamed, was Polygon", "It failed.", "loading",
        ] {
            #expect(text.contains("· \(words)</span>"), "\(words)")
        }
        #expect(text.contains("· as of <time data-age datetime=\"2025-11-17T09:41:00Z\">3 days ago</time>"))
        #expect(text.contains("<span class=\"price none\">–</span>"))
    }

    @Test func `rows are moved only in one's own order, and not beyond its ends`() {
        let ends = [row(isFirst: true), row(isLast: true)]
        let own = rows(ends, sort: .mine)
        #expect(own.contains("value=\"up\" aria-label=\"Move Pepe up\" title=\"Move up\" disabled"))
        #expect(own.contains("value=\"down\" aria-label=\"Move Pepe down\" title=\"Move down\" disabled"))
        #expect(own.components(separatedBy: " disabled").count == 3)
        #expect(own.contains("data-reorder"))
        let byPrice = rows([row(isFirst: true, isMyOrder: false)], sort: .price)
        #expect(!byPrice.contains("name=\"direction\"") && !byPrice.contains("data-reorder"))
        #expect(byPrice.contains("aria-label=\"Remove Pepe\""))
    }

    @Test func `the four orders bear their whole names, and the chosen one is pressed`() {
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
    func `the head of the sorted column says its direction, and turns it round`(
        sort: WatchlistOrder, direction: String, next: String
    ) {
        let text = rows([row()], sort: sort, choices: WatchlistChoices(columns: [.marketCap]))
        let heads = text.components(separatedBy: "<th class=").dropFirst()
        let sorted = heads.filter { $0.contains("aria-sort=") }
        #expect(sorted.count == 1)
        #expect(sorted.first?.contains("aria-sort=\"\(direction)\"") == true)
        #expect(sorted.first?.contains("name=\"sort\" value=\"\(next)\"") == true)
    }

    @Test func `one's own order marks no column, and another head begins with its best`() {
        let text = rows([row()], sort: .mine, choices: WatchlistChoices(columns: [.change1h, .sparkline]))
        #expect(!text.contains("aria-sort"))
        #expect(text.contains("name=\"sort\" value=\"change1h\" title=\"Sort by 1h Change (Best-Worst)\""))
        #expect(text.contains(">Last 7 days</th>"), "nothing is sorted by a line")
    }

    @Test func `a list has the columns that its reader chose, in every row and in the head`() {
        for columns in [[], [WatchlistColumn.volume], WatchlistColumn.allCases] {
            let text = rows(WatchlistRow.samples, choices: WatchlistChoices(columns: columns))
            for column in WatchlistColumn.allCases {
                let head = column == .volume ? ">Volume<" : ">\(column.text)<"
                #expect(text.contains(head) == columns.contains(column), "\(column)")
            }
        }
    }

    @Test func `the list is dense and its colours are turned round where its reader says so`() {
        let plain = rows([row()])
        #expect(!plain.contains("compact") && !plain.contains("red-is-up"))
        let chosen = rows([row()], choices: WatchlistChoices(density: .compact, redIsUp: true))
        #expect(chosen.contains("<section class=\"panel list compact red-is-up\""))
    }

    @Test func `one list needs no tabs, and of several the shown one is marked`() {
        #expect(!rows([row()]).contains("list-tabs"))
        let lists = [
            Watchlist(id: 3, userId: 1, name: "Mine"),
            Watchlist(id: 4, userId: 1, name: "Long <b>", place: 1),
        ]
        let text = rendered(
            WatchlistRowsView(
                freshness: .sample, sort: .mine, rows: [row()], query: .init(list: 4), lists: lists,
                current: 4))
        #expect(text.contains("<a href=\"/watchlist?list=3\">Mine</a>"))
        #expect(text.contains("<a href=\"/watchlist?list=4\" aria-current=\"page\">Long &lt;b&gt;</a>"))
        #expect(text.components(separatedBy: "<input type=\"hidden\" name=\"list\" value=\"4\">").count == 3)
    }

    @Test func `coins stand under their categories, those without one last, and are not dragged there`()
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
        let places = try [
            "DeFi</th>", "data-key=\"c\"", "Layer 1</th>", "data-key=\"b\"", "Without a category",
        ]
        .map { try #require(grouped.range(of: $0)).lowerBound }
        #expect(places == places.sorted())
        #expect(!grouped.contains("data-reorder"))
        #expect(grouped.contains("href=\"/watchlist?category=Layer%201\""))
    }

    @Test func `what a list is worth is said with its change, and with what it leaves out`() throws {
        let held = try NewHolding(coinId: "pepe", amount: 2, price: 100, currency: "usd")
        let coin = try #require(
            CoinTotals([Holding(id: 1, details: held)], price: 150, change: nil, currency: "usd"))
        let text = rendered(
            WatchlistRowsView(
                freshness: .sample, sort: .mine, rows: [row()], totals: ListTotals([coin])))
        #expect(text.contains("Holdings <strong>$300.00</strong>"))
        #expect(text.contains("<span class=\"change up\">+$100.00 (+50.0 %)</span>"))
        #expect(text.contains("today without 1 coin that has no change of 24 h"))
    }

    @Test func `an empty list teaches, and asks for nothing else`() {
        let text = rows([])
        #expect(text.contains("Your watchlist is empty."))
        #expect(!text.contains("<table") && !text.contains("name=\"sort\""))
    }

    @Test func `every form carries the token when there is one`() {
        let view = WatchlistRowsView(freshness: .staleSample, sort: .mine, rows: [row()])
        let text = rendered(view, formToken: "secret")
        let forms = text.components(separatedBy: "method=\"post\"").count
        #expect(forms == 4, "try again, sort, one for all rows")
        #expect(text.components(separatedBy: "name=\"token\" value=\"secret\"").count == forms)
    }

    @Test func `what was typed stays in the box beside the reason`() {
        let search = CoinSearchView(query: "bitcoin", error: "This coin is already in your watchlist")
        let text = rendered(WatchlistView(layout: .sample, list: .sample, search: search))
        #expect(text.contains("value=\"bitcoin\""))
        #expect(text.contains("aria-invalid=\"true\" aria-describedby=\"search-error\""))
        #expect(text.contains("id=\"search-error\">This coin is already in your watchlist</p>"))
    }

    @Test func `coins of one name are told apart by rank and id, and listed ones cannot be added again`() {
        let search = CoinSearchView(query: "bitcoin", results: CoinResult.samples)
        let text = rendered(WatchlistView(layout: .sample, list: .sample, search: search))
        #expect(text.contains("#17 · <code>bitcoin-cash</code>"))
        #expect(text.contains("<code>batcat</code>"))
        #expect(text.contains("✓ on your list"))
        #expect(!text.contains("name=\"coinId\" value=\"bitcoin\""))
        #expect(text.contains("name=\"coinId\" value=\"bitcoin-cash\""))
    }

    @Test func `a search that finds nothing says whether it could`() {
        let nothing = search(CoinSearchView(query: "xyzzy"))
        #expect(nothing.contains("No coin is called “xyzzy”") && !nothing.contains("being loaded"))
        let early = search(CoinSearchView(query: "xyzzy", missingList: missing(nil)))
        #expect(early.contains("The coin list is being loaded.") && !early.contains("No coin is called"))
        let asking = search(CoinSearchView(query: "xyzzy", isAsking: true))
        #expect(asking.contains("CoinGecko is being asked too") && !asking.contains("No coin is called"))
    }

    @Test func `a coin list that could not be loaded says why, when it is tried again, and has a button`() {
        let text = search(CoinSearchView(missingList: missing(.networkUnavailable, next: now + 12)))
        #expect(text.contains("could not be loaded: No internet connection. Please check your network."))
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

    @Test func `the tile shows the first five and how many more there are`() {
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
        _ rows: [WatchlistRow], sort: WatchlistOrder = .mine, choices: WatchlistChoices = .init()
    ) -> String {
        rendered(WatchlistRowsView(freshness: .sample, sort: sort, rows: rows, choices: choices))
    }

    private func row(coinId: String, category: String = "") throws -> WatchlistRow {
        WatchlistRow(
            coinId: coinId, name: coinId, symbol: coinId, price: 1, change: 1,
            note: try CoinNote(category: category), now: now)
    }

    private func row(
        price: String? = "1", change: String? = "1", week: [Double] = [], notes: [WatchlistRow.Note] = [],
        isFirst: Bool = false, isLast: Bool = false, isMyOrder: Bool = true
    ) -> WatchlistRow {
        WatchlistRow(
            coinId: "pepe", name: "Pepe", symbol: "pepe", price: price.flatMap { Decimal(string: $0) },
            change: change.flatMap { Decimal(string: $0) }, week: week, notes: notes, isFirst: isFirst,
            isLast: isLast, isMyOrder: isMyOrder, now: now)
    }
}
