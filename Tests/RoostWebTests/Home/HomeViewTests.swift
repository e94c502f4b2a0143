import Foundation
import Testing

@testable import GitHubWeb
@testable import MarketWeb
@testable import RoostWeb
@testable import roost

extension HomeView {
    static let sample = HomeView(
        layout: .sample,
        tiles: [
            PullsTileView.sample.tile, BookmarksTileView.sample.tile, WatchlistTileView.sample.tile,
            DisplaysTileView.sample.tile,
        ])
}

@Suite struct HomeViewTests {
    @Test func `each tile is a region that is fetched again when its topic changes`() {
        let text = rendered(HomeView.sample)
        #expect(text.contains("data-live=\"/watchlist/tile\" data-topics=\"prices watchlist pictures home\""))
        #expect(text.contains("data-live=\"/pulls/tile\" data-topics=\"pulls pictures home\""))
        #expect(text.contains("data-live=\"/bookmarks/tile\" data-topics=\"bookmarks pictures home\""))
        #expect(text.contains("data-live=\"/displays/tile\" data-topics=\"displays home\""))
    }

    @Test func `a tile on the page equals its fragment`() {
        let page = lines(rendered(HomeView.sample))
        for fragment in [
            rendered(PullsTileView.sample), rendered(BookmarksTileView.sample),
            rendered(WatchlistTileView.sample),
            rendered(DisplaysTileView.sample),
        ] {
            let wanted = lines(fragment)
            let isWithin = page.indices.contains { page[$0...].starts(with: wanted) }
            #expect(isWithin)
        }
    }

    @Test func `the page contains its region as it is fetched`() {
        let page = lines(rendered(WatchlistView.sample))
        let wanted = lines(rendered(WatchlistRowsView.sample))
        #expect(page.indices.contains { page[$0...].starts(with: wanted) })
        let wall = lines(rendered(DisplayView.sample))
        let screen = lines(rendered(DisplayScreenView.sample))
        #expect(wall.indices.contains { wall[$0...].starts(with: screen) })
    }

    @Test func `empty tiles say what to do`() {
        let idle = FreshnessView(state: .idle, source: "CoinGecko", now: Date(timeIntervalSince1970: 0))
        let text = rendered(
            HomeView(
                layout: .sample,
                tiles: [
                    PullsTileView(rows: [], waiting: 0, sources: [], now: .distantPast).tile,
                    WatchlistTileView(rows: [], count: 0, freshness: idle).tile,
                    DisplaysTileView(all: []).tile,
                ]))
        #expect(text.contains("<a href=\"/watchlist\">Add the first one</a>"))
        #expect(text.contains("<a href=\"/displays\">Pair a screen</a>"))
    }

    private func lines(_ text: String) -> [Substring] {
        text.split(whereSeparator: \.isNewline)
    }
}
