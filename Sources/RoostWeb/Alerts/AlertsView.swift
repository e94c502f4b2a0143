import Foundation
import Market
import RoostSupport
import TextFormats

/// `/alerts`: all alerts, and the form that makes one.
struct AlertsView: PageView, Sendable {
    let layout: LayoutView
    let form: AlertFormView
    let list: AlertsListView
}

/// The alerts of one coin with the form that makes one, as a part of the coin's page.
struct AlertsOfCoinView: Sendable {
    let coinId: String
    let form: AlertFormView
    let list: AlertsListView

    /// Where the list is fetched again when an alert changes.
    var listAddress: String { "/alerts/list?coin=\(PercentEncoding.encode(coinId))" }
}

/// `/alerts/list`: one's alerts, or those of one coin, those first that fired and were not seen.
struct AlertsListView: Sendable {
    let rows: [AlertRow]
    let back: String

    /// - Parameter back: where its forms lead back to
    init(rows: [AlertRow], back: String) {
        self.rows = rows.filter(\.isNew) + rows.filter { !$0.isNew }
        self.back = back
    }

    var hasRows: Bool { !rows.isEmpty }
    var hasNew: Bool { rows.contains(where: \.isNew) }
}
