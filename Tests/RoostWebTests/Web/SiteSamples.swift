import Foundation
import HTMLTemplates

@testable import Accounts
@testable import HTTPServer
@testable import RoostWeb
@testable import TextFormats

extension LayoutView {
    /// The frame of every sample: with all features in it.
    static let sample = LayoutView(
        assets: "/static/0123abcd", version: "0.1.0-0123abcd", cursor: "boot.7", now: .sample,
        path: "/watchlist", person: .sample,
        navigation: NavigationItem.all(
            Features.places, current: "/watchlist", counts: ["/repositories": 8]),
        settingsTabs: Features.settingsTabs)

    /// The same on the pages among the settings.
    static let settingsSample = LayoutView(
        assets: sample.assets, version: sample.version, cursor: sample.cursor, now: sample.now,
        path: "/settings", formToken: "sample-token", person: .sample,
        navigation: NavigationItem.all(Features.places, current: nil, counts: ["/repositories": 8]),
        settingsTabs: Features.settingsTabs)
}

extension ChangedPartsView {
    static let sample = ChangedPartsView(notice: .sample, parts: [], goneKey: "dogecoin")
}

extension ErrorView {
    static let sample = ErrorView(layout: .sample, error: .sample)
}

extension BareErrorView {
    static let sample = BareErrorView(assets: LayoutView.sample.assets, error: .sample)
}

extension ErrorText {
    static let sample = ErrorText(
        status: 404, title: "Nothing here", sentence: "There is no page at this address.",
        advice: "Check the address, or go on from the home page.")
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
    /// Thursday 20 November 2025, 09:41:00 UTC: the clock of every sample.
    static let sample = Date(timeIntervalSince1970: 1_763_631_660)
}

extension NoticeView {
    static let sample = NoticeView(
        text: "Dogecoin was removed from your watchlist.", undo: "/watchlist/dogecoin/undo")
}

extension PersonView {
    static let sample = PersonView(name: "Ada Lovelace")
}
