import Foundation
import Testing

@testable import ChatWeb
@testable import GitHubWeb
@testable import MarketWeb
@testable import RoostServices
@testable import RoostSupport
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

@Suite struct HomeSummaryTests {
    private func row(_ title: String, unread: Int, isGroup: Bool = false, isMuted: Bool = false)
        -> ConversationRow
    {
        ConversationRow(
            conversationId: title, title: title, avatar: nil, preview: "Hello", lastAt: .sample,
            unread: unread, isMuted: isMuted, isGroup: isGroup, now: .sample)
    }

    @Test func `the summary names people and groups with unread messages`() {
        let tile = ChatTileView([
            row("Grace", unread: 1), row("Kurt", unread: 2), row("Crew", unread: 4, isGroup: true),
            row("Alan", unread: 0), row("Noise", unread: 9, isGroup: true, isMuted: true),
        ]).tile
        #expect(tile.sentences == ["Grace and Kurt wrote.", "New messages in Crew."])
        #expect(HomeSummaryView(tiles: [tile]).text == "Grace and Kurt wrote. New messages in Crew.")
    }

    @Test func `without news the summary says that nothing waits`() {
        #expect(HomeSummaryView(tiles: []).text == "Nothing waits for you.")
    }

    @Test func `a stopped display is named, one that was never opened is not in trouble`() {
        let view = DisplaysTileView(all: DisplayRow.samples)
        #expect(view.rows.map(\.id) == ["3"])
        #expect(view.tile.sentences.count == 1)
        let others = DisplaysTileView(all: DisplayRow.samples.filter { !$0.isSilent })
        #expect(others.tile.sentences.isEmpty)
        #expect(others.state == "1 of 2 displays is on. 1 was never opened.")
    }

    @Test func `a tile that cannot be read says so, and the others stay`() async throws {
        try await TestServer.with { testServer in
            try await testServer.services.database.write {
                try $0.execute("ALTER TABLE bookmarks RENAME TO bookmarks_elsewhere")
            }
            let home = try await testServer.send("GET", "/")
            #expect(home.status == 200)
            #expect(home.text.components(separatedBy: "Couldn’t load this.").count == 2)
            #expect(home.text.contains("“Bookmarks that moved” couldn’t be loaded."))
            #expect(home.text.contains("aria-label=\"Next to read\""))
        }
    }
}
