import Foundation
import Testing

@testable import AccountsWeb
@testable import MarketWeb
@testable import RoostWeb
@testable import TextFormats

@Suite struct LayoutViewTests {
    let now = Date(timeIntervalSince1970: 1_763_631_660)

    @Test func `the page contains the data that its scripts need`() {
        let text = page(
            LayoutView(
                assets: "/static/abc", version: "v\"1", cursor: "boot.7", now: now, path: "/x",
                formToken: "tok",
                person: nil, navigation: []))
        #expect(text.contains("data-version=\"v&quot;1\" data-cursor=\"boot.7\""))
        #expect(text.contains("data-server-time=\"2025-11-20T09:41:00Z\" data-token=\"tok\""))
        #expect(text.contains("href=\"/static/abc/css/roost.css\""))
        #expect(!text.contains("class=\"person\""))
    }

    @Test func `navigation marks the current page, and shows counts`() {
        let text = page(
            layout(
                navigation: NavigationItem.all(
                    SampleFeatures.all.flatMap(\.navigationEntries), current: "/displays",
                    counts: ["/repositories": 8]))
        )
        // Once in the sidebar, and once in the menu on phones.
        let inSidebar = "href=\"/displays\" data-go=\"d\" aria-current=\"page\""
        #expect(text.components(separatedBy: inSidebar).count == 2)
        #expect(text.components(separatedBy: "href=\"/displays\" aria-current=\"page\"").count == 2)
        #expect(text.components(separatedBy: "aria-current=\"page\"").count == 3)
        #expect(text.components(separatedBy: "<span class=\"count\">8</span>").count == 3)
    }

    @Test(arguments: [
        ("/displays", true), ("/repositories", true), ("/bookmarks", true), ("/settings", true),
        ("/watchlist", false),
    ])
    func `phones have five tabs, and More is marked if it contains the current page`(
        address: String, isInMore: Bool
    ) {
        let text = page(
            layout(
                navigation: NavigationItem.all(
                    SampleFeatures.all.flatMap(\.navigationEntries), current: address)))
        let tabs = text.components(separatedBy: "<a class=\"place\"").count - 1
        let folded = text.components(separatedBy: "<li class=\"folded\">").count - 1
        #expect(tabs - folded == 5)
        #expect(text.contains("popovertarget=\"more-places\" aria-current=\"true\"") == isInMore)
    }

