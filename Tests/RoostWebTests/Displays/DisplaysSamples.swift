import Foundation

@testable import Market
@testable import MarketWeb
@testable import RoostWeb
@testable import TextFormats

extension DisplayCell {
    static let samples = WatchlistRow.sampleCoins.map {
        DisplayCell(
            coinId: $0.id, name: $0.name, symbol: $0.symbol, price: $0.price, change: $0.change,
            week: $0.week,
            note: $0.id == "terra-luna" ? "no longer listed" : nil, isOld: $0.notes.contains(where: \.isAge))
    }
}

extension DisplaySettingsView {
    static let sample = DisplaySettingsView(
        layout: .sample, row: DisplayRow.samples[0], link: .sample,
        form: DisplayForm(name: "Office wall", settings: DisplaySettings(headline: "Good morning")),
        coins: [(id: "bitcoin", name: "Bitcoin"), (id: "solana", name: "Solana")])
}

extension DisplayStatusView {
    static let sample = DisplayStatusView(row: DisplayRow.samples[0])
}

extension DisplayLinkView {
    static let sample = DisplayLinkView(
        displayId: "1", displayName: "Kitchen tablet",
        sharedLink: SharedLink(
            address: "http://192.168.1.20:8080/display/q3W9kzYt1mXv0bRr8sPdLh2nJcFgA7eUoI5xTqVwZ4k"))
}

extension DisplayView {
    static let sample = DisplayView(
        assets: LayoutView.sample.assets, version: LayoutView.sample.version, cursor: "boot.7",
        address: "/display/q3W9kzYt1mXv0bRr8sPdLh2nJcFgA7eUoI5xTqVwZ4k", screen: .sample)
}

extension DisplayScreenView {
    static let sample = DisplayScreenView(freshness: .sample, cells: DisplayCell.samples)
}

extension DisplaysTileView {
    static let sample = DisplaysTileView(all: DisplayRow.samples)
}

extension DisplaysView {
    static let sample = DisplaysView(
        layout: .sample, list: .sample, newLink: .sample,
        pairing: PairFormView(code: "K7Q-M2X", displays: [(id: "1", name: "Office wall")]))
}

extension DisplaysListView {
    static let sample = DisplaysListView(rows: DisplayRow.samples)
}

extension DisplayRow {
    static let samples = [
        DisplayRow(
            id: "1", name: "Office wall", createdAt: .sample - 86_400 * 40, lastSeenAt: .sample - 9,
            state: .live,
            screen: ScreenReport(version: "0.1.0-0123abcd", address: "192.168.1.31", reloads: 12),
            now: .sample),
        DisplayRow(
            id: "2", name: "Kitchen tablet", createdAt: .sample - 30, lastSeenAt: nil, state: .waiting,
            now: .sample),
        DisplayRow(
            id: "3",
            name: "The very long name of a screen in the corridor beside the lift on the fourth floor",
            createdAt: .sample - 86_400 * 3, lastSeenAt: .sample - 86_400 * 2, state: .silent,
            now: .sample),
    ]
}

extension PairView {
    static let sample = PairView(
        assets: LayoutView.sample.assets, code: "K7Q-M2X",
        link: SharedLink(address: "http://192.168.1.20:8080/displays?code=K7QM2X"))
}
