import Foundation
import RoostServices
import RoostWeb
import Testing

@Suite struct WatchlistViewTests {
    let now = Date(timeIntervalSince1970: 1_763_631_660)

    @Test func `a row has mark, name, symbol, price with its full number, change and sparkline`() {
        let text = rows([row(price: "0.0000081994", change: "-1.12", week: [1, 2, 3])])
        #expect(text.contains("<span class=\"avatar\" aria-hidden=\"true\">P</span>"))
        #expect(text.contains("<span class=\"symbol\">PEPE</span>"))
        #expect(text.contains("value=\"0.0000081994\" title=\"$0.0000081994\""))
        #expect(text.contains("$0.0<sub>5</sub>8199</span><span class=\"sr-only\">$0.0000081994</span>"))
        #expect(text.contains("class=\"change down\""))
        #expect(text.contains("▼ −1.12 %") && text.contains("down 1.12 percent in 24 hours"))
        #expect(text.contains("<polyline points=\"0,30 60,16 120,2\">"))
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
        #expect(
            !byPrice.contains("direction") && !byPrice.contains("data-reorder")
        )
        #expect(byPrice.contains("aria-label=\"Remove Pepe\""))
    }

    @Test func `the four orders bear their whole names, and the chosen one is pressed`() {
        let text = rows([row()], sort: .change)
        for sort in WatchlistRowsView.Sort.allCases {
            let pressed = sort == .change
            #expect(
                text.contains(
                    "value=\"\(sort.rawValue)\" aria-pressed=\"\(pressed)\" aria-label=\"\(sort.full)\""))
            #expect(sort.full.contains(sort.short), "what is read is part of what is heard")
        }
    }

    @Test func `an empty list teaches, and asks for nothing else`() {
        let text = rows([])
        #expect(text.contains("Your watchlist is empty."))
        #expect(!text.contains("<ol") && !text.contains("name=\"sort\""))
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

    private func rows(_ rows: [WatchlistRow], sort: WatchlistRowsView.Sort = .mine) -> String {
        rendered(WatchlistRowsView(freshness: .sample, sort: sort, rows: rows))
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
