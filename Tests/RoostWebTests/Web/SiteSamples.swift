import Foundation
import HTMLTemplates

@testable import Accounts
@testable import HTTPServer
@testable import RoostWeb
@testable import TextFormats

extension LayoutView {
    /// The layout of every sample, with all features.
    static let sample = LayoutView(
        assets: "/static/0123abcd", version: "0.1.0-0123abcd", cursor: "boot.7", now: .sample,
        path: "/watchlist", person: .sample,
        navigation: NavigationItem.all(
            SampleFeatures.all.flatMap(\.navigationEntries), current: "/watchlist",
            counts: ["/repositories": 8]),
        settingsTabs: SampleFeatures.all.flatMap(\.settingsTabs))

    /// The layout of the settings pages.
    static let settingsSample = LayoutView(
        assets: sample.assets, version: sample.version, cursor: sample.cursor, now: sample.now,
        path: "/settings", formToken: "sample-token", person: .sample,
        navigation: NavigationItem.all(
            SampleFeatures.all.flatMap(\.navigationEntries), current: SettingsTabs.path,
            counts: ["/repositories": 8]),
        settingsTabs: SampleFeatures.all.flatMap(\.settingsTabs))
}

extension APIView {
    static let sample = APIView(
        layout: .sample,
        groups: [
            Group(
                groupName: "Price alerts", groupAnchor: "group-price-alerts",
                operations: [
                    Operation(
                        operationAnchor: "getAlerts", method: "GET", path: "/api/v1/alerts",
                        summary: "Your price alerts.", scopes: ["alerts:read", "read"],
                        inputs: [
                            APIFieldView(
                                fieldName: "limit", typeText: "integer", typeAnchor: nil,
                                remark: "query, optional")
                        ],
                        answers: [
                            APIFieldView(
                                fieldName: "200", typeText: "list of CoinAlert, in pages",
                                typeAnchor: "type-CoinAlert", remark: nil)
                        ])
                ])
        ],
        types: [
            AnswerType(
                answerName: "CoinAlert", answerAnchor: "type-CoinAlert",
                members: [APIFieldView(fieldName: "id", typeText: "string", typeAnchor: nil, remark: nil)])
        ])
}

extension SearchView {
    static let sample = SearchView(
        layout: .sample, query: SiteSearchQuery("dark", limit: 5), allKinds: [.sample], kind: nil,
        groups: [.sample, .commandSample], isIndexing: true)
}

extension SearchOptionsView {
    static let sample = SearchOptionsView(
        query: SiteSearchQuery("dark", limit: 5), groups: [.sample, .commandSample])
}

extension SearchKind {
    static let sample = SearchKind("articles", "Articles", icon: "reading") { "/reading?text=\($0.encoded)" }
}

extension SearchGroup {
    static let sample = SearchGroup(
        kind: .sample, results: [SearchResult("Dark mode", detail: "example.org", at: "/reading/7")])

    static let commandSample = SearchGroup(
        kind: SearchKind("commands", "Commands", icon: "command"),
        results: [
            SearchResult(
                "Dark theme", at: "/theme",
                command: SearchCommand("Dark theme", at: "/theme", posting: .init("theme", "dark")))
        ])
}

extension ChangedPartsView {
    static let sample = ChangedPartsView(notice: .sample, parts: [], removedKey: "dogecoin")
}

extension ErrorView {
    static let sample = ErrorView(layout: .sample, error: .sample)
}

extension StandaloneErrorView {
    static let sample = StandaloneErrorView(assets: LayoutView.sample.assets, error: .sample)
}

extension ErrorText {
    static let sample = ErrorText(
        status: 404, title: "Nothing here", sentence: "There is no page at this address.",
        advice: "Check the address, or start from the home page.")
}

extension FreshnessView {
    static let sample = FreshnessView(
        state: .live, updatedAt: .sample - 12, nextAt: .sample + 48, staleAt: .sample + 78,
        source: "CoinGecko", now: .sample)

    static let staleSample = FreshnessView(
        state: .stale, updatedAt: .sample - 840, nextAt: .sample + 32,
        reason: "CoinGecko is temporarily unavailable.", retry: "/watchlist/refresh",
        source: "CoinGecko", now: .sample)
}

extension GuestLayoutView {
    static let sample = GuestLayoutView(assets: LayoutView.sample.assets, formToken: "sample-token")
}

extension Date {
    /// Thursday 20 November 2025, 09:41:00 UTC: the time of every sample.
    static let sample = Date(timeIntervalSince1970: 1_763_631_660)
}

extension NoticeView {
    static let sample = NoticeView(
        text: "Dogecoin was removed from your watchlist.", undo: "/watchlist/dogecoin/undo")
}

extension PersonView {
    static let sample = PersonView(name: "Ada Lovelace")
}
