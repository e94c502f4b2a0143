import Foundation
import Market
import RoostSupport
import RoostWeb
import TextFormats

struct AlertsView: PageView, Sendable {
    static let scripts = ["alerts"]

    let layout: LayoutView
    let form: AlertFormView
    let list: AlertsListView
}

/// The alerts part of a coin's page: the coin's alerts and a form.
struct AlertsOfCoinView: Sendable {
    let coinId: String
    let form: AlertFormView
    let list: AlertsListView

    var listAddress: String { "/alerts/list?coin=\(PercentEncoding.encode(coinId))" }
}

/// `/alerts/list`: the user's alerts, or those of one coin. Unseen ones come first.
struct AlertsListView: Sendable {
    let rows: [AlertRow]
    let back: String

    init(rows: [AlertRow], back: String) {
        self.rows = rows.filter(\.isNew) + rows.filter { !$0.isNew }
        self.back = back
    }

    var hasRows: Bool { !rows.isEmpty }
    var hasNew: Bool { rows.contains(where: \.isNew) }
}