    @Test func `navigation entries and tabs are in the order of the features`() {
        let entries = SampleFeatures.all.flatMap(\.navigationEntries).map(\.address)
        #expect(
            entries == [
                "/", "/search", "/pulls", "/repositories", "/bookmarks", "/watchlist", "/reading", "/chat",
                "/displays", "/settings",
            ])
        let tabs = Dictionary(grouping: SampleFeatures.all.flatMap(\.settingsTabs), by: \.group)
            .mapValues { $0.map(\.name) }
        #expect(
            tabs[.account] == [
                "Profile", "Dates and numbers", "Security", "Tokens", "Outgoing webhooks", "GitHub",
                "All my data",
            ])
        #expect(
            tabs[.feature] == [
                "Home", "Inbox", "Bookmarks", "Watchlist", "Alerts", "Reading", "Chat notifications",
                "Displays",
            ])
        #expect(
            tabs[.owner] == [
                "Members", "Invitations", "Sessions", "Log", "Webhook addresses", "Status",
            ])
    }

    @Test func `each place has a key of its own, and its link has it for the scripts`() {
        let entries = SampleFeatures.all.flatMap(\.navigationEntries)
        #expect(entries.compactMap(\.key) == ["h", "p", "r", "b", "w", "a", "c", "d", "s"])
        let text = page(layout(navigation: NavigationItem.all(entries, current: "/")))
        for entry in entries {
            guard let key = entry.key else { continue }
            let link = "href=\"\(entry.address)\" data-go=\"\(key)\""
            #expect(text.components(separatedBy: link).count == 2, "\(entry.name)")
        }
    }

    @Test func `every page links the app's manifest and its icon`() {
        for text in [page(layout()), rendered(LoginView.sample)] {
            #expect(text.contains("<link rel=\"manifest\" href=\"/manifest.webmanifest\">"))
            #expect(text.contains("<link rel=\"apple-touch-icon\" href=\"/static/"))
        }
    }

    @Test func `the pull request count is live, and empty if none wait`() {
        for (count, text) in [(7, "7"), (0, "")] {
            let text = "data-live=\"/pulls/count\" data-topics=\"waiting\">\(text)</span>"
            let entries = NavigationItem.all(
                SampleFeatures.all.flatMap(\.navigationEntries), current: "/pulls", counts: ["/pulls": count])
            #expect(page(layout(navigation: entries)).contains(text))
        }
    }

    @Test func `the title of every page begins with the total count, if there is one`() {
        for (count, start) in [(7, "(7) "), (0, "")] {
            let entries = NavigationItem.all(
                SampleFeatures.all.flatMap(\.navigationEntries), current: "/watchlist",
                counts: ["/pulls": count, "/repositories": 8])
            let text = page(
                layout(navigation: entries),
                error: ErrorText(status: 503, title: "Busy", sentence: "Too many ask.", advice: "Try again."))
            #expect(text.contains("<title>\(start)Busy · Roost</title>"))
        }
    }

    @Test func `the title counts your turn, fired alerts and unread messages, but no reading backlog`() {
        let counts = ["/pulls": 7, "/watchlist": 2, "/chat": 6, "/reading": 12]
        let text = page(
            layout(
                navigation: NavigationItem.all(
                    SampleFeatures.all.flatMap(\.navigationEntries), current: "/", counts: counts)))
        #expect(text.contains("<title>(15) "))
        #expect(text.contains(">12</span>"))
        // Scripts count the same elements.
        #expect(text.components(separatedBy: "class=\"count in-title").count == 4)
    }

    @Test(arguments: [
        (LayoutView.Theme.auto, "<html lang=\"en\">"), (.light, "<html lang=\"en\" class=\"theme-light\">"),
        (.dark, "<html lang=\"en\" class=\"theme-dark\">"),
    ])
    func `the selected theme is a class, and its button is pressed`(theme: LayoutView.Theme, html: String) {
        let text = page(layout(theme: theme))
        #expect(text.contains(html))
        #expect(text.components(separatedBy: "aria-pressed=\"true\"").count == 2)
        #expect(text.contains("value=\"\(theme.rawValue)\" aria-pressed=\"true\""))
        #expect(text.contains("name=\"back\" value=\"/watchlist\""))
    }

    @Test(arguments: [
        (LayoutView.Theme.auto, ["#f7f6f3", "#0f1214"]), (.light, ["#f7f6f3"]), (.dark, ["#0f1214"]),
    ])
    func `the browser's toolbar has the page's colour in each scheme`(
        theme: LayoutView.Theme, colours: [String]
    ) {
        let guest = GuestLayoutView(assets: "/static/x", theme: theme, formToken: nil)
        for text in [page(layout(theme: theme)), rendered(LoginView(layout: guest))] {
            let found = text.components(separatedBy: "name=\"theme-color\" content=\"").dropFirst()
            #expect(found.map { String($0.prefix(7)) } == colours)
            let schemes = text.components(separatedBy: "media=\"(prefers-color-scheme: ").count - 1
            #expect(schemes == (theme == .auto ? 2 : 0))
        }
    }

    @Test func `only reversible notices offer undo`() {
        #expect(page(layout(notice: .sample)).contains("action=\"/watchlist/dogecoin/undo\""))
        let plain = page(layout(notice: NoticeView(text: "Saved <it>.", isProblem: true)))
        #expect(plain.contains("<div class=\"notice trouble\">") && plain.contains("Saved &lt;it&gt;."))
        #expect(!plain.contains("Undo"))
        #expect(!page(layout()).contains("class=\"notice"))
    }

    @Test(arguments: [
        ("Ada Lovelace", "AL"), ("ada", "A"), ("Jean-Luc de Picard", "JP"), ("", "?"), ("  ", "?"),
        ("é b", "ÉB"),
        ("ßeta", "S"), ("李 小龙", "李小"), ("[x] 0", "X0"),
    ])
    func `initials are those of the first and the last word`(name: String, text: String) {
        #expect(Initials(name).text == text)
    }

    @Test func `freshness has one wording for each state`() {
        #expect(freshness(.sample) == "Updated 12 s ago · next in 48 s")
        #expect(
            freshness(.staleSample)
                == "Updated 14 min ago · CoinGecko is temporarily unavailable. · next try in 32 s Try again")
        #expect(
            freshness(FreshnessView(state: .loading, source: "CoinGecko", now: now))
                == "Loading from CoinGecko…")
        #expect(
            freshness(
                FreshnessView(
                    state: .stale, updatedAt: now - 840, nextAt: now + 32, source: "CoinGecko", now: now)
            ) == "Out of date · updated 14 min ago · next try in 32 s")
        #expect(
            freshness(
                FreshnessView(
                    state: .stale, reason: "No answer.", suggestion: "Wait.", source: "CoinGecko", now: now))
                == "Not updated yet · No answer. Wait.")
    }

    @Test func `a list without anything to fetch shows no freshness`() {
        let idle = FreshnessView(state: .idle, source: "CoinGecko", now: now)
        #expect(!rendered(WatchlistTileView(rows: [], count: 0, freshness: idle)).contains("freshness"))
    }

    @Test func `a running retry says so, on a disabled button`() {
        let view = FreshnessView(
            state: .stale, reason: "No answer.", retry: "/watchlist/refresh", isTrying: true,
            source: "CoinGecko", now: now)
        #expect(freshness(view) == "Not updated yet · No answer. Trying…")
        let text = rendered(WatchlistTileView(rows: [], count: 0, freshness: view))
        #expect(text.contains("<button class=\"subtle\" aria-disabled=\"true\">Trying…</button>"))
    }

    @Test func `a time at the end of a reason is marked for scripts`() {
        let view = FreshnessView(
            state: .stale, reason: "All is used up until \(ISO8601.seconds(now)).", source: "CoinGecko",
            now: now)
        let text = rendered(WatchlistTileView(rows: [], count: 0, freshness: view))
        #expect(text.contains("All is used up until <time data-short datetime=\"\(ISO8601.seconds(now))\">"))
    }

    @Test func `only stale data has a retry button`() {
        let live = FreshnessView(
            state: .live, updatedAt: now, retry: "/watchlist/refresh", source: "CoinGecko", now: now)
        #expect(!freshness(live).contains("Try again"))
    }

    @Test func `an error has its status, a message and advice, with the layout and without`() {
        let error = ErrorText(
            status: 503, title: "Busy", sentence: "Too <many> ask.", advice: "Try again soon.")
        let pages = [
            page(layout(), error: error),
            rendered(StandaloneErrorView(assets: "/static/abc", error: error)),
        ]
        for text in pages {
            #expect(
                text.contains("<title>Busy · Roost</title>")
                    && text.contains("<p class=\"status\">Status 503</p>"))
            #expect(text.contains("Too &lt;many&gt; ask.") && text.contains("Try again soon."))
        }
        #expect(pages[0].contains("<nav") && !pages[1].contains("<nav") && !pages[1].contains("<script"))
    }

    private func page(_ layout: LayoutView, error: ErrorText = .sample) -> String {
        rendered(ErrorView(layout: layout, error: error))
    }

    private func layout(
        theme: LayoutView.Theme = .auto, navigation: [NavigationItem] = [], notice: NoticeView? = nil
    ) -> LayoutView {
        LayoutView(
            assets: "/static/abc", version: "v1", cursor: "", now: now, path: "/watchlist", theme: theme,
            person: PersonView(name: "Ada Lovelace"), navigation: navigation, notice: notice)
    }

    /// The visible text of the freshness line.
    private func freshness(_ view: FreshnessView) -> String {
        let text = rendered(WatchlistTileView(rows: [], count: 0, freshness: view))
        let line = text.components(separatedBy: "<p>")[1].components(separatedBy: "<p class=\"empty")[0]
        return line.replacing(/<[^>]*>/, with: "").split(whereSeparator: \.isWhitespace).joined(
            separator: " ")
    }
}
